// What PaymentProcessor promises of every processor: one session for a quote however often it is asked for, and of a payment
// and an expiry a consistent end. How a human pays is the processor's own, and given to the suite.
import { layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { expect } from "vitest"
import type { Payment } from "#core/domain/Quote.ts"
import { PaymentProcessor, type SessionRequest } from "#core/ports/PaymentProcessor.ts"
import { times, together } from "./StoreSuite.ts"

/** `R` is what else the human needs, such as a page to pay at. */
export type Pay<R = never> = (
  quoteId: string,
  amountCents: number
) => Effect.Effect<Payment, unknown, PaymentProcessor | R>

const request = (quoteId: string, amountCents = 300): SessionRequest => ({
  quoteId,
  amountCents,
  currency: "EUR",
  description: "1 backlink",
  expiresAtMs: Date.UTC(2030, 0),
  pageUrl: `https://shop.example/pay/${quoteId}`
})

export const paymentProcessorSuite = <R = never>(
  name: string,
  processor: Layer.Layer<PaymentProcessor | R>,
  pay: Pay<R>
): void =>
  layer(processor)(`PaymentProcessor of ${name}`, (it) => {
    it.effect("opens one session for a quote, however often and at once it is asked", () =>
      Effect.gen(function* () {
        const { open } = yield* PaymentProcessor
        const sessions = yield* together(times(50, () => open(request("q_twins"))))
        expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(1)
        expect(new Set(sessions.map(({ paymentUrl }) => paymentUrl)).size).toBe(1)
        expect(() => new URL(sessions[0]?.paymentUrl ?? "")).not.toThrow()
        const other = yield* open(request("q_other"))
        expect(other.sessionId).not.toBe(sessions[0]?.sessionId)
        expect(yield* open(request("q_twins"))).toEqual(sessions[0])
      })
    )

    it.effect("expires an unpaid session, found by its id or by its quote's, and one that was never opened", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const { sessionId } = yield* open(request("q_named"))
        yield* open(request("q_lost"))
        expect(yield* expire({ quoteId: "q_named", sessionId })).toEqual({ closed: "expired" })
        expect(yield* expire({ quoteId: "q_named", sessionId })).toEqual({ closed: "expired" })
        expect(yield* expire({ quoteId: "q_lost", sessionId: null })).toEqual({ closed: "expired" })
        expect(yield* expire({ quoteId: "q_never", sessionId: null })).toEqual({ closed: "expired" })
      })
    )

    it.effect("takes a payment once, and tells of it the same way every time", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const { sessionId } = yield* open(request("q_paid", 1_234))
        yield* open(request("q_unpaid", 1_234))
        const payments = yield* together(times(10, () => pay("q_paid", 1_234)))
        const [payment] = payments
        expect(payment).toMatchObject({ quoteId: "q_paid", amountCents: 1_234, currency: "EUR" })
        expect(new Set(payments.map(({ paymentId }) => paymentId)).size).toBe(1)
        expect(yield* expire({ quoteId: "q_paid", sessionId })).toEqual({ closed: "paid", payment })
        expect(yield* expire({ quoteId: "q_paid", sessionId: null })).toEqual({ closed: "paid", payment })
        expect(yield* expire({ quoteId: "q_unpaid", sessionId: null })).toEqual({ closed: "expired" })
      })
    )

    it.effect("still takes the payment of a form that was left open, and never loses it", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const session = { quoteId: "q_late", sessionId: (yield* open(request("q_late"))).sessionId }
        expect(yield* expire(session)).toEqual({ closed: "expired" })
        const payment = yield* pay("q_late", 300)
        expect(payment).toMatchObject({ quoteId: "q_late", amountCents: 300, currency: "EUR" })
        expect(yield* expire(session)).toEqual({ closed: "paid", payment })
      })
    )

    it.effect("lets exactly one of payment and expiry be first, and tells every later expiry of the payment", () =>
      Effect.gen(function* () {
        const { open, expire } = yield* PaymentProcessor
        const quoteIds = times(100, (index) => `q_race_${index}`)
        yield* together(quoteIds.map((quoteId) => open(request(quoteId))))
        const ends = yield* together(
          quoteIds.map((quoteId, index) => {
            const rivals = { payment: pay(quoteId, 300), closed: expire({ quoteId, sessionId: null }) }
            const { payment, closed } = rivals
            const inOrder = index % 2 === 0 ? { payment, closed } : { closed, payment }
            return Effect.all(inOrder, { concurrency: "unbounded" })
          })
        )
        for (const [index, { payment, closed }] of ends.entries()) {
          if (closed.closed === "paid") expect(closed.payment).toEqual(payment)
          const again = yield* expire({ quoteId: quoteIds[index] ?? "", sessionId: null })
          expect(again).toEqual({ closed: "paid", payment })
        }
      })
    )
  })
