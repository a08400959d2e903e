// A sweep tries every due quote, however many there are and whichever fail.
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { type PayableId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { SweepLeases } from "#core/ports/ordering/SweepLeases.ts"
import { AbandonQuote } from "#core/usecases/ordering/AbandonQuote.ts"
import { AskProcessor } from "#core/usecases/ordering/AskProcessor.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { given, orderBy } from "#test/core/Given.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { placed } from "#test/core/RunDecision.ts"

const { quote } = placed(given(), orderBy("key_poor")).reply

const DUE = 1_000

/** Nearly all of the oldest fail every time, and a few of the others. */
const isBroken = (index: number): boolean => (index < 300 && index % 10 !== 0) || index % 100 === 99

const named = (index: number): string => `q_${String(index).padStart(5, "0")}`

/** Due quotes, and the ones that were tried. `killed`: those that a sweeper had leased when it was killed. */
const sweeping = (
  named: ReadonlyArray<string>,
  processor: Effect.Effect<unknown> = Effect.void,
  killed: ReadonlyArray<string> = []
) => {
  const ids = named.map((id) => QuoteId.make(id))
  const left = new Set(ids)
  const tried: Array<string> = []
  const page = ({ limit, after = null }: { readonly limit: number; readonly after?: QuoteId | null }) =>
    Effect.sync(() => [...left].filter((id) => after === null || id > after).slice(0, limit))
  const finish = ({ quoteId }: Quote) =>
    Effect.andThen(
      processor,
      Effect.suspend(() => {
        tried.push(quoteId)
        if (isBroken(ids.indexOf(quoteId))) return Effect.fail(new QuoteNotFound({ quoteId }))
        left.delete(quoteId)
        return Effect.succeed({ quote, atMs: 0 })
      })
    )
  const claimed = new Set<PayableId>(killed.map((id) => QuoteId.make(id)))
  const leases = Layer.mock(SweepLeases, {
    claim: (id) =>
      Effect.sync(() => {
        const isFree = !claimed.has(id)
        claimed.add(id)
        return isFree ? { id, untilMs: 1 } : null
      }),
    release: ({ id }) => Effect.sync(() => void claimed.delete(id))
  })
  const quotes = Layer.mock(Quotes, {
    byId: (quoteId) => Effect.succeed({ ...quote, quoteId }),
    due: page,
    pending: () => Effect.succeed([]),
    ofRevokedKeys: () => Effect.succeed([]),
    withoutSession: () => Effect.succeed([])
  })
  const store = Layer.merge(quotes, leases)
  const others = Layer.mergeAll(
    Layer.mock(AbandonQuote, { expire: finish }),
    Layer.mock(PaymentSessions, {}),
    Layer.mock(AskProcessor, {})
  )
  return { layer: SweepQuotes.layer.pipe(Layer.provide(store), Layer.provide(others)), left, tried }
}

const ids = times(DUE, named)
const broken = ids.filter((_, index) => isBroken(index))

it.effect("one pass tries every due quote once and abandons all that do not fail", () => {
  const { layer, left, tried } = sweeping(ids)
  return Effect.gen(function* () {
    const { sweep } = yield* SweepQuotes
    expect(yield* sweep()).toEqual({ expired: DUE - broken.length, resumed: 0 })
    expect(tried).toEqual(ids)
    expect([...left]).toEqual(broken)
    expect(yield* sweep()).toEqual({ expired: 0, resumed: 0 })
    expect(tried).toEqual([...ids, ...broken])
  }).pipe(Effect.provide(layer))
})

it.effect("sweeping an account tries all of its expired quotes", () => {
  const { layer, left } = sweeping(ids)
  return Effect.gen(function* () {
    const { sweepAccount } = yield* SweepQuotes
    yield* sweepAccount(quote.accountId)
    expect([...left]).toEqual(broken)
  }).pipe(Effect.provide(layer))
})

it.effect("sweeps 600 quotes within 30 seconds when the processor takes 300 ms for each, a few at a time", () => {
  let now = 0
  let most = 0
  const call = Effect.acquireUseRelease(
    Effect.sync(() => {
      most = Math.max(most, ++now)
    }),
    () => Effect.sleep("300 millis"),
    () => Effect.sync(() => now--)
  )
  const { layer, tried } = sweeping(times(600, named), call)
  return Effect.gen(function* () {
    const { sweep } = yield* SweepQuotes
    const pass = yield* Effect.forkChild(sweep(), { startImmediately: true })
    yield* TestClock.adjust("30 seconds")
    expect(tried).toHaveLength(600)
    yield* Fiber.join(pass)
    expect(most).toBeLessThanOrEqual(16)
  }).pipe(Effect.provide(layer))
})

it.effect("two sweepers of one store try each quote once, and a quote that one has is left to it", () => {
  const { layer, tried } = sweeping(times(40, named), Effect.sleep("300 millis"))
  return Effect.gen(function* () {
    const sweepers = [yield* SweepQuotes, yield* Effect.provide(SweepQuotes, Layer.fresh(layer))]
    const passes = yield* Effect.forkChild(
      Effect.all(
        sweepers.map(({ sweep }) => sweep()),
        { concurrency: "unbounded" }
      ),
      { startImmediately: true }
    )
    yield* TestClock.adjust("30 seconds")
    yield* Fiber.join(passes)
    expect(new Set(tried).size).toBe(tried.length)
  }).pipe(Effect.provide(layer))
})

it.effect(
  "a read waits a second at most for a sweeper that was killed, and once; the sweep leaves it its lease",
  () => {
    const { layer, tried } = sweeping([named(0)], Effect.void, [named(0)])
    return Effect.gen(function* () {
      const { sweep, sweepAccount } = yield* SweepQuotes
      yield* sweep()
      expect(tried).toEqual([])
      const read = yield* Effect.forkChild(sweepAccount(quote.accountId), { startImmediately: true })
      yield* TestClock.adjust("900 millis")
      expect(tried).toEqual([])
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(read)
      expect(tried).toEqual([named(0)])
      // Nothing is left to wait for.
      yield* sweepAccount(quote.accountId)
    }).pipe(Effect.provide(layer))
  }
)
