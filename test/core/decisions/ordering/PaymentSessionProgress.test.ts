// What a session without a payment means for its quote: a bank debit keeps it and all that it reserved, an end makes room for another
// session or ends the quote, and any session but the quote's own changes nothing.
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { violationsOf } from "#core/decisions/Invariants.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { endSession, keepWhilePending } from "#core/decisions/ordering/PaymentSessionProgress.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { settlePayment } from "#core/decisions/ordering/SettlePayment.ts"
import { storeSession } from "#core/decisions/ordering/StorePaymentSession.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { AccountId, PaymentId, PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import { known } from "#test/core/BookReads.ts"
import {
  account,
  given,
  HOUR_MS,
  insertion,
  item,
  MINUTE_MS,
  NOON,
  orderBy,
  QUOTE_TTL_MS,
  render,
  rules
} from "#test/core/Given.ts"
import { placed, refused, when } from "#test/core/RunDecision.ts"

const EXPIRY = NOON + QUOTE_TTL_MS

/** `acc_rich` holds 10.00 EUR, and reserves an article and the welcome offer; the session `cs_1` is stored. */
const empty = given({ accounts: [account("acc_rich", 0), account("acc_poor", 0)] })
const partly = when(
  empty,
  topUp({ accountId: AccountId.make("acc_rich"), cents: 1_000, reference: "transfer", actor: null })
).books
const open = placed(partly, orderBy("key_rich", { items: [insertion(12), item({ siteId: 3 })] }))
const { quoteId } = open
const session = (n: number) => ({ quoteId, sessionId: PaymentSessionId.make(`cs_${n}`) })
const stored = (books: Books, n: number, endedSessionId: PaymentSessionId | null, atMs = NOON) => {
  const link = { ...session(n), paymentUrl: `https://pay.example/${n}`, endedSessionId }
  return when(books, storeSession(link, render), atMs).books
}
const own = stored(open.books, 1, null)
const kept = when(own, keepWhilePending(session(1)), NOON + HOUR_MS)

const quoteOf = (books: Books) => known(books.quotes, quoteId)
const reserves = (books: Books) => [
  known(books.articles, 12).sale,
  known(books.accounts, "acc_rich").welcome,
  known(books.accounts, "acc_rich").wallet.heldCents
]

describe("a bank debit under way", () => {
  it("keeps the quote and all that it reserved beyond its expiry", () => {
    expect(kept.reply.outcome).toBe("kept")
    expect(kept.written).toEqual(["PaymentPending", "ArticleReserved", "WelcomeReserved"])
    expect(quoteOf(kept.books)).toMatchObject({
      status: "awaiting_payment",
      paymentPendingAtMs: NOON + HOUR_MS,
      expiresAtMs: EXPIRY
    })
    const late = EXPIRY + 300 * HOUR_MS
    expect(when(kept.books, abandonQuote(quoteId, "expiry"), late).written).toEqual([])
    const theft = orderBy("key_poor", { items: [insertion(12)] })
    expect(refused(kept.books, placeOrder(theft), late)).toMatchObject({
      _tag: "ArticleUnavailable"
    })
    expect(violationsOf(kept.books, NOON)).toEqual([])
  })

  it("is told once: repetitions, and another session, change nothing", () => {
    for (const n of [1, 2]) {
      const again = when(kept.books, keepWhilePending(session(n)), NOON + 2 * HOUR_MS)
      expect([again.reply.outcome, again.written]).toEqual(["ignored", []])
    }
    expect(when(own, keepWhilePending(session(2))).written).toEqual([])
  })

  it("counts before the first session is stored, not between two sessions", () => {
    expect(when(open.books, keepWhilePending(session(1))).reply.outcome).toBe("kept")
    const between = when(own, endSession(session(1)), NOON + HOUR_MS).books
    for (const n of [1, 2]) expect(when(between, keepWhilePending(session(n)), NOON + HOUR_MS).written).toEqual([])
  })

  it("changes nothing once the quote is paid or abandoned", () => {
    const gone = when(own, abandonQuote(quoteId, "human")).books
    expect(when(gone, keepWhilePending(session(1))).reply.outcome).toBe("ignored")
  })

  it("told after the expiry keeps what can still be had as a whole", () => {
    expect(when(own, keepWhilePending(session(1)), EXPIRY + 1).reply.outcome).toBe("kept")
    const taken = placed(own, orderBy("key_poor", { items: [insertion(12)] }), EXPIRY + 1).books
    expect(when(taken, keepWhilePending(session(1)), EXPIRY + 2).reply.outcome).toBe("ignored")
  })

  it("makes the order when the money comes, however late", () => {
    const payment = {
      paymentId: PaymentId.make("pay_1"),
      quoteId,
      amountCents: quoteOf(own).cardCents,
      currency: "EUR"
    }
    const paid = when(kept.books, settlePayment(payment, rules), EXPIRY + 100 * HOUR_MS)
    expect(paid.reply.outcome).toBe("settled")
    expect(quoteOf(paid.books)).toMatchObject({ status: "paid", paymentPendingAtMs: null })
    expect(violationsOf(paid.books, NOON)).toEqual([])
  })
})

describe("the end of a session", () => {
  it("makes room for another one, and that one is the quote's own", () => {
    const ended = when(own, endSession(session(1)), NOON + HOUR_MS)
    expect([ended.reply.outcome, ended.written]).toEqual(["reopens", ["SessionEnded"]])
    expect(quoteOf(ended.books)).toMatchObject({ sessionId: null, endedSessionId: "cs_1", paymentUrl: null })
    const next = stored(ended.books, 2, PaymentSessionId.make("cs_1"), NOON + HOUR_MS)
    expect(when(next, endSession(session(1)), NOON + HOUR_MS).written).toEqual([])
    expect(when(next, endSession(session(2)), NOON + HOUR_MS).reply.outcome).toBe("reopens")
  })

  it("after a debit that failed in time gives back the expiry of all that is reserved", () => {
    const failed = when(kept.books, endSession(session(1)), NOON + 2 * HOUR_MS)
    expect(failed.reply.outcome).toBe("reopens")
    expect(quoteOf(failed.books).paymentPendingAtMs).toBeNull()
    expect(reserves(failed.books)).toEqual(reserves(own))
    expect(violationsOf(failed.books, NOON)).toEqual([])
  })

  it("after the expiry ends the quote and releases everything", () => {
    for (const books of [own, kept.books]) {
      const lapsed = when(books, endSession(session(1)), EXPIRY)
      expect(lapsed.reply).toMatchObject({ outcome: "lapsed", quote: { status: "abandoned", abandonedBy: "expiry" } })
      expect(reserves(lapsed.books)).toEqual([{ state: "free" }, { state: "available" }, 0])
      expect(violationsOf(lapsed.books, NOON)).toEqual([])
    }
  })

  it("in the last two minutes is no reason for another one, but for a debit that failed", () => {
    const atMs = EXPIRY - 2 * MINUTE_MS
    expect(when(own, endSession(session(1)), atMs).reply.outcome).toBe("reopens")
    expect(when(own, endSession(session(1)), atMs + 1).reply.outcome).toBe("ignored")
    expect(when(own, endSession(session(1)), EXPIRY - 1).reply.outcome).toBe("ignored")
    expect(when(kept.books, endSession(session(1)), atMs + 1).reply.outcome).toBe("reopens")
  })

  it("changes nothing if it is not the quote's own, or the quote is closed", () => {
    for (const books of [own, open.books, when(own, abandonQuote(quoteId, "agent")).books]) {
      expect(when(books, endSession(session(2)), NOON + HOUR_MS).reply.outcome).toBe("ignored")
    }
    expect(when(when(own, abandonQuote(quoteId, "agent")).books, endSession(session(1))).written).toEqual([])
  })
})

describe("both", () => {
  it("refuse a quote that does not exist, and leave sandbox quotes alone", () => {
    const ids = { quoteId: QuoteId.make("q_none"), sessionId: PaymentSessionId.make("cs_1") }
    expect(refused(own, keepWhilePending(ids))).toMatchObject({ _tag: "QuoteNotFound" })
    expect(refused(own, endSession(ids))).toMatchObject({ _tag: "QuoteNotFound" })
    const { books, quoteId } = placed(empty, orderBy("key_rich_test"))
    expect(when(books, keepWhilePending({ quoteId, sessionId: PaymentSessionId.make("cs_1") })).written).toEqual([])
    expect(when(books, endSession({ quoteId, sessionId: PaymentSessionId.make("cs_1") })).written).toEqual([])
  })
})
