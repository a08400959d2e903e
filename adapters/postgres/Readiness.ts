// Checks that the database accepts writes (a standby, or one with a full disk, only answers reads), and that no newer version of the
// service has migrated it.
import { Effect, Layer, Schema } from "effect"
import { SchemaTooNew } from "#core/ports/PortErrors.ts"
import { Readiness } from "#core/ports/Readiness.ts"
import { Database } from "./database/Database.ts"
import { STEPS } from "./database/MigrationSteps.ts"
import { query } from "./database/Queries.ts"

/** A read-only database rejects row locks; this one locks no row. */
const probe = "SELECT FROM shop WHERE false FOR KEY SHARE"

const newerStep = "SELECT step FROM schema_steps WHERE step <> ALL ($1::text[]) ORDER BY step LIMIT 1"

export const layer: Layer.Layer<Readiness, never, Database> = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const { read } = yield* Database
    const newerSteps = query(read, Schema.Struct({ step: Schema.String }), newerStep)
    return Readiness.of({
      isShared: true,
      writable: Effect.gen(function* () {
        yield* read(probe, [])
        const [newer] = yield* newerSteps(STEPS)
        if (newer !== undefined) return yield* new SchemaTooNew(newer)
      })
    })
  })
)
