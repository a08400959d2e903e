// Lookups of concurrent callers in one statement.
import { it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/postgres/database/AdmissionQueue.ts"
import { makeBatchedLookup } from "#adapters/postgres/database/BatchedLookup.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { fakeDatabase } from "../FakeDatabase.ts"

const database = Effect.map(makeAdmissionQueue({ capacity: 100, maxWait: "1 second" }), fakeDatabase)

const ALL = { concurrency: "unbounded" } as const
const keys = Array.from({ length: 10 }, (_, index) => index)

it.effect("concurrent callers each receive the answer for their own key", () =>
  Effect.gen(function* () {
    const batchSizes: Array<number> = []
    const lookUp = yield* makeBatchedLookup(yield* database, (batch: ReadonlyArray<number>) => {
      batchSizes.push(batch.length)
      return Effect.yieldNow.pipe(Effect.as(batch.map((one) => `answer ${one}`)))
    })
    expect(yield* Effect.forEach(keys, lookUp, ALL)).toEqual(keys.map((one) => `answer ${one}`))
    expect(batchSizes.length).toBeLessThan(keys.length)
  })
)

it.effect("concurrent callers all fail if the store is unavailable", () =>
  Effect.gen(function* () {
    const lookUp = yield* makeBatchedLookup(yield* database, () => Effect.fail(unavailable))
    const answers = yield* Effect.forEach(keys, (one) => Effect.result(lookUp(one)), ALL)
    expect(answers).toEqual(keys.map(() => Result.fail(unavailable)))
  })
)
