// Checks that the database accepts writes: a standby, or one with a full disk, only answers reads.
import { Effect, Layer } from "effect"
import { Readiness } from "#core/ports/Readiness.ts"
import { Database } from "./database/Database.ts"

/** A read-only database rejects row locks; this one locks no row. */
const probe = "SELECT FROM shop WHERE false FOR KEY SHARE"

export const layer: Layer.Layer<Readiness, never, Database> = Layer.effect(
  Readiness,
  Effect.map(Database, ({ read }) => Readiness.of({ writable: Effect.asVoid(read(probe, [])) }))
)
