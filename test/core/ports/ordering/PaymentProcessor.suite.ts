// What every processor promises of PaymentProcessor: one session per quote, and a consistent outcome of payment and expiry. How a
// human pays is given to the suite.
import { layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { expect } from "vitest"
import type { Payment } from "#core/domain/ordering/Quote.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor, type SessionRequest } from "#core/ports/ordering/PaymentProcessor.ts"
import { concurrently, times } from "../StoreSuite.ts"

/** `R` is what else the payment needs, such as the processor's page. */
export type Pay<R = never> = (
  quoteId: QuoteId,
  amountCents: number
) => Effect.Effect<Payment, unknown, PaymentProcessor | R>

const request = (quoteId: string, amountCents = 300): SessionRequest => ({
  quoteId: QuoteId.make(quoteId),
  endedSessionId: null,
  amountCents,
  currency: "EUR",
  description: "1 backlink",
  expiresAtMs: Date.UTC(2030, 0),
  pageUrl: `https://shop.example/pay/${quoteId}`
})

/** Pays with a processor that simulates payments. */
export const simulatedPayment: Pay = Effect.fnUntraced(function* (quoteId, amountCents) {
  const { simulatePayment } = yield* PaymentProcessor
  if (simulatePayment === null) throw new Error("the processor simulates no payments")
  return yield* simulatePayment(quoteId, amountCents)
})

export const paymentProcessorSuite = <R = never>(
  name: string,
  processor: Layer.Layer<PaymentProcessor | R>,
  pay: Pay<R>
): void =>
  layer(processor)(`PaymentProcessor of ${name}`, (it) => {
    it.effect("opens one session per quote, for repeated and concurrent calls", () =>
      Effect.gen(function* () {
        const { open } = yield* PaymentProcessor
        const sessions = yield* concurrently(times(50, () => open(request("q_twins"))))
        expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1)
        expect(new Set(sessions.map(({ paymentUrl }) => paymentUrl)).size).toBe(1)
        expect(() => new URL(sessions[0]?.paymentUrl ?? "")).not.toThrow()
        const other = yield* open(request("q_other"))
        expect(other.sessionId).not.toBe(sessions[0]?.sessionId)
        expect(yield* open(request("q_twins"))).toEqual(sessions[0])
      })
    )

    it.effect("expires an unpaid session by its id or its quote's id, and one that was never opened", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const { sessionId } = yield* open(request("q_named"))
        yield* open(request("q_lost"))
        expect(yield* expire({ quoteId: QuoteId.make("q_named"), sessionId })).toEqual({ outcome: "expired" })
        expect(yield* expire({ quoteId: QuoteId.make("q_named"), sessionId })).toEqual({ outcome: "expired" })
        expect(yield* expire({ quoteId: QuoteId.make("q_lost"), sessionId: null })).toEqual({ outcome: "expired" })
        expect(yield* expire({ quoteId: QuoteId.make("q_never"), sessionId: null })).toEqual({ outcome: "expired" })
      })
    )

    it.effect("takes a payment once, and returns the same payment every time", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const { sessionId } = yield* open(request("q_paid", 1_234))
        yield* open(request("q_unpaid", 1_234))
        const payments = yield* concurrently(times(10, () => pay(QuoteId.make("q_paid"), 1_234)))
        const [payment] = payments
        expect(payment).toMatchObject({ quoteId: "q_paid", amountCents: 1_234, currency: "EUR" })
        expect(new Set(payments.map(({ paymentId }) => paymentId)).size).toBe(1)
        expect(yield* expire({ quoteId: QuoteId.make("q_paid"), sessionId })).toEqual({ outcome: "paid", payment })
        expect(yield* expire({ quoteId: QuoteId.make("q_paid"), sessionId: null })).toEqual({
          outcome: "paid",
          payment
        })
        expect(yield* expire({ quoteId: QuoteId.make("q_unpaid"), sessionId: null })).toEqual({ outcome: "expired" })
      })
    )

    it.effect("takes a payment after expiry, from a form left open, and does not lose it", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const session = {
          quoteId: QuoteId.make("q_late"),
          sessionId: (yield* open(request("q_late"))).sessionId
        }
        expect(yield* expire(session)).toEqual({ outcome: "expired" })
        const payment = yield* pay(QuoteId.make("q_late"), 300)
        expect(payment).toMatchObject({ quoteId: "q_late", amountCents: 300, currency: "EUR" })
        expect(yield* expire(session)).toEqual({ outcome: "paid", payment })
      })
    )

    it.effect("orders a concurrent payment and expiry, and returns the payment to every later expiry", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const quoteIds = times(100, (index) => `q_race_${index}`)
        yield* concurrently(quoteIds.map((quoteId) => open(request(quoteId))))
        const ends = yield* concurrently(
          quoteIds.map((quoteId, index) => {
            const rivals = {
              payment: pay(QuoteId.make(quoteId), 300),
              expiry: expire({ quoteId: QuoteId.make(quoteId), sessionId: null })
            }
            const { payment, expiry } = rivals
            const inOrder = index % 2 === 0 ? { payment, expiry } : { expiry, payment }
            return Effect.all(inOrder, { concurrency: "unbounded" })
          })
        )
        for (const [index, { payment, expiry }] of ends.entries()) {
          if (expiry.outcome === "paid") expect(expiry.payment).toEqual(payment)
          const again = yield* expire({ quoteId: QuoteId.make(quoteIds[index] ?? QuoteId.make("")), sessionId: null })
          expect(again).toEqual({ outcome: "paid", payment })
        }
      })
    )
  })
