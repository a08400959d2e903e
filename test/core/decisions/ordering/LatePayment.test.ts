// A payment after the expiry of its quote is never lost: it settles the quote if everything is still available, else it becomes credit.
import { HashMap } from "effect"
import { describe, expect, it } from "vitest"
import { type Books, dailyUsageOf } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import type { AbandonedBy } from "#core/domain/ordering/Quote.ts"
import { utcDay } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, HoldId, KeyId, OrderId, PaymentId } from "#core/domain/shared/Ids.ts"
import { eventsOf, known, movements } from "#test/core/BookReads.ts"
import {
  account,
  given,
  HOUR_MS,
  insertion,
  item,
  key,
  NOON,
  orderBy,
  promo,
  QUOTE_TTL_MS,
  rules,
  type stock,
  subscription,
  welcomeSpent
} from "#test/core/Given.ts"
import { type Placed, placed, when } from "#test/core/RunDecision.ts"

const LATE = NOON + QUOTE_TTL_MS + HOUR_MS

const pay = ({ quoteId, reply }: Placed, books: Books, paymentId = PaymentId.make("pay_1"), atMs = LATE) =>
  when(books, settlePayment({ paymentId, quoteId, amountCents: reply.quote.cardCents, currency: "EUR" }, rules), atMs)

const sweep = ({ quoteId }: Placed, books: Books, by: AbandonedBy = "expiry") =>
  when(books, abandonQuote(quoteId, by), LATE).books

/** `acc_rich` has 10.00 EUR and orders an insertion and a Nautilus link for 35.00, which the welcome offer reduces to 28.00. */
const shopOf = (over: Partial<Parameters<typeof given>[0]> = {}) =>
  given({
    accounts: [account("acc_rich", 1_000), account("acc_poor", 10_000, welcomeSpent)],
    subscriptions: [subscription("wh_1")],
    ...over
  })
const first = placed(shopOf(), orderBy("key_rich", { items: [insertion(11), item({ siteId: 3 })] }))
const TODAY = utcDay(NOON)

const spentToday = (books: Books) => dailyUsageOf(books, KeyId.make("key_rich"), TODAY).spentCents
const walletOf = (books: Books) => known(books.accounts, "acc_rich").wallet

describe("a late payment, with everything available", () => {
  it("settles a quote that is not swept yet, with its open hold", () => {
    const { reply, books, written } = pay(first, first.books)
    expect(reply).toMatchObject({ outcome: "settled", quote: { status: "paid", creditedCents: 0 } })
    expect(written).not.toContain("HoldPlaced")
    expect(movements(books, "acc_rich")).toEqual(["hold 1000", "capture 1000"])
    expect(spentToday(books)).toBe(2_800)
  })

  it("settles a swept quote: takes credit, article and welcome offer again and counts its spend again", () => {
    const swept = sweep(first, first.books)
    expect([walletOf(swept), spentToday(swept)]).toEqual([{ balanceCents: 1_000, heldCents: 0 }, 0])
    const { reply, books } = pay(first, swept)
    expect(reply).toMatchObject({ outcome: "settled", quote: { status: "paid", abandonedBy: null, creditedCents: 0 } })
    expect(movements(books, "acc_rich")).toEqual(["hold 1000", "release 1000", "capture 1000"])
    expect(walletOf(books)).toEqual({ balanceCents: 0, heldCents: 0 })
    expect(known(books.articles, 11).sale).toEqual({ state: "sold", quoteId: first.quoteId })
    expect(known(books.accounts, "acc_rich").welcome).toEqual({
      state: "spent",
      quoteId: first.quoteId
    })
    expect(spentToday(books)).toBe(2_800)
    expect(eventsOf(books, reply.quote.orderId ?? OrderId.make(""))).toEqual(["order.accepted"])
  })

  it("spends free credit, and names the released hold no more", () => {
    const { reply, books, written } = pay(first, sweep(first, first.books))
    expect(reply.quote.holdId).toBeNull()
    expect(written).not.toContain("HoldPlaced")
    expect(known(books.holds, first.reply.quote.holdId ?? "").state).toBe("released")
  })

  it("needs no hold if no credit was used", () => {
    const broke = given({ accounts: [account("acc_poor", 0)] })
    const waiting = placed(broke, orderBy("key_poor"))
    expect(pay(waiting, sweep(waiting, waiting.books)).reply.outcome).toBe("settled")
  })

  it("counts once", () => {
    const { books, reply } = pay(first, sweep(first, first.books))
    expect(pay(first, books).reply).toEqual({ quote: reply.quote, outcome: "repeated" })
    expect(pay(first, books, PaymentId.make("pay_2")).reply).toMatchObject({
      outcome: "credited",
      quote: { status: "paid" }
    })
  })
})

describe("a late payment, with something unavailable", () => {
  const expectCredit = (books: Books, atMs = LATE) => {
    const then = pay(first, books, PaymentId.make("pay_1"), atMs)
    const { quote } = then.reply
    expect(then.reply).toMatchObject({
      outcome: "credited",
      quote: { status: "abandoned", orderId: null, creditedCents: 1_800 }
    })
    expect(movements(then.books, "acc_rich").at(-1)).toBe("late_payment 1800")
    expect(HashMap.size(then.books.orders)).toBe(HashMap.size(books.orders))
    expect(known(then.books.holds, first.reply.quote.holdId ?? HoldId.make("")).state).toBe("released")
    expect(spentToday(then.books)).toBe(spentToday(sweep(first, books)))
    return { ...then, quote }
  }

  const others: ReadonlyArray<readonly [string, (books: Books) => Books]> = [
    ["the article is another's", (books) => placed(books, orderBy("key_poor", { items: [insertion(11)] }), LATE).books],
    [
      "the welcome offer is another quote's",
      (books) => placed(books, orderBy("key_rich", { items: [item({ siteId: 3 })] }), LATE).books
    ],
    ["the article is no longer listed", (books) => ({ ...books, articles: HashMap.remove(books.articles, 11) })]
  ]

  it.each(others)("becomes credit, whether the quote was swept or not: %s", (_, take) => {
    for (const books of [take(first.books), take(sweep(first, first.books))]) {
      const { quote } = expectCredit(books)
      expect(quote.abandonedBy).toBe("expiry")
    }
  })

  it("becomes credit if the credit part is spent", () => {
    const swept = sweep(first, first.books)
    const { books, reply } = placed(swept, orderBy("key_rich", { items: [insertion(12)], promoCode: "ALL" }), LATE)
    expect(reply.quote.totalCents).toBe(0)
    expect(pay(first, books).reply.outcome).toBe("settled")
    const drained = placed(swept, orderBy("key_rich", { items: [item()], promoCode: "TEN" }), LATE)
    expect(walletOf(drained.books).balanceCents).toBe(600)
    expectCredit(drained.books)
  })

  it("releases what a quote that is not swept yet still reserved", () => {
    const taken = placed(first.books, orderBy("key_poor", { items: [insertion(11)] }), LATE).books
    const { books, written } = expectCredit(taken)
    expect(written.slice(0, 3)).toEqual(["PaymentRecorded", "QuoteAbandoned", "DailySpendChanged"])
    expect(movements(books, "acc_rich")).toEqual(["hold 1000", "release 1000", "late_payment 1800"])
    expect(walletOf(books)).toEqual({ balanceCents: 2_800, heldCents: 0 })
    expect(known(books.accounts, "acc_rich").welcome).toEqual({ state: "available" })
    expect(known(books.articles, 11).sale).toMatchObject({ state: "sold" })
  })

  it.each(["human", "agent"] as const)(
    "the %s abandoned the quote: becomes credit, though everything is available",
    (by) => {
      const { quote } = expectCredit(when(first.books, abandonQuote(first.quoteId, by), NOON + HOUR_MS).books)
      expect(quote.abandonedBy).toBe(by)
      expectCredit(when(first.books, abandonQuote(first.quoteId, by), NOON).books, NOON + HOUR_MS)
    }
  )

  it("counts once; a second payment makes the order if everything is available by then", () => {
    const blocking = placed(
      first.books,
      orderBy("key_poor", { items: [insertion(11), item({ siteId: 3, tier2Links: 5 })] }),
      LATE
    )
    const { books } = expectCredit(blocking.books)
    expect(pay(first, books).reply.outcome).toBe("repeated")
    const free = {
      ...books,
      articles: HashMap.set(books.articles, 11, { ...known(books.articles, 11), sale: { state: "free" } as const })
    }
    const second = pay(first, free, PaymentId.make("pay_2"))
    expect(second.reply).toMatchObject({ outcome: "settled", quote: { status: "paid", creditedCents: 1_800 } })
  })
})

describe("a code and a late payment", () => {
  const poorShop = (over: Partial<(typeof stock.promos)[number]>) =>
    given({
      accounts: [account("acc_rich", 0, welcomeSpent), account("acc_poor", 10_000, welcomeSpent)],
      promos: [promo("TEN", over)]
    })
  const outcome = (books: Books, between: (books: Books) => Books = (same) => same) => {
    const waiting = placed(books, orderBy("key_rich", { promoCode: "TEN" }))
    return pay(waiting, between(sweep(waiting, waiting.books))).reply.outcome
  }
  const redeem = (books: Books) => placed(books, orderBy("key_poor", { promoCode: "TEN" }), LATE).books

  it.each([
    ["still good", {}, redeem, "settled"],
    ["limited, with one left", { maxRedemptions: 2 }, redeem, "settled"],
    ["its last use gone meanwhile", { maxRedemptions: 1 }, redeem, "credited"],
    ["ended meanwhile", { endsAtMs: LATE }, undefined, "credited"],
    ["ending a millisecond later", { endsAtMs: LATE + 1 }, undefined, "settled"],
    ["once per account, used by another", { oncePerAccount: true }, redeem, "settled"]
  ])("%s", (_, over, between, expected) => {
    expect(outcome(poorShop(over), between)).toBe(expected)
  })

  it("no longer listed", () => {
    expect(outcome(poorShop({}), (books) => ({ ...books, promos: HashMap.empty() }))).toBe("credited")
  })
})

describe("credit that was topped up meanwhile", () => {
  it("is held again for a quote that lost its hold", () => {
    const spentElsewhere = given({
      accounts: [account("acc_rich", 200, welcomeSpent)],
      keys: [key("key_rich", "acc_rich")]
    })
    const waiting = placed(spentElsewhere, orderBy("key_rich"))
    const swept = sweep(waiting, waiting.books)
    const other = placed(swept, orderBy("key_rich", { items: [insertion(13)] }), LATE)
    expect(walletOf(other.books)).toEqual({ balanceCents: 180, heldCents: 0 })
    expect(pay(waiting, other.books).reply.outcome).toBe("credited")
    const filled = when(
      other.books,
      topUp({ accountId: AccountId.make("acc_rich"), cents: 20, reference: "cash", actor: null }),
      LATE
    )
    expect(pay(waiting, filled.books).reply.outcome).toBe("settled")
  })
})
