// The idle detector waits as long as anything runs, and dies where a request never ends.
import { Effect, Exit, Fiber } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { IdleDetector, layer } from "#bench/time/IdleDetector.ts"

const HALF_A_MINUTE_MS = 30_000

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }))
afterEach(() => void vi.useRealTimers())

it("dies once no turn was taken for half a minute while a request is open", async () => {
  const waited = Effect.gen(function* () {
    const { idle, acquireNetwork } = yield* IdleDetector
    yield* acquireNetwork
    const waiting = yield* Effect.forkChild(idle, { startImmediately: true })
    yield* Effect.yieldNow
    vi.advanceTimersByTime(HALF_A_MINUTE_MS)
    const soFar = waiting.pollUnsafe()
    vi.advanceTimersByTime(HALF_A_MINUTE_MS)
    return { soFar, atLast: yield* Fiber.await(waiting) }
  })
  const { soFar, atLast } = await Effect.runPromise(waited.pipe(Effect.provide(layer)))
  expect(soFar).toBeUndefined()
  expect(Exit.isFailure(atLast) && String(atLast.cause)).toContain("1 requests")
})

it("is idle as soon as the network is released", async () => {
  const waited = Effect.gen(function* () {
    const { idle, acquireNetwork, releaseNetwork } = yield* IdleDetector
    yield* acquireNetwork
    const waiting = yield* Effect.forkChild(idle, { startImmediately: true })
    yield* releaseNetwork
    return yield* Fiber.await(waiting)
  })
  expect(Exit.isSuccess(await Effect.runPromise(waited.pipe(Effect.provide(layer))))).toBe(true)
})
