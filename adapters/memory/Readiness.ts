// What is in memory can be written for as long as it is there.
import { Effect, Layer } from "effect"
import { Readiness } from "#core/ports/Readiness.ts"

export const layer: Layer.Layer<Readiness> = Layer.succeed(Readiness, { writable: Effect.void })
