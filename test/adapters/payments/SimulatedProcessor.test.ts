// The simulated processor: the conformance suite, its predictable ids, and payments of sessions that it has not opened.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { layer } from "#adapters/payments/SimulatedProcessor.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { paymentProcessorSuite, simulatedPayment } from "#test/core/ports/ordering/PaymentProcessor.suite.ts"

paymentProcessorSuite("the simulated processor", layer, simulatedPayment)

describe("the simulated processor", () => {
  it.effect("links to the given page, and derives the ids of session and payment from the quote", () =>
    Effect.gen(function* () {
      const { open } = yield* PaymentProcessor
      const pageUrl = "https://shop.example/pay/token"
      const amount = { amountCents: 300, currency: "EUR" as const }
      const session = {
        quoteId: QuoteId.make("q_1"),
        endedSessionId: null,
        ...amount,
        description: "1 backlink",
        expiresAtMs: 0,
        pageUrl
      }
      expect(yield* open(session)).toEqual({ sessionId: "sim_q_1", paymentUrl: pageUrl })
      expect(yield* simulatedPayment(QuoteId.make("q_1"), 300)).toEqual({
        paymentId: "simpay_q_1",
        quoteId: "q_1",
        ...amount
      })
    }).pipe(Effect.provide(layer))
  )

  it.effect("takes the payment of a quote whose session an earlier process opened", () =>
    Effect.gen(function* () {
      const { expire } = yield* PaymentProcessor
      const payment = yield* simulatedPayment(QuoteId.make("q_earlier"), 50)
      expect(payment).toMatchObject({ paymentId: "simpay_q_earlier", amountCents: 50 })
      expect(yield* expire({ quoteId: QuoteId.make("q_earlier"), sessionId: null })).toEqual({
        outcome: "paid",
        payment
      })
    }).pipe(Effect.provide(layer))
  )
})
