// Whoever asks with others is told what was found for their own question, or that nothing could be looked up.
import { it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { makeBatchedLookup } from "#adapters/postgres/database/BatchedLookup.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { fakeDatabase } from "../FakeDatabase.ts"

const database = Effect.map(makeAdmissionQueue({ capacity: 100, maxWait: "1 second" }), (room) => fakeDatabase(room))

const ALL = { concurrency: "unbounded" } as const
const questions = Array.from({ length: 10 }, (_, index) => index)

it.effect("everybody who asks at once has their own answer", () =>
  Effect.gen(function* () {
    const looked: Array<number> = []
    const ask = yield* makeBatchedLookup(yield* database, (asked: ReadonlyArray<number>) => {
      looked.push(asked.length)
      return Effect.yieldNow.pipe(Effect.as(asked.map((one) => `answer ${one}`)))
    })
    expect(yield* Effect.forEach(questions, ask, ALL)).toEqual(questions.map((one) => `answer ${one}`))
    expect(looked.length).toBeLessThan(questions.length)
  })
)

it.effect("everybody who asks at once is told where the store is away", () =>
  Effect.gen(function* () {
    const ask = yield* makeBatchedLookup(yield* database, () => Effect.fail(unavailable))
    const answers = yield* Effect.forEach(questions, (one) => Effect.result(ask(one)), ALL)
    expect(answers).toEqual(questions.map(() => Result.fail(unavailable)))
  })
)
