// An open quote is abandoned once: hold, article, code and welcome offer are released, and its spend no longer counts.
import { describe, expect, it } from "vitest"
import { type Books, dailyUsageOf } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import type { AbandonedBy } from "#core/domain/ordering/Quote.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { HoldId, KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import { known, movements } from "#test/core/BookReads.ts"
import {
  account,
  given,
  HOUR_MS,
  insertion,
  item,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  welcomeSpent
} from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const ENDS = NOON + QUOTE_TTL_MS
const everyone: ReadonlyArray<AbandonedBy> = ["human", "agent", "expiry"]

const partly = given({ accounts: [account("acc_rich", 1_000)] })
const open = placed(partly, orderBy("key_rich", { items: [insertion(11), item({ siteId: 3 })] }))
const abandon = (books: Books, by: AbandonedBy, atMs = ENDS, quoteId = open.quoteId) =>
  when(books, abandonQuote(quoteId, by), atMs)

describe.each(everyone)("a quote abandoned by %s", (by) => {
  const then = abandon(open.books, by)

  it("is marked with who did it", () => {
    expect(then.reply).toMatchObject({ status: "abandoned", abandonedBy: by, orderId: null, creditedCents: 0 })
    expect(then.reply).toEqual(known(then.books.quotes, open.quoteId))
  })

  it("releases the hold", () => {
    expect(movements(then.books, "acc_rich")).toEqual(["hold 1000", "release 1000"])
    expect(known(then.books.accounts, "acc_rich").wallet).toEqual({ balanceCents: 1_000, heldCents: 0 })
    expect(known(then.books.holds, open.reply.quote.holdId ?? HoldId.make("")).state).toBe("released")
  })

  it("releases the article and the welcome offer", () => {
    expect(known(then.books.articles, 11).sale).toEqual({ state: "free" })
    expect(known(then.books.accounts, "acc_rich").welcome).toEqual({ state: "available" })
  })

  it("no longer counts as spent, but still as a quote of the day it was made on", () => {
    expect(dailyUsageOf(then.books, KeyId.make("key_rich"), utcDay(NOON))).toMatchObject({ quotes: 1, spentCents: 0 })
    expect(dailyUsageOf(then.books, KeyId.make("key_rich"), utcDay(ENDS))).toMatchObject({ quotes: 0, spentCents: 0 })
  })

  it.each(everyone)("stays as it is when %s abandons it again", (later) => {
    const again = abandon(then.books, later)
    expect(again.written).toEqual([])
    expect(again.reply).toEqual(then.reply)
  })
})

describe("a code", () => {
  it("is released", () => {
    const waiting = placed(
      given({ accounts: [account("acc_rich", 0, welcomeSpent)] }),
      orderBy("key_rich", { promoCode: "LAST" })
    )
    const { books } = abandon(waiting.books, "agent", NOON, waiting.quoteId)
    expect(known(books.promos, "LAST")).toMatchObject({ redeemed: 0, reservations: [] })
    expect(placed(books, orderBy("key_rich", { promoCode: "LAST" })).reply.quote.discount.source).toBe("promo")
  })
})

describe("expiry", () => {
  it("applies from the expiry time on, not before", () => {
    const { reply, written } = abandon(open.books, "expiry", ENDS - 1)
    expect([reply.status, written]).toEqual(["awaiting_payment", []])
  })

  it("leaves what other quotes have taken meanwhile", () => {
    const shop = given({ accounts: [account("acc_rich", 1_000), account("acc_poor", 0)] })
    const first = placed(shop, orderBy("key_rich", { items: [insertion(11), item({ siteId: 3 })] }))
    const second = placed(first.books, orderBy("key_poor", { items: [insertion(11)] }), ENDS)
    const third = placed(second.books, orderBy("key_rich", { items: [item({ siteId: 3 })] }), ENDS)
    const { books } = abandon(third.books, "expiry", ENDS + HOUR_MS, first.quoteId)
    expect(known(books.articles, 11).sale).toMatchObject({ state: "reserved", quoteId: second.quoteId })
    expect(known(books.accounts, "acc_rich").welcome).toMatchObject({
      state: "reserved",
      quoteId: third.quoteId
    })
    expect(known(books.accounts, "acc_rich").wallet).toEqual({ balanceCents: 1_000, heldCents: 0 })
  })
})

describe("cannot be abandoned:", () => {
  it("an unknown quote", () => {
    expect(refused(open.books, abandonQuote(QuoteId.make("q_none"), "human"))).toMatchObject({
      _tag: "QuoteNotFound",
      quoteId: "q_none"
    })
  })

  it.each(everyone)("a paid quote, by %s", (by) => {
    const paid = placed(given(), orderBy("key_rich"))
    const { reply, written } = abandon(paid.books, by, ENDS, paid.quoteId)
    expect([reply, written]).toEqual([paid.reply.quote, []])
  })
})

describe("in sandbox", () => {
  it("only the quote and its key's day change", () => {
    const waiting = placed(given(), orderBy("key_poor_test", { items: [insertion(11)] }))
    const { books, written, reply } = abandon(waiting.books, "agent", NOON, waiting.quoteId)
    expect(written).toEqual(["QuoteAbandoned", "DailySpendChanged", "AuditRecorded"])
    expect(reply.status).toBe("abandoned")
    expect(dailyUsageOf(books, KeyId.make("key_poor_test"), utcDay(NOON))).toMatchObject({ quotes: 1, spentCents: 0 })
  })

  it("what a live quote has reserved meanwhile stays reserved", () => {
    const waiting = placed(given(), orderBy("key_poor_test", { items: [insertion(11)] }))
    const live = placed(waiting.books, orderBy("key_poor", { items: [insertion(11)] }))
    const { books } = abandon(live.books, "agent", NOON, waiting.quoteId)
    expect(known(books.articles, 11).sale).toMatchObject({ state: "reserved", quoteId: live.quoteId })
    expect(known(books.accounts, "acc_poor").welcome).toMatchObject({
      state: "reserved",
      quoteId: live.quoteId
    })
  })
})
