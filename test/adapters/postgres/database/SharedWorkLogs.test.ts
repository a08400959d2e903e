// Work for several requests is started by one of them, whose request id must not be on log lines about the others.
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Logger } from "effect"
import { expect } from "vitest"
import { AdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { completeAll, makeBatcher } from "#adapters/postgres/database/Batcher.ts"
import { outcomes, testPlacementLine } from "../orderbook/TestPlacementLine.ts"

/** Messages that the work logs, with their annotations. */
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

describe("log lines", () => {
  it.effect("of a batch have no annotations of a request in it", () =>
    Effect.gen(function* () {
      const released = yield* Latch.make()
      const send = yield* makeBatcher<string, void, never>({
        maxConcurrent: 1,
        admission: new AdmissionQueue(10),
        runBatch: (entries) =>
          Effect.gen(function* () {
            yield* released.await
            for (const { input } of entries) yield* trouble(input)
            completeAll(entries, Exit.void)
          })
      })
      const lines = yield* logged(
        Effect.gen(function* () {
          const sent = yield* Effect.forEach(["a", "b"], (name) =>
            Effect.forkChild(ofRequest(name)(send(name)), { startImmediately: true })
          )
          yield* released.open
          yield* Fiber.joinAll(sent)
        })
      )
      expect(lines).toEqual(["a", "b"].map((name) => [`trouble for ${name}`, {}]))
    })
  )

  it.effect("of an account's queue have no annotations of the request that started it", () =>
    Effect.gen(function* () {
      const { lockAccount, send } = yield* testPlacementLine((key) => Effect.as(trouble(key), key))
      const lines = yield* logged(
        Effect.gen(function* () {
          const lock = yield* lockAccount("acc")
          const sent = yield* Effect.forEach(["a", "b"], (name) => ofRequest(name)(send(name, "acc")))
          yield* lock.open
          yield* outcomes(sent)
        })
      )
      expect(lines).toEqual(["a", "b"].map((name) => [`trouble for ${name}`, {}]))
    })
  )
})
