// The switches of the faulty processor: a call while it is down changes nothing; a lost response belongs to a call that was done.
import { describe, it } from "@effect/vitest"
import { Effect, HashMap, Layer, Ref } from "effect"
import { expect } from "vitest"
import { layer as simulated } from "#adapters/payments/SimulatedProcessor.ts"
import { layer as faulty, ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { simulatedPayment as pay, paymentProcessorSuite } from "#test/core/ports/ordering/PaymentProcessor.suite.ts"

const layer = faulty.pipe(Layer.provide(simulated))

const request = {
  quoteId: QuoteId.make("q_1"),
  endedSessionId: null,
  amountCents: 300,
  currency: "EUR" as const,
  description: "1 backlink",
  expiresAtMs: 0,
  pageUrl: "https://shop.example/pay/token"
}
const session = { quoteId: QuoteId.make("q_1"), sessionId: null }

paymentProcessorSuite("a faulty processor without a fault", layer, pay)

describe("a faulty processor", () => {
  it.effect("is unreachable while it is down, and keeps its sessions", () =>
    Effect.gen(function* () {
      const { open, look, expire } = yield* PaymentProcessor
      const { down, sessions } = yield* ProcessorFaults
      const opened = yield* open(request)
      const payment = yield* pay(QuoteId.make("q_1"), 300)
      yield* Ref.set(down, true)
      const unavailable = { _tag: "ProcessorUnavailable", retryAfterSeconds: 1 }
      expect(yield* Effect.flip(open(request))).toMatchObject(unavailable)
      expect(yield* Effect.flip(open({ ...request, quoteId: QuoteId.make("q_2") }))).toMatchObject(unavailable)
      expect(yield* Effect.flip(expire(session))).toMatchObject(unavailable)
      expect(yield* Effect.flip(look({ quoteId: QuoteId.make("q_1"), sessionId: opened.sessionId }))).toMatchObject(
        unavailable
      )
      expect(yield* Effect.flip(pay(QuoteId.make("q_1"), 300))).toMatchObject(unavailable)
      yield* Ref.set(down, false)
      expect(yield* open(request)).toEqual(opened)
      expect(yield* expire(session)).toEqual({ outcome: "paid", payment })
      expect(yield* Ref.get(sessions)).toEqual(HashMap.make(["sim_q_1", 2]))
    }).pipe(Effect.provide(layer))
  )

  it.effect("loses responses as switched, and has still opened one session", () =>
    Effect.gen(function* () {
      const { open } = yield* PaymentProcessor
      const { lostAnswers, sessions } = yield* ProcessorFaults
      yield* Ref.set(lostAnswers, 2)
      expect(yield* Effect.flip(open(request))).toMatchObject({ _tag: "ProcessorUnavailable", quoteId: "q_1" })
      expect(yield* Effect.flip(open(request))).toMatchObject({ _tag: "ProcessorUnavailable", quoteId: "q_1" })
      expect(yield* open(request)).toEqual({ sessionId: "sim_q_1", paymentUrl: request.pageUrl })
      expect(yield* Ref.get(lostAnswers)).toBe(0)
      expect(yield* Ref.get(sessions)).toEqual(HashMap.make(["sim_q_1", 3]))
    }).pipe(Effect.provide(layer))
  )

  it.effect("simulates no payments where the wrapped processor does not", () =>
    Effect.gen(function* () {
      const { simulatePayment } = yield* PaymentProcessor
      expect(simulatePayment).toBeNull()
    }).pipe(
      Effect.provide(
        faulty.pipe(
          Layer.provide(
            Layer.succeed(PaymentProcessor, {
              open: () => Effect.never,
              look: () => Effect.never,
              expire: () => Effect.never,
              simulatePayment: null
            })
          )
        )
      )
    )
  )
})
