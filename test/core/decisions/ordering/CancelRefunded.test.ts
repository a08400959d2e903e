// A link that is cancelled as refunded credits what credit had paid of it, and nothing of what the card had paid.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { recordReversal } from "#core/decisions/ordering/RecordReversal.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { creditedCents } from "#core/domain/ordering/Order.ts"
import type { Tier2 } from "#core/domain/pricing/Cart.ts"
import { LinkId, OrderId, PaymentId, type QuoteId, ReversalId } from "#core/domain/shared/Ids.ts"
import { tier2 } from "#test/core/Arbitraries.ts"
import { known, movements } from "#test/core/BookReads.ts"
import { account, given, item, NOON, orderBy, render, rules } from "#test/core/Given.ts"
import { placed, refused as refusedBy, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const asked = { reason: "site went away", actor: "olga", render }
const refunded = { ...asked, refunded: true }

/** An order that this much credit pays, and the card the rest. */
const paidWith = (cents: number, items: ReadonlyArray<{ readonly siteId: number; readonly tier2Links: Tier2 }>) => {
  const opening = given({ accounts: [account("acc_rich", cents)] })
  const { books, quoteId, reply } = placed(opening, orderBy("key_rich", { items: items.map(item) }))
  const { cardCents, creditCents, totalCents } = reply.quote
  const payment = {
    paymentId: PaymentId.make("pay_1"),
    quoteId,
    amountCents: cardCents,
    currency: "EUR"
  }
  const paid = cardCents === 0 ? books : when(books, settlePayment(payment, rules)).books
  const [order] = HashMap.toValues(paid.orders)
  return {
    paid,
    quoteId,
    creditCents,
    cardCents,
    totalCents,
    order: { orderId: OrderId.make(""), linkIds: [LinkId.make("")], ...order }
  }
}

const balance = (books: Books) => known(books.accounts, "acc_rich").wallet.balanceCents
const cancelEach = (books: Books, linkIds: ReadonlyArray<LinkId>, how: typeof asked) =>
  linkIds.reduce((now, linkId) => when(now, cancelLink(linkId, how)).books, books)
const refund = (books: Books, quoteId: QuoteId, cents: number) =>
  when(books, recordReversal({ reversalId: ReversalId.make("ch_1"), quoteId, kind: "refund", cents, state: "final" }))
    .books

/** The opening's credit is in no ledger, so that other invariants do not hold. */
const broken = (books: Books) =>
  violationsOf(books, NOON).filter(({ invariant }) => ["recredited_once", "money_goes_back_once"].includes(invariant))

const someItems = fc.array(fc.record({ siteId: fc.integer({ min: 1, max: 3 }), tier2Links: tier2 }), {
  minLength: 1,
  maxLength: 20
})
/** Less than an order costs: the card pays a part of each. */
const purse = fc.constantFrom(0, 33, 150)
const someOf = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 })

describe("an order that is cancelled as refunded", () => {
  const lines = [
    { siteId: 1, tier2Links: 0 },
    { siteId: 3, tier2Links: 0 }
  ] as const

  it("credits of each link its share of the order's credit, by net price", () => {
    // 30.00 and 5.00 EUR less the welcome offer are 24.00 and 4.00; 10.01 EUR of credit paid 8.58 and 1.43 of them.
    const { paid, order } = paidWith(1_001, lines)
    const { books, reply } = when(paid, cancelOrder(order.orderId, refunded))
    expect(movements(books, "acc_rich").slice(-2)).toEqual(["recredit 143", "recredit 858"])
    expect(reply.links.map(({ history }) => history.at(-1))).toEqual(
      [143, 858].map((cents) => ({
        status: "cancelled",
        atMs: NOON,
        reason: "site went away",
        refunded: true,
        creditedCents: cents
      }))
    )
    expect(creditedCents(reply.links)).toBe(1_001)
    expect(HashMap.toValues(books.audit).map(({ details }) => details)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ net_cents: 400, refunded: true, credited_cents: 143 }),
        expect.objectContaining({ net_cents: 2_400, refunded: true, credited_cents: 858 })
      ])
    )
  })

  it("credits nothing of a link that the card paid alone", () => {
    const byCard = paidWith(0, lines)
    expect(balance(when(byCard.paid, cancelOrder(byCard.order.orderId, refunded)).books)).toBe(0)
  })

  it("is refused where credit paid alone: no payment of the order was refunded", () => {
    const { paid, order } = paidWith(10_000, lines)
    const [linkId = LinkId.make("")] = order.linkIds
    const refusals = [
      refusedBy(paid, cancelOrder(order.orderId, refunded)),
      refusedBy(paid, cancelLink(linkId, refunded))
    ]
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        _tag: "InvalidTransition",
        reason: expect.stringContaining("without --refunded")
      })
  })

  it("credits no more than earlier credit and the refund left of the money", () => {
    const { paid, quoteId, order, cardCents, totalCents } = paidWith(1_001, lines)
    const [first = LinkId.make(""), second = LinkId.make("")] = order.linkIds
    // The dear link came back in full, 18.42 EUR of it although the card had paid them; then the card got everything back.
    const before = cancelEach(paid, [second], asked)
    const after = cancelEach(refund(before, quoteId, cardCents), [first], refunded)
    expect(balance(after) + cardCents).toBe(totalCents)
    expect(broken(after)).toEqual([])
  })

  property(
    "credits exactly the order's credit, whole or link by link, before or after the refund",
    [someItems, purse, fc.boolean(), fc.boolean()],
    (items, cents, oneByOne, refundedBefore) => {
      const { paid, quoteId, creditCents, cardCents, order } = paidWith(cents, items)
      const told = (books: Books) => (cardCents === 0 ? books : refund(books, quoteId, cardCents))
      const start = refundedBefore ? told(paid) : paid
      const cancelled = oneByOne
        ? cancelEach(start, order.linkIds.toReversed(), refunded)
        : when(start, cancelOrder(order.orderId, refunded)).books
      const after = refundedBefore ? cancelled : told(cancelled)
      expect(balance(after) - balance(paid)).toBe(creditCents)
      for (const link of HashMap.values(after.links)) {
        const credited = creditedCents([link])
        expect(credited >= 0 && credited <= link.netCents).toBe(true)
      }
      expect(broken(after)).toEqual([])
    }
  )

  property(
    "gives the money back once where some links are cancelled with credit, and the others as refunded",
    [someItems, purse, someOf, fc.nat({ max: 100 })],
    (items, cents, mask, percent) => {
      const { paid, quoteId, cardCents, totalCents, order } = paidWith(cents, items)
      const withCredit = order.linkIds.filter((_, index) => mask[index])
      const others = order.linkIds.filter((_, index) => !mask[index])
      const some = cancelEach(paid, withCredit, asked)
      const gone = Math.floor((cardCents * percent) / 100)
      const told = gone === 0 ? some : refund(some, quoteId, gone)
      const after = cancelEach(told, others, refunded)
      expect(balance(after) - balance(paid) + gone).toBeLessThanOrEqual(totalCents)
      expect(broken(after)).toEqual([])
    }
  )
})
