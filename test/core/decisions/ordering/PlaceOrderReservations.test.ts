// What an open quote reserves, what an order spends, and what an expired quote still holds.
import { describe, expect, it } from "vitest"
import { known } from "#test/core/BookReads.ts"
import { account, given, insertion, item, NOON, orderBy, QUOTE_TTL_MS, stock, welcomeSpent } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"

const withCredit = (cents: number) => given({ accounts: [account("acc_rich", cents, welcomeSpent)] })

describe("an open quote reserves", () => {
  const untilMs = NOON + QUOTE_TTL_MS

  it("the article", () => {
    const { books, quoteId, written } = placed(withCredit(0), orderBy("key_rich", { items: [insertion(11), item()] }))
    expect(known(books.articles, 11).sale).toEqual({ state: "reserved", quoteId, untilMs })
    expect(written).toEqual(["QuoteOpened", "DailyOrderCounted", "DailySpendChanged", "ArticleReserved"])
  })

  it("the use of the code", () => {
    const { books, quoteId } = placed(withCredit(0), orderBy("key_rich", { promoCode: "last" }))
    expect(known(books.promos, "LAST")).toMatchObject({
      redeemed: 0,
      reservations: [{ quoteId, accountId: "acc_rich", untilMs }]
    })
  })

  it("the welcome offer", () => {
    const { books, quoteId, reply } = placed(given(), orderBy("key_poor"))
    expect(reply.quote).toMatchObject({ totalCents: 400, discount: { source: "welcome", amountCents: 100 } })
    expect(known(books.accounts, "acc_poor").welcome).toEqual({ state: "reserved", quoteId, untilMs })
  })

  it("not the welcome offer if a code was applied", () => {
    const rich = given({
      promos: stock.promos.map((one) => ({ ...one, reduction: { kind: "percent", basisPoints: 2_000 } }))
    })
    const { books, reply } = placed(rich, orderBy("key_poor", { promoCode: "TEN" }))
    expect(reply.quote.discount).toMatchObject({ source: "promo", amountCents: 100 })
    expect(known(books.accounts, "acc_poor").welcome).toEqual({ state: "available" })
  })

  it("not the code if the welcome offer was applied", () => {
    const { books, reply } = placed(given(), orderBy("key_poor", { promoCode: "LAST" }))
    expect(reply.quote.discount.source).toBe("welcome")
    expect(known(books.promos, "LAST").reservations).toEqual([])
  })
})

describe("an order spends at once", () => {
  const rich = given({ accounts: [account("acc_rich", 10_000)] })

  it("the article", () => {
    const { books, quoteId, written } = placed(rich, orderBy("key_rich", { items: [insertion(11)] }))
    expect(known(books.articles, 11).sale).toEqual({ state: "sold", quoteId })
    expect(written).not.toContain("ArticleReserved")
  })

  it("the welcome offer", () => {
    const { books, quoteId, reply } = placed(rich, orderBy("key_rich"))
    expect(reply.quote).toMatchObject({ totalCents: 400, creditCents: 400 })
    expect(known(books.accounts, "acc_rich").welcome).toEqual({ state: "spent", quoteId })
    expect(placed(books, orderBy("key_rich")).reply.quote.discount.source).toBe("none")
  })

  it("the promo use", () => {
    const { books } = placed(given(), orderBy("key_rich", { promoCode: "LAST" }))
    const { redeemed, redeemedBy, reservations } = known(books.promos, "LAST")
    expect([redeemed, [...redeemedBy], reservations]).toEqual([1, ["acc_rich"], []])
  })
})

describe("an expired quote that is not swept yet", () => {
  it("leaves its article and the welcome offer to the next order", () => {
    const early = NOON - QUOTE_TTL_MS
    const before = given({ accounts: [account("acc_rich", 10_000, welcomeSpent), account("acc_poor", 0)] })
    const first = placed(before, orderBy("key_poor", { items: [insertion(11)] }), early)
    const second = placed(first.books, orderBy("key_poor", { items: [insertion(11)] }), NOON)
    expect(second.reply.quote.discount.source).toBe("welcome")
    expect(known(second.books.articles, 11).sale).toMatchObject({ state: "reserved", quoteId: second.quoteId })
    expect(known(second.books.accounts, "acc_poor").welcome).toMatchObject({ quoteId: second.quoteId })
  })
})
