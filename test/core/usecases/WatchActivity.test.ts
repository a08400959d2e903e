// Somebody who comes back after a long time is told all of it, each once and in its order, but not all at once.
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type ActivityEvent, positionAt } from "#core/domain/ActivityEvent.ts"
import { ActivityLog } from "#core/ports/ActivityLog.ts"
import { AuditLog } from "#core/ports/AuditLog.ts"
import { WatchActivity } from "#core/usecases/WatchActivity.ts"
import { NOON } from "../Given.ts"

const EVERY_MS = 10
const MANY = 30_000

const all = Array.from({ length: MANY }, (_, nth): ActivityEvent => {
  const atMs = NOON + nth * EVERY_MS
  const quote = { quoteId: `q_${nth}`, accountId: "acc_rich", mode: "live" } as const
  return { _tag: "QuoteAbandoned", position: positionAt(atMs), atMs, by: "agent", ...quote }
})

/** A shop in which so much has happened, and how much of it was looked at. */
const shop = () => {
  let looked = 0
  const after = ({ position, limit }: { readonly position: string; readonly limit: number }) =>
    Effect.sync(() => {
      const from = all.findIndex((one) => one.position > position)
      const found = from === -1 ? [] : all.slice(from, from + limit)
      looked += found.length
      return found
    })
  const ports = Layer.merge(
    Layer.succeed(ActivityLog, { now: Effect.succeed(positionAt(NOON)), after }),
    Layer.succeed(AuditLog, { page: () => Effect.succeed({ records: [], nextBeforeId: null }) })
  )
  const watch = Stream.unwrap(Effect.map(WatchActivity, (shop) => shop.watch(positionAt(NOON - 60_000)))).pipe(
    Stream.provide(WatchActivity.layer.pipe(Layer.provide(ports)))
  )
  return { watch, looked: () => looked }
}

describe("watching from long ago", () => {
  it.effect("begins to tell before it has looked at everything", () =>
    Effect.gen(function* () {
      const { watch, looked } = shop()
      expect(yield* Stream.runCollect(Stream.take(watch, 1))).toEqual(all.slice(0, 1))
      expect(looked()).toBeLessThanOrEqual(6_000)
    })
  )

  it.effect("tells everything in the end, once", () =>
    Effect.gen(function* () {
      const { watch } = shop()
      const listening = yield* Effect.forkChild(Stream.runCollect(Stream.take(watch, MANY)), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(listening)).toEqual(all)
    })
  )
})
