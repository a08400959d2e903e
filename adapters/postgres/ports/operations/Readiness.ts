// Checks that the database accepts writes (a standby, or one with a full disk, only answers reads), and that no newer version of the
// service has migrated it.
import { Effect } from "effect"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { SchemaTooNew } from "#core/ports/shared/PortErrors.ts"
import { overDatabase } from "../../database/Database.ts"
import { BASELINE, STEPS } from "../../database/MigrationSteps.ts"
import { first, queryValues } from "../../database/Queries.ts"
import { Text } from "../../rows/Table.ts"

/** A read-only database rejects row locks; this one locks no row. */
const probe = "SELECT FROM shop WHERE false FOR KEY SHARE"

const newerStep = `
SELECT step AS value FROM schema_steps
WHERE step > '${BASELINE.step}' COLLATE "C" AND step <> ALL ($1::text[]) ORDER BY step LIMIT 1`

export const layer = overDatabase(Readiness, ({ read }) => {
  const firstNewer = first(queryValues(read, Text, newerStep))
  return Readiness.of({
    isShared: true,
    writable: Effect.gen(function* () {
      yield* read(probe, [])
      const step = yield* firstNewer(STEPS)
      if (step !== null) return yield* new SchemaTooNew({ step })
    })
  })
})
