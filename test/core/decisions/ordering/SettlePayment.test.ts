// A payment for an open quote makes the order once, however often it is reported; a payment that does not match is refused.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import type { Books } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import type { Payment } from "#core/domain/ordering/Quote.ts"
import { KeyId, OrderId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known, movements } from "#test/core/BookReads.ts"
import {
  account,
  given,
  insertion,
  item,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  rules,
  subscription,
  welcomeSpent
} from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const partly = given({
  accounts: [account("acc_rich", 1_000), account("acc_poor", 0)],
  subscriptions: [subscription("wh_1")]
})

/** `acc_rich` pays 10.00 of 26.22 EUR with credit; the welcome offer and an article are reserved. */
const open = placed(partly, orderBy("key_rich", { items: [insertion(12), item({ siteId: 3, tier2Links: 0 })] }))
const { quoteId } = open
const { quote } = open.reply

const payment = (over: Partial<Payment> = {}): Payment => ({
  paymentId: PaymentId.make("pay_1"),
  quoteId,
  amountCents: quote.cardCents,
  currency: "EUR",
  ...over
})

const pay = (books: Books, over?: Partial<Payment>, atMs?: number) =>
  when(books, settlePayment(payment(over), rules), atMs)

describe("a payment for an open quote", () => {
  const then = pay(open.books, {}, NOON + QUOTE_TTL_MS - 1)
  const paid = then.reply.quote
  const order = known(then.books.orders, paid.orderId ?? OrderId.make(""))

  it("finds credit held and the rest due by card", () => {
    expect(quote).toMatchObject({ grossCents: 3_777, totalCents: 3_022, creditCents: 1_000, cardCents: 2_022 })
  })

  it("settles it: order, capture and sales in one decision", () => {
    expect(then.reply.outcome).toBe("settled")
    expect(then.written).toEqual([
      "PaymentRecorded",
      "OrderPlaced",
      "QuoteSettled",
      "HoldCaptured",
      "ArticleSold",
      "WelcomeSpent",
      "EventRaised",
      "DeliveryQueued"
    ])
    expect(paid).toEqual(known(then.books.quotes, quoteId))
    expect(paid).toMatchObject({ status: "paid", abandonedBy: null, creditedCents: 0 })
  })

  it("makes an order like any other", () => {
    expect(order).toMatchObject({ quoteId, accountId: "acc_rich", keyId: "key_rich", mode: "live", totalCents: 3_022 })
    const links = order.linkIds.map((linkId) => known(then.books.links, linkId))
    expect(links.map(({ status, netCents }) => [status, netCents])).toEqual([
      ["assigned", 622],
      ["to_assign", 2_400]
    ])
    expect(eventsOf(then.books, order.orderId)).toEqual(["order.accepted"])
  })

  it("captures the hold and spends what was reserved", () => {
    expect(movements(then.books, "acc_rich")).toEqual(["hold 1000", "capture 1000"])
    expect(known(then.books.accounts, "acc_rich").wallet).toEqual({ balanceCents: 0, heldCents: 0 })
    expect(known(then.books.articles, 12).sale).toEqual({ state: "sold", quoteId })
    expect(known(then.books.accounts, "acc_rich").welcome).toEqual({ state: "spent", quoteId })
  })

  it("counts once, however often and late it is reported", () => {
    for (const atMs of [NOON, NOON + 9 * QUOTE_TTL_MS]) {
      const again = pay(then.books, {}, atMs)
      expect(again.reply).toEqual({ quote: paid, outcome: "repeated" })
      expect(again.written).toEqual([])
    }
  })

  it("is the same payment when it is reported again with other figures", () => {
    expect(pay(then.books, { amountCents: 1 }).reply.outcome).toBe("repeated")
  })

  it("becomes credit if it is the second one", () => {
    const second = pay(then.books, { paymentId: PaymentId.make("pay_2") }, NOON + QUOTE_TTL_MS)
    expect(second.reply).toMatchObject({ outcome: "credited", quote: { status: "paid", creditedCents: 2_022 } })
    expect(second.written).toEqual(["PaymentRecorded", "Credited", "QuoteCredited"])
    expect(movements(second.books, "acc_rich").at(-1)).toBe("late_payment 2022")
    expect(HashMap.size(second.books.orders)).toBe(1)
    const third = pay(second.books, { paymentId: PaymentId.make("pay_3") }, NOON + 2 * QUOTE_TTL_MS)
    expect(third.reply.quote.creditedCents).toBe(4_044)
  })
})

describe("a code that was reserved", () => {
  it("is spent by the payment", () => {
    const cardOnly = given({ accounts: [account("acc_rich", 0, welcomeSpent)] })
    const waiting = placed(cardOnly, orderBy("key_rich", { promoCode: "last" }))
    const then = pay(waiting.books, {
      quoteId: waiting.quoteId,
      amountCents: waiting.reply.quote.cardCents
    })
    const { redeemed, redeemedBy, reservations } = known(then.books.promos, "LAST")
    expect([redeemed, [...redeemedBy], reservations]).toEqual([1, ["acc_rich"], []])
  })
})

describe("a payment of a closed account", () => {
  const closed = (books: Books): Books => ({
    ...books,
    accounts: HashMap.map(books.accounts, (one) => ({ ...one, closedAtMs: NOON }))
  })

  it("that would become credit is set aside, once, and its quote has ended", () => {
    const late = pay(closed(open.books), {}, NOON + QUOTE_TTL_MS)
    const given = pay(late.books, {}, NOON + QUOTE_TTL_MS)
    expect([late.reply.outcome, given.reply.outcome]).toEqual(["settled", "repeated"])
    const abandoned = when(closed(open.books), abandonQuote(quoteId, "human")).books
    const then = pay(abandoned)
    expect(then.reply).toMatchObject({ outcome: "set_aside", quote: { status: "abandoned", creditedCents: 0 } })
    expect(known(then.books.setAside, "pay_1")).toMatchObject({ quoteId, reason: "closed", outcome: null })
    expect(pay(then.books).reply.outcome).toBe("repeated")
    expect(movements(then.books, "acc_rich")).toEqual(["hold 1000", "release 1000"])
  })
})

describe("a payment is refused", () => {
  it("for an unknown quote", () => {
    const refusal = refused(open.books, settlePayment(payment({ quoteId: QuoteId.make("q_none") }), rules))
    expect(refusal).toMatchObject({ _tag: "QuoteNotFound", quoteId: "q_none" })
  })

  it("for a quote without a card part", () => {
    const covered = placed(given(), orderBy("key_rich"))
    const refusal = refused(covered.books, settlePayment(payment({ quoteId: covered.quoteId, amountCents: 0 }), rules))
    expect(refusal).toMatchObject({ _tag: "QuoteNotFound" })
  })

  it.each([
    ["a cent less", { amountCents: quote.cardCents - 1 }, "amount"],
    ["a cent more", { amountCents: quote.cardCents + 1 }, "amount"],
    ["the whole total", { amountCents: quote.totalCents }, "amount"],
    ["another currency", { currency: "USD" }, "currency"],
    ["a currency in small letters", { currency: "eur" }, "currency"],
    ["another currency and amount", { currency: "USD", amountCents: 1 }, "currency"]
  ])("and set aside, of %s", (_, over, reason) => {
    const then = pay(open.books, over)
    expect([then.reply.outcome, then.written]).toEqual(["set_aside", ["PaymentSetAside"]])
    expect(known(then.books.setAside, "pay_1")).toMatchObject({
      ...payment(over),
      reason,
      outcome: null
    })
    expect(pay(then.books, over).written).toEqual([])
  })

  it.each([0, -300, 300.5])("of %s cents, which are no money", (amountCents) => {
    expect(refused(open.books, settlePayment(payment({ amountCents }), rules))).toMatchObject({
      _tag: "PaymentMismatch",
      quoteId,
      reason: "amount"
    })
  })
})

describe("a key that is revoked", () => {
  it("leaves its open quotes payable", () => {
    const { books } = when(open.books, revokeKey(KeyId.make("key_rich"), null))
    expect(pay(books).reply.outcome).toBe("settled")
  })
})

describe("the fulfilment switch", () => {
  it("applies as of the payment, not of the order", () => {
    const then = pay({ ...open.books, fulfilment: "manual" })
    const statuses = [...HashMap.values(then.books.links)].map(({ status }) => status)
    expect(statuses).toEqual(["to_assign", "to_assign"])
  })
})
