// Work for several requests is started by one of them, whose request id must not be on log lines about the others.
import { describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { expect } from "vitest"
import { makeBatchedLookup } from "#adapters/postgres/database/BatchedLookup.ts"
import { outcomes, testLines } from "../orderbook/TestLines.ts"

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
  it.effect("of a lookup have no annotations of a request in it", () =>
    Effect.gen(function* () {
      const lookUp = makeBatchedLookup((names: ReadonlyArray<string>) =>
        Effect.as(Effect.forEach(names, trouble), names)
      )
      const lines = yield* logged(
        Effect.asVoid(Effect.forEach(["a", "b"], (name) => ofRequest(name)(lookUp(name)), { concurrency: 2 }))
      )
      expect(lines).toEqual(["a", "b"].map((name) => [`trouble for ${name}`, {}]))
    })
  )

  it.effect("of a line have no annotations of the request that started it", () =>
    Effect.gen(function* () {
      const { lockAccount, send } = yield* testLines((key) => Effect.as(trouble(key), key))
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
