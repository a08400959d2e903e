// Reading Stripe's notices: genuine ones about payments of this service's quotes are payments, others are ignored, and forged, stale
// or contradictory ones are refused. Stripe's own package makes the signatures.
import { Redacted, Result } from "effect"
import Stripe from "stripe"
import { describe, expect, it } from "vitest"
import { noticeReader } from "#adapters/payments/StripeNotices.ts"
import { START_MS } from "./StripeSetup.ts"
import { SECRET_KEY, WEBHOOK_SECRET } from "./StripeStandIn.ts"

const readerWith = (webhookSecret: string, secretKey = SECRET_KEY) =>
  noticeReader({ webhookSecret: Redacted.make(webhookSecret), secretKey: Redacted.make(secretKey) })

const read = readerWith(WEBHOOK_SECRET)

const bytes = (text: string) => new TextEncoder().encode(text)

const sign = (payload: string, { secret = WEBHOOK_SECRET, ageSeconds = 0 } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: START_MS / 1_000 - ageSeconds })

const session = {
  id: "cs_test_1",
  object: "checkout.session",
  client_reference_id: "q_1",
  metadata: { quote_id: "q_1" },
  amount_total: 1_234,
  currency: "eur",
  payment_status: "paid",
  status: "complete",
  livemode: false
}

const event = (over: object = {}, type = "checkout.session.completed") =>
  JSON.stringify({ id: "evt_1", object: "event", type, data: { object: { ...session, ...over } } })

const payment = { paymentId: "cs_test_1", quoteId: "q_1", amountCents: 1_234, currency: "EUR" }

/** Genuine, and received at once. */
const readGenuine = (body: string) => read(bytes(body), sign(body), START_MS)

describe("a genuine notice", () => {
  it("of a paid session is its payment, the same for every event that reports it", () => {
    expect(readGenuine(event())).toEqual(Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" }))
    expect(readGenuine(event({}, "checkout.session.async_payment_succeeded"))).toEqual(
      Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" })
    )
  })

  it("returns amount and currency unchecked", () => {
    const wrong = { ...payment, amountCents: 1_233, currency: "USD" }
    expect(readGenuine(event({ amount_total: 1_233, currency: "usd" }))).toEqual(
      Result.succeed({ _tag: "Payment", payment: wrong, sessionId: "cs_test_1" })
    )
  })

  it.each([
    ["checkout.session.completed", "pending"],
    ["checkout.session.async_payment_failed", "expired"],
    ["checkout.session.expired", "expired"]
  ] as const)("%s of an unpaid session reports it as %s", (type, outcome) => {
    expect(readGenuine(event({ payment_status: "unpaid" }, type))).toEqual(
      Result.succeed({ _tag: "Unpaid", quoteId: "q_1", sessionId: "cs_test_1", outcome })
    )
  })

  it.each([
    [
      "of money that came and is not there",
      event({ payment_status: "unpaid" }, "checkout.session.async_payment_succeeded")
    ],
    ["of a session without a price", event({ payment_status: "no_payment_required" })],
    ["of an unknown type", event({}, "checkout.session.reconsidered")],
    ["of another product's session", event({ metadata: {}, client_reference_id: "cart_7" })],
    ["of another product's session without any reference", event({ metadata: null, client_reference_id: null })],
    ["without an object", JSON.stringify({ type: "checkout.session.completed" })],
    ["of another shape", JSON.stringify({ object: "v2.core.event", type: "v2.core.account.created" })],
    ["that is empty", ""],
    ["that is not JSON", "not json"],
    ["that is not an object", "[]"]
  ])("%s reports no payment", (_what, body) => {
    expect(readGenuine(body)).toEqual(Result.succeed(null))
  })

  it.each([
    ["names two quotes", { client_reference_id: "q_2" }],
    ["names a quote in one place only", { client_reference_id: null }],
    ["names a sandbox quote", { client_reference_id: "q_test_1", metadata: { quote_id: "q_test_1" } }],
    ["has no amount", { amount_total: null }],
    ["has a fractional amount", { amount_total: 12.5 }],
    ["has no currency", { currency: null }],
    ["has no id", { id: "" }],
    ["is of live mode, while the service has a test key", { livemode: true }],
    ["does not say its mode", { livemode: null }],
    ["has an unknown payment status", { payment_status: "perhaps" }]
  ])("about our session that %s is refused", (_what, over) => {
    expect(readGenuine(event(over))).toEqual(Result.fail("contradictory"))
  })
})

describe("a genuine notice of another mode or account", () => {
  const whole = { ...session, livemode: true }
  const about = (over: object, object: object = session) =>
    JSON.stringify({ id: "evt_1", object: "event", type: "checkout.session.completed", data: { object }, ...over })

  it("is refused if the event's mode is not the key's", () => {
    expect(readGenuine(about({ livemode: true }))).toEqual(Result.fail("contradictory"))
    expect(readGenuine(about({ livemode: false }))).toEqual(
      Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" })
    )
  })

  it("is refused by a service with a live key if it is of test mode", () => {
    for (const key of ["sk_live_0", "rk_live_0"]) {
      const live = readerWith(WEBHOOK_SECRET, key)
      const readLive = (body: string) => live(bytes(body), sign(body), START_MS)
      expect(readLive(about({ livemode: false }))).toEqual(Result.fail("contradictory"))
      expect(readLive(about({ livemode: true }, whole))).toEqual(
        Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" })
      )
    }
  })

  it("is refused if it is about a connected account", () => {
    expect(readGenuine(about({ livemode: false, account: "acct_1" }))).toEqual(Result.fail("contradictory"))
  })
})

describe("a genuine notice of money that goes back", () => {
  const charge = { id: "ch_1", amount_refunded: 500, metadata: { quote_id: "q_1" } }
  const dispute = { id: "du_1", charge: "ch_1", amount: 700, status: "lost" }
  const about = (type: string, object: object, over: object = {}) =>
    JSON.stringify({ id: "evt_1", object: "event", type, livemode: false, data: { object }, ...over })

  it("of a refund names the quote and all that was given back", () =>
    expect(readGenuine(about("charge.refunded", charge))).toEqual(
      Result.succeed({
        _tag: "Refund",
        chargeId: "ch_1",
        reversal: { reversalId: "ch_1", quoteId: "q_1", kind: "refund", cents: 500, state: "final" }
      })
    ))

  it.each([
    ["charge.dispute.created", "needs_response", "open"],
    ["charge.dispute.closed", "won", "won"],
    ["charge.dispute.closed", "warning_closed", "won"],
    ["charge.dispute.closed", "lost", "final"]
  ])("of a dispute by %s, %s, is %s", (type, status, state) =>
    expect(readGenuine(about(type, { ...dispute, status }))).toEqual(
      Result.succeed({
        _tag: "Dispute",
        chargeId: "ch_1",
        reversal: { reversalId: "du_1", kind: "dispute", cents: 700, state }
      })
    )
  )

  it("is refused if it is of the other mode or about a connected account", () => {
    for (const over of [{ livemode: true }, { account: "acct_1" }]) {
      expect(readGenuine(about("charge.refunded", charge, over))).toEqual(Result.fail("contradictory"))
      expect(readGenuine(about("charge.dispute.created", dispute, over))).toEqual(Result.fail("contradictory"))
    }
  })

  it("of another product of the same Stripe account is none", () =>
    expect(readGenuine(about("charge.refunded", { ...charge, metadata: {} }))).toEqual(Result.succeed(null)))
})

describe("a notice is refused as forged", () => {
  const body = event()
  const forged = Result.fail("forged")

  it.each([
    ["without a signature", ""],
    ["with a signature of another secret", sign(body, { secret: "whsec_another" })],
    ["with a signature of no secret", sign(body, { secret: "" })],
    ["with a signature of another body", sign(`${body} `)],
    ["with a time other than the signed one", sign(body).replace(/t=\d+/, `t=${START_MS / 1_000 - 1}`)],
    ["without a time", sign(body).replace(/t=\d+,/, "")],
    ["with a time that is not a number", sign(body).replace(/t=\d+/, "t=now")],
    ["with an older scheme only", sign(body).replace("v1=", "v0=")],
    ["with half a signature", sign(body).slice(0, -32)],
    ["with nonsense", "t=,v1=,,=="]
  ])("%s", (_how, signature) => {
    expect(read(bytes(body), signature, START_MS)).toEqual(forged)
  })

  it("where one byte was changed", () => {
    const [signature, changed] = [sign(body), body.replace("1234", "9234")]
    expect(changed).not.toBe(body)
    expect(read(bytes(changed), signature, START_MS)).toEqual(forged)
  })

  it("once it is older than 300 seconds", () => {
    expect(read(bytes(body), sign(body, { ageSeconds: 300 }), START_MS)).toEqual(
      Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" })
    )
    expect(read(bytes(body), sign(body, { ageSeconds: 301 }), START_MS)).toEqual(forged)
  })

  it("signed for more than a minute ahead", () => {
    expect(read(bytes(body), sign(body, { ageSeconds: -60 }), START_MS)).toEqual(
      Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" })
    )
    expect(read(bytes(body), sign(body, { ageSeconds: -61 }), START_MS)).toEqual(forged)
    expect(read(bytes(body), sign(body, { ageSeconds: -86_400 }), START_MS)).toEqual(forged)
  })

  it("where no secret is configured, even if it is signed with none", () => {
    const readWithout = readerWith("")
    expect(readWithout(bytes(body), sign(body, { secret: "" }), START_MS)).toEqual(forged)
  })
})

it("accepts any of several signatures, as Stripe sends during a rotation of the secret", () => {
  const body = event()
  const both = `${sign(body, { secret: "whsec_old" })},${sign(body).split(",")[1]}`
  expect(read(bytes(body), both, START_MS)).toEqual(
    Result.succeed({ _tag: "Payment", payment, sessionId: "cs_test_1" })
  )
})
