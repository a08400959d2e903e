// A store in memory is always writable, and no other process migrates it.
import { Effect, Layer } from "effect"
import { Readiness } from "#core/ports/operations/Readiness.ts"

export const layer: Layer.Layer<Readiness> = Layer.succeed(Readiness, { writable: Effect.void, isShared: false })
