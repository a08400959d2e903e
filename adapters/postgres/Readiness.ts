// Asks the database whether it would let rows be written. One that can only be read, a standby or one whose disk is full, answers
// every look and takes no order.
import { Effect, Layer } from "effect"
import { Readiness } from "#core/ports/Readiness.ts"
import { Database } from "./database/Database.ts"

/** Refused wherever writing is, because who locks a row is to write it; there is none to lock. */
const lockNothing = "SELECT FROM shop WHERE false FOR KEY SHARE"

export const layer: Layer.Layer<Readiness, never, Database> = Layer.effect(
  Readiness,
  Effect.map(Database, ({ read }) => Readiness.of({ writable: Effect.asVoid(read(lockNothing, [])) }))
)
