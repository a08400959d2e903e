// Lookups of concurrent callers in one statement.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Result } from "effect"
import { expect } from "vitest"
import { makeBatchedLookup } from "#adapters/postgres/database/BatchedLookup.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"

const ALL = { concurrency: "unbounded" } as const
const keys = Array.from({ length: 10 }, (_, index) => index)

it.effect("concurrent callers each receive the answer for their own key", () =>
  Effect.gen(function* () {
    const batchSizes: Array<number> = []
    const lookUp = makeBatchedLookup((batch: ReadonlyArray<number>) => {
      batchSizes.push(batch.length)
      return Effect.yieldNow.pipe(Effect.as(batch.map((one) => `answer ${one}`)))
    })
    expect(yield* Effect.forEach(keys, lookUp, ALL)).toEqual(keys.map((one) => `answer ${one}`))
    expect(batchSizes.length).toBeLessThan(keys.length)
  })
)

it.effect("concurrent callers all fail if the store is unavailable", () =>
  Effect.gen(function* () {
    const lookUp = makeBatchedLookup(() => Effect.fail(unavailable))
    const answers = yield* Effect.forEach(keys, (one) => Effect.result(lookUp(one)), ALL)
    expect(answers).toEqual(keys.map(() => Result.fail(unavailable)))
  })
)

it.effect("callers that leave take no answer from the others, before the lookup is sent and after", () =>
  Effect.gen(function* () {
    const answered = yield* Latch.make()
    const batches: Array<ReadonlyArray<number>> = []
    const lookUp = makeBatchedLookup((batch: ReadonlyArray<number>) => {
      batches.push(batch)
      return Effect.as(answered.await, batch)
    })
    const [early, late, patient] = yield* Effect.all(
      [1, 2, 3].map((one) => Effect.forkChild(lookUp(one), { startImmediately: true }))
    )
    if (early !== undefined) yield* Fiber.interrupt(early)
    yield* Effect.repeat(Effect.yieldNow, { times: 5 })
    if (late !== undefined) yield* Fiber.interrupt(late)
    yield* answered.open
    expect(patient && (yield* Fiber.join(patient))).toBe(3)
    expect(batches).toEqual([[2, 3]])
  })
)

it.effect("a lookup that dies fails its callers, and not the next one", () =>
  Effect.gen(function* () {
    const bug = new Error("a bug")
    let lookups = 0
    const lookUp = makeBatchedLookup((batch: ReadonlyArray<number>) =>
      lookups++ === 0 ? Effect.die(bug) : Effect.succeed(batch)
    )
    expect(yield* Effect.exit(lookUp(1))).toEqual(Exit.die(bug))
    expect(yield* lookUp(2)).toBe(2)
  })
)
