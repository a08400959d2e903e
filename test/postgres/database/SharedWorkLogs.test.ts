// What goes on for several requests is begun by one of them, whose id is not to be on lines about the others.
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Logger } from "effect"
import { expect } from "vitest"
import { completeAll, makeBatcher } from "#adapters/postgres/database/Batcher.ts"
import { outcomes, testPlacementQueue } from "../orderbook/TestPlacementQueue.ts"

/** Whatever is logged by it, with its annotations. */
const logged = Effect.fnUntraced(function* <E, R>(work: Effect.Effect<void, E, R>) {
  const lines: Array<readonly [unknown, unknown]> = []
  const note = Logger.map(
    Logger.formatStructured,
    ({ message, annotations }) => void lines.push([message, annotations])
  )
  yield* Effect.provide(work, Logger.layer([note]))
  return lines
})

const ofRequest = (id: string) => Effect.annotateLogs("request_id", id)

const trouble = (name: string) => Effect.logWarning(`trouble for ${name}`)

describe("a line in the log", () => {
  it.effect("of a flight is no passenger's own", () =>
    Effect.gen(function* () {
      const ground = yield* Latch.make()
      const send = yield* makeBatcher<string, void, never>({
        maxConcurrent: 1,
        admission: null,
        batchSize: () => 1,
        runBatch: (aboard) =>
          Effect.gen(function* () {
            yield* ground.await
            for (const { input: cargo } of aboard) yield* trouble(cargo)
            completeAll(aboard, Exit.void)
          })
      })
      const lines = yield* logged(
        Effect.gen(function* () {
          const sent = yield* Effect.forEach(["a", "b"], (name) =>
            Effect.forkChild(ofRequest(name)(send(name)), { startImmediately: true })
          )
          yield* ground.open
          yield* Fiber.joinAll(sent)
        })
      )
      expect(lines).toEqual(["a", "b"].map((name) => [`trouble for ${name}`, {}]))
    })
  )

  it.effect("of an account's turns is not of the request that began them", () =>
    Effect.gen(function* () {
      const { occupy, send } = yield* testPlacementQueue((key) => Effect.as(trouble(key), key))
      const lines = yield* logged(
        Effect.gen(function* () {
          const busy = yield* occupy("acc")
          const sent = yield* Effect.forEach(["a", "b"], (name) => ofRequest(name)(send(name, "acc")))
          yield* busy.open
          yield* outcomes(sent)
        })
      )
      expect(lines).toEqual(["a", "b"].map((name) => [`trouble for ${name}`, {}]))
    })
  )
})
