// The answer to an order as text: what is frozen is what was meant, to the byte.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { encodeQuoteAnswer, QuoteAnswer } from "#adapters/contract/QuoteAnswer.ts"

const answer: QuoteAnswer = {
  ok: true,
  quote_id: "q_1",
  status: "awaiting_payment",
  currency: "EUR",
  gross_total_eur: 20,
  total_eur: 18,
  discount_eur: 2,
  credit_applied_cents: 500,
  card_amount_cents: 1_300,
  discount: {
    source: "promo",
    label: "Promo code TEN",
    considered: [
      { source: "promo", code: "TEN", amount_eur: 2, applied: true },
      { source: "welcome", amount_eur: 1.99, applied: false }
    ]
  },
  payment_url: "https://pay.example/p/token",
  items_count: 1,
  expires_at: "2026-11-22T09:00:00.000Z",
  warnings: [{ code: "duplicate_target", message: "Twice." }],
  summary: "1 link for 18.00 EUR — “à payer”.",
  next_action: { type: "open_payment_url", url: "https://pay.example/p/token", tell_user: "Pay." },
  sandbox: false
}

describe("encodeQuoteAnswer", () => {
  it("is the answer, with nothing added and nothing lost", () => {
    const text = encodeQuoteAnswer(answer)
    assert.deepStrictEqual(JSON.parse(text), answer)
    assert.deepStrictEqual(Schema.decodeUnknownSync(QuoteAnswer)(JSON.parse(text)), answer)
  })

  it("gives the same bytes however the value was put together", () => {
    const backwards = Object.fromEntries(Object.entries(answer).reverse())
    assert.strictEqual(encodeQuoteAnswer({ ...answer, ...backwards }), encodeQuoteAnswer(answer))
    const shuffled = Schema.decodeUnknownSync(QuoteAnswer)(backwards)
    assert.strictEqual(encodeQuoteAnswer(shuffled), encodeQuoteAnswer(answer))
  })

  it("refuses what no client could read", () => {
    assert.throws(() => encodeQuoteAnswer({ ...answer, total_eur: Number.NaN }))
    assert.throws(() => encodeQuoteAnswer({ ...answer, items_count: 1.5 }))
  })
})
