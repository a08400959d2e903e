// Orders that cost nothing: sandbox orders, which spend nothing, and dry runs, which return the price.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { accountBindingId, type Books, dailyUsageOf } from "#core/decisions/Books.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, KeyId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { someItems } from "#test/core/Arbitraries.ts"
import { known, movements } from "#test/core/BookReads.ts"
import {
  account,
  article,
  given,
  insertion,
  item,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  render,
  rules,
  stock
} from "#test/core/Given.ts"
import { decide, placed, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const TODAY = utcDay(NOON)

/** The parts of the books that a sandbox order must not change. */
const real = ({ accounts, articles, promos, holds, ledger }: Books) => [accounts, articles, promos, holds, ledger]

const money = ({ lines, grossCents, discount, totalCents, creditCents, cardCents }: Quote) => ({
  lines,
  grossCents,
  discount,
  totalCents,
  creditCents,
  cardCents
})

describe("a sandbox order", () => {
  const asked = { items: [insertion(11), item({ siteId: 2 })], promoCode: "LAST" }
  const books = given()

  it("is an order at once if the real credit covers it, and moves no money", () => {
    const then = placed(books, orderBy("key_rich_test", asked))
    const { quote, order, links } = then.reply
    expect(quote).toMatchObject({
      mode: "sandbox",
      status: "paid",
      totalCents: 1_800,
      creditCents: 1_800,
      holdId: null,
      paymentUrl: null
    })
    expect(order?.mode).toBe("sandbox")
    expect(links.map(({ mode, status }) => [mode, status])).toEqual([
      ["sandbox", "assigned"],
      ["sandbox", "to_assign"]
    ])
    expect(real(then.books)).toEqual(real(books))
  })

  it("has sandbox ids", () => {
    const { quote, order, links } = placed(books, orderBy("key_rich_test", asked)).reply
    expect(quote.quoteId).toMatch(/^q_test_/)
    expect(order?.orderId).toMatch(/^ord_test_/)
    expect(links.every(({ linkId }) => linkId.startsWith("lnk_test_"))).toBe(true)
    expect(placed(books, orderBy("key_rich")).quoteId).not.toContain("test")
  })

  it("simulates the requested credit, zero included", () => {
    const split = (sandboxCreditCents: number) => {
      const { quote } = placed(books, orderBy("key_rich_test", { ...asked, sandboxCreditCents })).reply
      return [quote.status, quote.creditCents, quote.cardCents]
    }
    expect(split(0)).toEqual(["awaiting_payment", 0, 1_800])
    expect(split(800)).toEqual(["awaiting_payment", 800, 1_000])
    expect(split(1_790)).toEqual(["awaiting_payment", 1_750, 50])
    expect(split(1_800)).toEqual(["paid", 1_800, 0])
  })

  it("reserves nothing and is paid on the service's own page", () => {
    const then = placed(books, orderBy("key_poor_test", asked))
    const { quote } = then.reply
    expect(quote.paymentUrl).toBe(`https://shop.example/pay/${quote.paymentToken}`)
    expect(real(then.books)).toEqual(real(books))
    const paid = when(
      then.books,
      settlePayment(
        { paymentId: PaymentId.make("p"), quoteId: quote.quoteId, amountCents: quote.cardCents, currency: "EUR" },
        rules
      )
    )
    expect(paid.reply).toMatchObject({ outcome: "settled", quote: { status: "paid" } })
    expect(real(paid.books)).toEqual(real(books))
  })

  it("counts against the day of its key only", () => {
    const then = placed(books, orderBy("key_rich_test", asked))
    expect(dailyUsageOf(then.books, KeyId.make("key_rich_test"), TODAY)).toMatchObject({ quotes: 1, spentCents: 1_800 })
    expect(dailyUsageOf(then.books, KeyId.make("key_rich"), TODAY)).toMatchObject({ quotes: 0, spentCents: 0 })
  })

  it("stores its response at once, because its link is known", () => {
    const input = orderBy("key_poor_test", asked, { idempotency: { key: "purchase 1", fingerprint: "f1" } })
    const then = placed(books, input)
    expect(
      known(
        then.books.bindings,
        accountBindingId({ accountId: AccountId.make("acc_poor"), mode: "sandbox" }, "purchase 1")
      ).response
    ).toEqual(render.response(then.reply))
    expect(when(then.books, placeOrder(input)).reply).toMatchObject({ kind: "replay", quoteId: then.quoteId })
  })

  it("shows the welcome offer as if unused while a live quote reserves it, but not once a live order has spent it", () => {
    const source = (shown: Books) => placed(shown, orderBy("key_poor_test")).reply.quote.discount.source
    const waiting = placed(books, orderBy("key_poor"))
    expect([source(books), source(waiting.books)]).toEqual(["welcome", "welcome"])
    const spent = placed(given({ accounts: [account("acc_poor", 500)] }), orderBy("key_poor"))
    expect(source(spent.books)).toBe("none")
    expect(source(placed(books, orderBy("key_poor_test")).books)).toBe("welcome")
  })

  it("cannot have what a live order has reserved or bought", () => {
    const sold = given({ articles: [article(11, { sale: { state: "sold", quoteId: QuoteId.make("q_1") } })] })
    const refusal = decide(sold, placeOrder(orderBy("key_rich_test", { items: [insertion(11)] })))
    expect(refusal).toMatchObject({ failure: { _tag: "ArticleUnavailable", articleId: 11 } })
  })
})

describe("a dry run", () => {
  it("writes nothing and binds no key", () => {
    const asked = { items: [insertion(11)], promoCode: "TEN", dryRun: true }
    const input = orderBy("key_poor", asked, { idempotency: { key: "purchase 1", fingerprint: "f1" } })
    const then = placed(given(), input)
    expect(then.written).toEqual([])
    expect(then.reply).toMatchObject({ dryRun: true, order: null, links: [], quote: { idempotencyKey: null } })
  })

  it("ignores the idempotency key, bound to the same or another body", () => {
    const bound = placed(given(), orderBy("key_rich", {}, { idempotency: { key: "purchase 1", fingerprint: "f1" } }))
    const dry = (fingerprint: string) =>
      placed(bound.books, orderBy("key_rich", { dryRun: true }, { idempotency: { key: "purchase 1", fingerprint } }))
    expect([dry("f1").reply.dryRun, dry("f2").reply.dryRun]).toEqual([true, true])
  })

  const key = fc.constantFrom(...stock.keys.map(({ keyId }) => keyId))
  const code = fc.constantFrom(undefined, "TEN", "fiver", "LAST", "GONE", "ALL", "NOPE")
  const balance = fc.constantFrom(0, 40, 460, 1_000, 5_000, 50_000)

  property("has the result that the order then has, refusals included", [key, someItems, code, balance], (...args) => {
    const [keyId, items, promoCode, cents] = args
    const books = given({
      accounts: [account("acc_rich", cents), account("acc_poor", cents)],
      articles: [article(1), article(2, { priceCents: 33 }), article(3, { siteId: 2 })]
    })
    const asked = { items, ...(promoCode === undefined ? {} : { promoCode }) }
    const dry = decide(books, placeOrder(orderBy(keyId, { ...asked, dryRun: true })))
    const wet = decide(books, placeOrder(orderBy(keyId, asked)))
    if (dry._tag === "Failure" || wet._tag === "Failure") {
      expect(dry).toEqual(wet)
      return
    }
    const [told, made] = [dry.success.reply, wet.success.reply]
    if (told.kind !== "placed" || made.kind !== "placed") throw new Error("neither has a key to replay")
    expect(money(told.placement.quote)).toEqual(money(made.placement.quote))
    expect(dry.success.changes).toEqual([])
    expect(dry.success.books).toBe(books)
  })

  it("is refused for a reservation, but not for a lapsed one", () => {
    const reserved = placed(given(), orderBy("key_poor", { items: [insertion(11)] }))
    const dry = orderBy("key_rich", { items: [insertion(11)], dryRun: true })
    expect(decide(reserved.books, placeOrder(dry))).toMatchObject({ failure: { _tag: "ArticleUnavailable" } })
    expect(placed(reserved.books, dry, NOON + QUOTE_TTL_MS).reply.quote.totalCents).toBe(500)
    expect(movements(reserved.books, "acc_rich")).toEqual([])
  })
})
