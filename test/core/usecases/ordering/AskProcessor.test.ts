// The bounds of questions to the processor about quotes that clients read: how often, how many, how long a read waits, and that
// nothing the processor does makes a read fail.
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { type PayableId, PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor, type SessionState } from "#core/ports/ordering/PaymentProcessor.ts"
import { ProcessorUnavailable } from "#core/ports/shared/PortErrors.ts"
import { AskProcessor } from "#core/usecases/ordering/AskProcessor.ts"
import { PaymentSessions } from "#core/usecases/ordering/PaymentSessions.ts"
import { given, orderBy } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"

const { quote: first } = placed(given(), orderBy("key_poor")).reply

const quote = (n: number, over: Partial<Quote> = {}): Quote => ({
  ...first,
  quoteId: QuoteId.make(`q_${n}`),
  sessionId: PaymentSessionId.make(`cs_${n}`),
  ...over
})

const changed = (quoteId: string): Quote => ({
  ...quote(0),
  quoteId: QuoteId.make(quoteId),
  status: "abandoned",
  abandonedBy: "expiry"
})

/** Names no quote, so that it fits any. */
type Look = (quoteId: PayableId) => Effect.Effect<SessionState<never>, ProcessorUnavailable>

const expired: Look = () => Effect.succeed({ outcome: "expired" })
const unavailable: Look = () => Effect.fail(new ProcessorUnavailable({ retryAfterSeconds: 5 }))

/** The asker over a processor that answers as `look` does now, and the quotes that the processor was asked about, in order. */
const asker = (look: () => Look) => {
  const asked: Array<string> = []
  const processor = Layer.mock(PaymentProcessor, {
    simulatePayment: null,
    look: ({ quoteId }) =>
      Effect.suspend(() => {
        asked.push(quoteId)
        return look()(quoteId)
      })
  })
  // An ended session abandons the quote here; what it really does is the business of `PaymentSessions`.
  const follow = Layer.mock(PaymentSessions, {
    follow: ({ quoteId }) => Effect.succeed({ quote: changed(quoteId), outcome: "lapsed" })
  })
  const layer = AskProcessor.layer.pipe(Layer.provide([processor, follow]))
  const ask = (one: Quote) => Effect.flatMap(AskProcessor, (service) => service.ask(one))
  return { asked, layer, ask }
}

describe("a read of an open quote", () => {
  it.effect("shows what the processor said", () => {
    const { layer, ask, asked } = asker(() => expired)
    return Effect.gen(function* () {
      expect(yield* ask(quote(1))).toEqual(changed("q_1"))
      expect(asked).toEqual(["q_1"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("asks nothing if the quote is closed or has no session", () => {
    const { layer, ask, asked } = asker(() => expired)
    return Effect.gen(function* () {
      for (const one of [quote(1, { sessionId: null }), quote(2, { status: "paid" }), changed("q_3")]) {
        expect(yield* ask(one)).toBe(one)
      }
      expect(asked).toEqual([])
    }).pipe(Effect.provide(layer))
  })

  it.effect("asks once in 10 seconds, once in 10 minutes while a bank debit is under way", () => {
    const { layer, ask, asked } = asker(() => expired)
    const pending = quote(2, { paymentPendingAtMs: 0 })
    return Effect.gen(function* () {
      yield* ask(quote(1))
      yield* ask(pending)
      yield* TestClock.adjust(9_999)
      yield* ask(quote(1))
      yield* ask(pending)
      expect(asked).toEqual(["q_1", "q_2"])
      yield* TestClock.adjust(1)
      yield* ask(quote(1))
      yield* ask(pending)
      expect(asked).toEqual(["q_1", "q_2", "q_1"])
      yield* TestClock.adjust(589_999)
      expect(yield* ask(pending)).toBe(pending)
      yield* TestClock.adjust(1)
      expect(yield* ask(pending)).toEqual(changed("q_2"))
    }).pipe(Effect.provide(layer))
  })

  it.effect("waits 0.8 seconds at most; the question goes on, and shares its answer with the next read", () => {
    const answer = Deferred.makeUnsafe<SessionState<never>>()
    const { layer, ask, asked } = asker(() => () => Deferred.await(answer))
    return Effect.gen(function* () {
      const read = yield* Effect.forkChild(ask(quote(1)), { startImmediately: true })
      yield* TestClock.adjust(799)
      expect(read.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(read)).toEqual(quote(1))
      const next = yield* Effect.forkChild(ask(quote(1)), { startImmediately: true })
      yield* Deferred.succeed(answer, { outcome: "expired" })
      expect(yield* Fiber.join(next)).toEqual(changed("q_1"))
      expect(asked).toEqual(["q_1"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("shares one question with reads at the same time, also when one of them is given up", () => {
    const answer = Deferred.makeUnsafe<SessionState<never>>()
    const { layer, ask, asked } = asker(() => () => Deferred.await(answer))
    return Effect.gen(function* () {
      const reads = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(ask(quote(1)), { startImmediately: true }))
      if (reads[0] !== undefined) yield* Fiber.interrupt(reads[0])
      yield* Deferred.succeed(answer, { outcome: "expired" })
      for (const read of reads.slice(1)) expect(yield* Fiber.join(read)).toEqual(changed("q_1"))
      expect(asked).toEqual(["q_1"])
    }).pipe(Effect.provide(layer))
  })
})

describe("all reads together", () => {
  it.effect("ask four questions at a time", () => {
    const answer = Deferred.makeUnsafe<SessionState<never>>()
    const { layer, ask, asked } = asker(() => () => Deferred.await(answer))
    return Effect.gen(function* () {
      for (const n of [1, 2, 3, 4]) yield* Effect.forkChild(ask(quote(n)), { startImmediately: true })
      // In another second, so that only what is under way counts.
      yield* TestClock.adjust(1_000)
      expect(yield* ask(quote(5))).toEqual(quote(5))
      expect(asked).toEqual(["q_1", "q_2", "q_3", "q_4"])
      yield* Deferred.succeed(answer, { outcome: "expired" })
      yield* TestClock.adjust(1)
      expect(yield* ask(quote(5))).toEqual(changed("q_5"))
    }).pipe(Effect.provide(layer))
  })

  it.effect("ask five questions in a second", () => {
    const { layer, ask, asked } = asker(() => expired)
    return Effect.gen(function* () {
      for (const n of [1, 2, 3, 4, 5, 6]) yield* ask(quote(n))
      yield* TestClock.adjust(999)
      expect(yield* ask(quote(6))).toEqual(quote(6))
      expect(asked).toHaveLength(5)
      yield* TestClock.adjust(1)
      expect(yield* ask(quote(6))).toEqual(changed("q_6"))
    }).pipe(Effect.provide(layer))
  })

  it.effect("ask nothing for 30 seconds after a question that failed, and none of them fails", () => {
    let look = unavailable
    const { layer, ask, asked } = asker(() => look)
    return Effect.gen(function* () {
      expect(yield* ask(quote(1))).toEqual(quote(1))
      look = expired
      yield* TestClock.adjust(29_999)
      expect(yield* ask(quote(2))).toEqual(quote(2))
      expect(asked).toEqual(["q_1"])
      yield* TestClock.adjust(1)
      expect(yield* ask(quote(2))).toEqual(changed("q_2"))
    }).pipe(Effect.provide(layer))
  })

  it.effect("outlive a defect of the processor", () => {
    let look: Look = () => Effect.die("broken")
    const { layer, ask } = asker(() => look)
    return Effect.gen(function* () {
      for (const n of [1, 2, 3, 4]) expect(yield* ask(quote(n))).toEqual(quote(n))
      look = expired
      expect(yield* ask(quote(5))).toEqual(changed("q_5"))
    }).pipe(Effect.provide(layer))
  })
})
