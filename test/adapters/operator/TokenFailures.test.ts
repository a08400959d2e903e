// Wrong operator tokens wait longer and longer per address, in bounded number, and are logged without the token.
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { makeTokenFailures } from "#adapters/operator/TokenFailures.ts"

const counting = () => {
  const lines: Array<unknown> = []
  return { lines, layer: Logger.layer([Logger.make(({ message }) => lines.push(message))]) }
}

const ended = (fiber: Fiber.Fiber<void>) => fiber.pollUnsafe() !== undefined

describe("wrong operator tokens", () => {
  it.effect("wait only after the third of an address, a second at most, and are forgotten after a minute", () =>
    Effect.gen(function* () {
      const failed = makeTokenFailures()
      const first = yield* Effect.forkChild(Effect.repeat(failed("192.0.2.1"), { times: 2 }))
      yield* TestClock.adjust(0)
      assert.isDefined(first.pollUnsafe(), "three are answered at once")
      const fourth = yield* Effect.forkChild(failed("192.0.2.1"))
      yield* TestClock.adjust(124)
      assert.isFalse(ended(fourth))
      yield* TestClock.adjust(1)
      assert.isTrue(ended(fourth))
      yield* Effect.forkChild(Effect.repeat(failed("192.0.2.1"), { times: 10 }))
      yield* TestClock.adjust("20 seconds")
      const late = yield* Effect.forkChild(failed("192.0.2.1"))
      yield* TestClock.adjust(999)
      assert.isFalse(ended(late))
      yield* TestClock.adjust(1)
      assert.isTrue(ended(late))
      const other = yield* Effect.forkChild(failed("192.0.2.2"))
      yield* TestClock.adjust(0)
      assert.isTrue(ended(other), "another address does not wait")
      yield* TestClock.adjust("2 minutes")
      const fresh = yield* Effect.forkChild(failed("192.0.2.1"))
      yield* TestClock.adjust(0)
      assert.isTrue(ended(fresh))
    })
  )

  it.effect("hold at most 64 refusals back, and log a bounded number of lines", () => {
    const { lines, layer } = counting()
    return Effect.gen(function* () {
      const failed = makeTokenFailures()
      const fibers = yield* Effect.forEach(Array.from({ length: 200 }), () => Effect.forkChild(failed("192.0.2.1")))
      yield* TestClock.adjust(0)
      assert.strictEqual(fibers.filter((fiber) => !ended(fiber)).length, 64)
      assert.strictEqual(lines.length, 1)
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(fibers.every(ended))
      for (let index = 0; index < 100; index++) yield* failed(`198.51.100.${index}`)
      assert.strictEqual(lines.length, 1 + 20, "twenty in the next ten seconds")
    }).pipe(Effect.provide(layer))
  })
})
