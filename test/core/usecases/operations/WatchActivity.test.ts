// After a long absence a watcher receives all activity once and in order, in several polls.
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type ActivityEvent, positionAt } from "#core/domain/operations/ActivityEvent.ts"
import { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { ActivityLog } from "#core/ports/operations/ActivityLog.ts"
import { WatchActivity } from "#core/usecases/operations/WatchActivity.ts"
import { NOON } from "#test/core/Given.ts"

const EVERY_MS = 10
const MANY = 30_000

const all = Array.from({ length: MANY }, (_, nth): ActivityEvent => {
  const atMs = NOON + nth * EVERY_MS
  const quote = { quoteId: QuoteId.make(`q_${nth}`), accountId: AccountId.make("acc_rich"), mode: "live" } as const
  return { _tag: "QuoteAbandoned", position: positionAt(atMs), atMs, by: "agent", ...quote }
})

/** An activity log with all entries, and the number of entries that were read. */
const longLog = () => {
  let read = 0
  const after = ({ position, limit }: { readonly position: string; readonly limit: number }) =>
    Effect.sync(() => {
      const from = all.findIndex((one) => one.position > position)
      const found = from === -1 ? [] : all.slice(from, from + limit)
      read += found.length
      return found
    })
  const nothingAudited = Effect.succeed({ records: [], nextBeforeId: null })
  const ports = Layer.merge(
    Layer.succeed(ActivityLog, { now: Effect.succeed(positionAt(NOON)), after }),
    Layer.succeed(AuditLog, { page: () => nothingAudited, ofAccount: () => nothingAudited })
  )
  const watch = Stream.unwrap(Effect.map(WatchActivity, (shop) => shop.watch(positionAt(NOON - 60_000)))).pipe(
    Stream.provide(WatchActivity.layer.pipe(Layer.provide(ports)))
  )
  return { watch, read: () => read }
}

describe("watching from an old position", () => {
  it.effect("emits the first entries before it has read all", () =>
    Effect.gen(function* () {
      const { watch, read } = longLog()
      expect(yield* Stream.runCollect(Stream.take(watch, 1))).toEqual(all.slice(0, 1))
      expect(read()).toBeLessThanOrEqual(6_000)
    })
  )

  it.effect("emits every entry once", () =>
    Effect.gen(function* () {
      const { watch } = longLog()
      const listening = yield* Effect.forkChild(Stream.runCollect(Stream.take(watch, MANY)), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(listening)).toEqual(all)
    })
  )
})
