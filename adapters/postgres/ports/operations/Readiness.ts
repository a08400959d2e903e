// Checks that an order could be written now, and that no newer version of the service has migrated the database.
import { Effect } from "effect"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { SchemaTooNew } from "#core/ports/shared/PortErrors.ts"
import { overDatabase } from "../../database/Database.ts"
import { BASELINE, STEPS } from "../../database/MigrationSteps.ts"
import { first, queryValues } from "../../database/Queries.ts"
import { Text } from "../../rows/Table.ts"

/** The tables that every order writes. */
const WRITTEN = "accounts, tallies, quotes, links, ledger, events"

/**
 * What an order needs, one after another. A standby and a read-only database reject row locks, of which this one locks no row. Another
 * session may hold a table. On a full disk no table grows, which one of the session alone shows: each commit empties it.
 */
const PROBES = [
  "SELECT FROM shop WHERE false FOR KEY SHARE",
  `LOCK TABLE ${WRITTEN} IN ROW EXCLUSIVE MODE`,
  "CREATE TEMP TABLE IF NOT EXISTS readiness (grows int) ON COMMIT DELETE ROWS",
  "INSERT INTO pg_temp.readiness VALUES (1)"
]

const newerStep = `
SELECT step AS value FROM schema_steps
WHERE step > '${BASELINE.step}' COLLATE "C" AND step <> ALL ($1::text[]) ORDER BY step LIMIT 1`

export const layer = overDatabase(Readiness, ({ read, transaction }) => {
  const firstNewer = first(queryValues(read, Text, newerStep))
  return Readiness.of({
    isShared: true,
    writable: Effect.gen(function* () {
      const step = yield* firstNewer(STEPS)
      if (step !== null) return yield* new SchemaTooNew({ step })
      yield* transaction((run) => Effect.forEach(PROBES, (probe) => run(probe, []), { discard: true }))
    })
  })
})
