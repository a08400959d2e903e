// The Stripe adapter: the conformance suite, and its requests: one session per quote, which derives from the quote alone and ends
// with it, also where Stripe refuses the quote's expiry.
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { PaymentId, PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { PaymentProcessor } from "#core/ports/ordering/PaymentProcessor.ts"
import { type Pay, paymentProcessorSuite } from "#test/core/ports/ordering/PaymentProcessor.suite.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import * as MovableClock from "#test/scenarios/MovableClock.ts"
import { adapter, request, START_MS } from "./StripeSetup.ts"
import { layerAt, StripeStandIn } from "./StripeStandIn.ts"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A payment at Stripe's page, also of an expired session, as the suite requires. */
const payAtStripe: Pay<StripeStandIn> = Effect.fnUntraced(function* (quoteId, amountCents) {
  const { account } = yield* StripeStandIn
  const [session] = account.sessionsOf(quoteId)
  const paymentId = PaymentId.make(session?.id ?? (yield* Effect.die(`no session of ${quoteId}`)))
  account.pay(paymentId, { late: true })
  return { paymentId, quoteId, amountCents, currency: "EUR" }
})

/** The suite's quotes expire at the end of 2029. */
const SUITE_END_MS = Date.UTC(2030, 0)

/** The adapter over a stand-in, both on the test's clock. */
const over = (nowMs: () => number) =>
  adapter().pipe(Layer.provideMerge(layerAt(nowMs)), Layer.provideMerge(MovableClock.layer))

paymentProcessorSuite(
  "Stripe",
  over(() => SUITE_END_MS - 12 * HOUR_MS),
  payAtStripe
)
paymentProcessorSuite(
  "Stripe, asked for quotes that end too soon",
  over(() => SUITE_END_MS - 12 * MINUTE_MS),
  payAtStripe
)

const open = (...args: Parameters<typeof request>) =>
  Effect.flatMap(PaymentProcessor, ({ open }) => open(request(...args)))

/** Runs a test over a stand-in whose clock the test may set. */
const scene = <A, E>(test: Effect.Effect<A, E, PaymentProcessor | StripeStandIn>, clock = { nowMs: START_MS }) =>
  test.pipe(Effect.provide(over(() => clock.nowMs)))

describe("a session", () => {
  it.live("describes its quote: reference, amount, expiry, and the pages to return to", () =>
    scene(
      Effect.gen(function* () {
        const { account, server, url } = yield* StripeStandIn
        const session = yield* open("q_1")
        expect(new URL(session.paymentUrl).origin).toBe(url)
        const [asked] = server.asked
        expect([asked?.method, asked?.path, asked?.idempotencyKey]).toEqual(["POST", "/v1/checkout/sessions", "q_1"])
        expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
          mode: "payment",
          client_reference_id: "q_1",
          "metadata[quote_id]": "q_1",
          "payment_intent_data[metadata][quote_id]": "q_1",
          "line_items[0][quantity]": "1",
          "line_items[0][price_data][currency]": "eur",
          "line_items[0][price_data][unit_amount]": "1234",
          "line_items[0][price_data][product_data][name]": "2 backlinks",
          "adaptive_pricing[enabled]": "false",
          success_url: "https://shop.example/pay/token-of-q_1?returned=paid",
          cancel_url: "https://shop.example/pay/token-of-q_1",
          expires_at: String((START_MS + 24 * HOUR_MS - MINUTE_MS) / 1_000)
        })
        expect(account.sessions.map(({ id }) => id)).toEqual([session.sessionId])
      })
    )
  )

  it.live("is requested with the same parameters by every instance at any time", () => {
    const clock = { nowMs: START_MS }
    return scene(
      Effect.gen(function* () {
        const { account, server } = yield* StripeStandIn
        const first = yield* open("q_1")
        clock.nowMs += 23 * HOUR_MS
        expect(yield* open("q_1").pipe(Effect.provide(adapter()))).toEqual(first)
        expect(new Set(server.asked.map(({ body }) => body)).size).toBe(1)
        expect(account.sessions.length).toBe(1)
      }),
      clock
    )
  })

  const expiries = {
    "in ten minutes": START_MS + 10 * MINUTE_MS,
    "in thirty days": START_MS + 720 * HOUR_MS,
    "before now": START_MS - HOUR_MS
  }
  for (const [when, expiresAtMs] of Object.entries(expiries)) {
    for (const savesRefusals of [false, true]) {
      const saved = savesRefusals ? "that Stripe saves" : "that Stripe does not save"
      it.live(
        `of a quote that ends ${when} lasts Stripe's 24 hours after a refusal ${saved}, and stays the only session`,
        () =>
          scene(
            Effect.gen(function* () {
              const { account, server } = yield* StripeStandIn
              server.savesRefusals = savesRefusals
              const sessions = yield* concurrently(times(5, () => open("q_1", { expiresAtMs })))
              expect(yield* open("q_1", { expiresAtMs })).toEqual(sessions[0])
              expect(account.sessions.map(({ id }) => id)).toEqual([...new Set(sessions.map((one) => one.sessionId))])
              expect(account.sessions[0]?.expires_at).toBe((START_MS + 24 * HOUR_MS) / 1_000)
            })
          )
      )
    }
  }

  it.live("is found again after the service's address or wording has changed", () =>
    scene(
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const first = yield* open("q_1")
        for (const over of [{ pageUrl: "https://new.example/pay/token" }, { description: "Two links" }]) {
          expect(yield* open("q_1", over)).toEqual(first)
        }
        expect(account.sessions.length).toBe(1)
      })
    )
  )

  it.live("that has been paid has no page any more: the link leads to our page, which waits for the notice", () =>
    scene(
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const { sessionId } = yield* open("q_1")
        account.pay(sessionId)
        const pageUrl = "https://new.example/pay/token"
        expect(yield* open("q_1", { pageUrl })).toEqual({
          sessionId,
          paymentUrl: `${pageUrl}?returned=paid`
        })
      })
    )
  )
})

describe("closing a session", () => {
  const close = (quoteId: string, id: string | null = null) => {
    const session = { quoteId: QuoteId.make(quoteId), sessionId: id === null ? null : PaymentSessionId.make(id) }
    return Effect.flatMap(PaymentProcessor, ({ expire }) => expire(session))
  }

  it.live("finds it on any page of Stripe's list", () =>
    scene(
      Effect.gen(function* () {
        const { account, server } = yield* StripeStandIn
        yield* open("q_wanted")
        yield* Effect.all(
          times(230, (index) => open(`q_${index}`)),
          { concurrency: 20 }
        )
        expect(yield* close("q_wanted")).toEqual({ outcome: "expired" })
        expect(account.sessionsOf("q_wanted").map(({ status }) => status)).toEqual(["expired"])
        expect(account.sessions.filter(({ status }) => status === "expired").length).toBe(1)
        expect(server.asked.filter(({ method }) => method === "GET").length).toBe(3)
      })
    )
  )

  it.live("of a pending bank debit returns pending, and paid once the money has come", () =>
    scene(
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const { sessionId } = yield* open("q_1")
        account.pay(sessionId, { by: "debit" })
        expect(yield* close("q_1", sessionId)).toEqual({ outcome: "pending", sessionId })
        expect(yield* close("q_1")).toEqual({ outcome: "pending", sessionId })
        account.arrive(sessionId)
        const payment = { paymentId: sessionId, quoteId: QuoteId.make("q_1"), amountCents: 1_234, currency: "EUR" }
        expect(yield* close("q_1", sessionId)).toEqual({ outcome: "paid", payment })
        expect(yield* close("q_1")).toEqual({ outcome: "paid", payment })
      })
    )
  )

  it.live("of a bank debit that failed returns expired", () =>
    scene(
      Effect.gen(function* () {
        const { account } = yield* StripeStandIn
        const { sessionId } = yield* open("q_1")
        account.pay(sessionId, { by: "debit" })
        account.fail(sessionId)
        expect(yield* close("q_1", sessionId)).toEqual({ outcome: "expired" })
      })
    )
  )

  it.live("that expired by time, or is not Stripe's, returns expired", () => {
    const clock = { nowMs: START_MS }
    return scene(
      Effect.gen(function* () {
        const { sessionId } = yield* open("q_1")
        clock.nowMs += 24 * HOUR_MS
        expect(yield* close("q_1", sessionId)).toEqual({ outcome: "expired" })
        expect(yield* close("q_2", "sim_q_2")).toEqual({ outcome: "expired" })
      }),
      clock
    )
  })
})
