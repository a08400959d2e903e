// A cancelled link credits its net price once, however it was paid. An order without remaining links is cancelled.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { cancelLink, cancelOrder } from "#core/decisions/ordering/CancelLinks.ts"
import { moveLink } from "#core/decisions/ordering/MoveLink.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import type { Stage } from "#core/domain/ordering/Link.ts"
import { LinkId, OrderId, PaymentId } from "#core/domain/shared/Ids.ts"
import { tier2 } from "#test/core/Arbitraries.ts"
import { eventsOf, known, ledgerOf, movements } from "#test/core/BookReads.ts"
import {
  account,
  article,
  given,
  insertion,
  item,
  NOON,
  orderBy,
  promo,
  render,
  rules,
  stock
} from "#test/core/Given.ts"
import { type Placed, placed, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const cancelling = { reason: "site went away", actor: "olga", render }

/** 10 % off 42.77 EUR are 4.28 (4.277): 0.50, 0.77 and 3.00 (0.5003…, 0.7775…, 3.0021…), and the remaining cent to the second. */
const start = placed(
  given(),
  orderBy("key_rich", { items: [item(), insertion(12), item({ siteId: 3 })], promoCode: "TEN" })
)
const orderId = start.reply.order?.orderId ?? OrderId.make("")
const linkAt = (index: number) => start.reply.links[index]?.linkId ?? LinkId.make("")

const cancel = (books: Books, index: number) => when(books, cancelLink(linkAt(index), cancelling))
const cancelAll = (books: Books) => when(books, cancelOrder(orderId, cancelling))
const balance = (books: Books, accountId = "acc_rich") => known(books.accounts, accountId).wallet.balanceCents

const moveTo = (books: Books, index: number, to: Stage) => {
  const publishedUrl =
    to === "published" || to === "verified" ? `https://${start.reply.links[index]?.domain}/post` : null
  return when(books, moveLink({ linkId: linkAt(index), to, publishedUrl, reason: null, actor: null, render })).books
}

/** The books after the card part was paid. */
const payRest = ({ books, quoteId, reply }: Placed): Books => {
  const { cardCents: amountCents } = reply.quote
  if (amountCents === 0) return books
  return when(
    books,
    settlePayment({ paymentId: PaymentId.make("pay_1"), quoteId, amountCents, currency: "EUR" }, rules)
  ).books
}

describe("a cancelled link", () => {
  const then = cancel(start.books, 1)

  it("has the reason and keeps its history", () => {
    expect(then.reply).toMatchObject({ status: "cancelled", statusReason: "site went away", publishedUrl: null })
    expect(then.reply.history.at(-1)).toEqual({ status: "cancelled", atMs: NOON, reason: "site went away" })
    expect(then.reply).toEqual(known(then.books.links, linkAt(1)))
  })

  it("credits its net price, with quote, order and link in the ledger", () => {
    expect(start.reply.links.map(({ netCents }) => netCents)).toEqual([450, 699, 2_700])
    expect(balance(then.books)).toBe(balance(start.books) + 699)
    expect(ledgerOf(then.books, "acc_rich").at(-1)).toMatchObject({
      kind: "recredit",
      amountCents: 699,
      balanceDeltaCents: 699,
      heldDeltaCents: 0,
      quoteId: start.quoteId,
      orderId,
      linkId: linkAt(1)
    })
  })

  it("frees its article, but releases neither code nor welcome offer", () => {
    expect(known(then.books.articles, 12).sale).toEqual({ state: "free" })
    expect(known(then.books.promos, "TEN").redeemed).toBe(1)
    const welcomed = placed(given({ accounts: [account("acc_rich", 10_000)] }), orderBy("key_rich"))
    const all = when(welcomed.books, cancelOrder(welcomed.reply.order?.orderId ?? OrderId.make(""), cancelling))
    expect(known(all.books.accounts, "acc_rich").welcome).toMatchObject({ state: "spent" })
  })

  it("leaves the other links and the order as they are", () => {
    expect([0, 2].map((index) => known(then.books.links, linkAt(index)).status)).toEqual(["assigned", "to_assign"])
    expect(eventsOf(then.books, orderId)).toEqual([])
  })

  it("is cancelled once: cancelling again leaves it as it is, and nothing is written", () => {
    const again = when(then.books, cancelLink(linkAt(1), { ...cancelling, actor: "otto", published: true }))
    expect([again.reply, again.written]).toEqual([then.reply, []])
  })

  it("is not refunded as well once its price came back as credit", () => {
    expect(refused(then.books, cancelLink(linkAt(1), { ...cancelling, refunded: true }))).toMatchObject({
      _tag: "InvalidTransition",
      from: "cancelled",
      reason: expect.stringContaining("came back as credit")
    })
  })

  it("does not free an article that was sold again", () => {
    const resold = placed(then.books, orderBy("key_poor", { items: [insertion(12)], promoCode: "ALL" }))
    const { books } = cancelAll(resold.books)
    expect(known(books.articles, 12).sale).toEqual({ state: "sold", quoteId: resold.quoteId })
  })

  it("is audited", () => {
    expect([...HashMap.values(then.books.audit)]).toMatchObject([
      { actor: "olga", action: "link.cancel", subject: linkAt(1), details: { from: "assigned", net_cents: 699 } }
    ])
  })
})

describe("what can be cancelled", () => {
  it.each(["assigned", "drafted", "in_review", "approved"] as const)("a link that is %s", (stage) => {
    expect(cancel(moveTo(start.books, 2, stage), 2).reply.status).toBe("cancelled")
  })

  it.each(["published", "verified"] as const)("not one that is %s", (stage) => {
    const books = moveTo(start.books, 2, stage)
    expect(refused(books, cancelLink(linkAt(2), cancelling))).toMatchObject({
      _tag: "InvalidTransition",
      from: stage
    })
  })

  it("not an unknown link or order", () => {
    expect(refused(start.books, cancelLink(LinkId.make("lnk_none"), cancelling))).toMatchObject({
      _tag: "LinkNotFound"
    })
    expect(refused(start.books, cancelOrder(OrderId.make("ord_none"), cancelling))).toMatchObject({
      _tag: "OrderNotFound"
    })
  })
})

describe("a cancelled order", () => {
  it("credits every link and raises one event, with the last of them", () => {
    const { books, reply } = cancelAll(start.books)
    expect(reply.links.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"])
    expect(balance(books)).toBe(10_000)
    expect(movements(books, "acc_rich")).toEqual(["capture 3849", "recredit 450", "recredit 699", "recredit 2700"])
    expect(eventsOf(books, orderId)).toEqual(["order.cancelled"])
    const again = when(books, cancelOrder(orderId, cancelling))
    expect([again.reply, again.written]).toEqual([reply, []])
  })

  it("has the same result as cancelling link by link", () => {
    const { books } = cancel(cancel(cancel(start.books, 2).books, 0).books, 1)
    expect(balance(books)).toBe(10_000)
    expect(eventsOf(books, orderId)).toEqual(["order.cancelled"])
  })

  it("keeps links that are online, and is then completed instead of cancelled", () => {
    const { books, reply } = cancelAll(moveTo(start.books, 0, "published"))
    expect(reply.links.map(({ status }) => status)).toEqual(["published", "cancelled", "cancelled"])
    expect(balance(books)).toBe(10_000 - 450)
    expect(eventsOf(books, orderId)).toEqual(["order.published"])
    expect(refused(books, cancelOrder(orderId, cancelling))).toMatchObject({ from: "completed" })
  })

  it("credits nothing for a link that cost nothing", () => {
    const free = placed(given(), orderBy("key_poor", { promoCode: "ALL" }))
    const then = when(free.books, cancelOrder(free.reply.order?.orderId ?? OrderId.make(""), cancelling))
    expect(movements(then.books, "acc_poor")).toEqual([])
    expect(then.written).toEqual(["LinkMoved", "AuditRecorded", "EventRaised", "EventRaised"])
  })

  const someItems = fc.array(fc.record({ siteId: fc.integer({ min: 1, max: 3 }), tier2Links: tier2 }), {
    minLength: 1,
    maxLength: 20
  })
  const purse = fc.constantFrom(0, 33, 500, 1_234, 100_000)
  const code = fc.constantFrom(undefined, "TEN", "THIRD", "FOUR")
  const promos = [
    ...stock.promos,
    promo("THIRD", { reduction: { kind: "percent", basisPoints: 3_333 } }),
    promo("FOUR", { reduction: { kind: "fixed", cents: 400 } })
  ]

  property(
    "returns exactly what was paid, by credit or card, whatever the discount",
    [someItems, purse, code, fc.boolean()],
    (...args) => {
      const [items, cents, promoCode, oneByOne] = args
      const books = given({
        accounts: [account("acc_rich", cents)],
        articles: [article(1)],
        promos
      })
      const quoted = placed(
        books,
        orderBy("key_rich", { items: items.map(item), ...(promoCode === undefined ? {} : { promoCode }) })
      )
      const paid = payRest(quoted)
      const order = [...HashMap.values(paid.orders)]
      const before = balance(paid)
      const after = order.reduce((now, { orderId: id, linkIds }) => {
        if (!oneByOne) return when(now, cancelOrder(id, cancelling)).books
        return linkIds.toReversed().reduce((left, linkId) => when(left, cancelLink(linkId, cancelling)).books, now)
      }, paid)
      expect(order.length).toBe(1)
      expect(balance(after) - before).toBe(quoted.reply.quote.totalCents)
      expect(balance(after)).toBe(cents + quoted.reply.quote.cardCents)
    }
  )
})
