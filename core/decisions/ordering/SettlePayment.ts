// Applies a payment to its quote: the payment makes the order, or becomes prepaid credit. Each payment counts once, in every state of
// the quote and however often it is reported.
import { Result } from "effect"
import { articleIsFree } from "#core/domain/catalogue/Catalogue.ts"
import { welcomeIsFree } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { PaymentMismatch } from "#core/domain/ordering/PaymentRefusal.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { awaitsApproval, hasExpired, isOpen, type Payment, type Quote } from "#core/domain/ordering/Quote.ts"
import { usePromo } from "#core/domain/pricing/Promo.ts"
import { type DecisionContext, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { PaymentSessionId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { recordFirstPayment } from "../members/AccountState.ts"
import { welcomeUsedFor } from "../pricing/Offers.ts"
import { bookCredit } from "../wallet/OwedCredit.ts"
import { abandon } from "./AbandonQuote.ts"
import { welcomeDomainsOfQuote } from "./Reservations.ts"
import { type FulfilmentRules, settleQuote } from "./SettleQuote.ts"

export interface Settlement {
  readonly quote: Quote
  /** `set_aside`: it does not fit the quote, or would be credit of a closed account. `repeated`: this payment was recorded before. */
  readonly outcome: "settled" | "credited" | "set_aside" | "repeated"
}

const holdIsOpen = (books: Books, quote: Quote): boolean =>
  quote.holdId === null || find(books.holds, quote.holdId)?.state === "open"

/** Whether a quote past its expiry can have everything again that it had reserved. Sandbox quotes reserve nothing. */
export const canRetake = (books: Books, quote: Quote, { nowMs }: DecisionContext): boolean => {
  if (quote.mode === "sandbox") return true
  const { quoteId, accountId, lines, discount, grossCents, creditCents } = quote
  const account = find(books.accounts, accountId)
  if (account === undefined) return false
  const credit = holdIsOpen(books, quote) || availableCents(account.wallet) >= creditCents
  const articles = lines.every(({ item }) => {
    const article = item.articleId === undefined ? undefined : find(books.articles, item.articleId)
    return item.articleId === undefined || (article !== undefined && articleIsFree(article, nowMs, quoteId))
  })
  const promo =
    discount.source !== "promo" ||
    Result.isSuccess(usePromo(find(books.promos, discount.code ?? ""), { accountId, grossCents, nowMs, quoteId }))
  const welcome =
    discount.source !== "welcome" ||
    (welcomeIsFree(account.welcome, nowMs, quoteId) &&
      welcomeUsedFor(books, account, welcomeDomainsOfQuote(books, quote)) === undefined)
  return credit && articles && promo && welcome
}

/**
 * Counts the total of an abandoned quote against its day again. The credit part of a quote whose hold was released comes from free
 * credit, so that the quote names no hold any more.
 */
const retake = (draft: Draft, quote: Quote): Quote => {
  const { keyId } = quote
  if (quote.status === "abandoned") {
    draft.record({ _tag: "DailySpendChanged", keyId, day: utcDay(quote.createdAtMs), cents: quote.totalCents })
  }
  return holdIsOpen(draft.books, quote) ? quote : { ...quote, holdId: null }
}

/** A quote whose payment came too late for it ends, if it has not ended. */
const end = (draft: Draft, quote: Quote, render: Rendering): void => {
  if (isOpen(quote)) abandon(draft, quote, { by: "expiry", render })
}

const toCredit = (draft: Draft, quote: Quote, { amountCents: cents }: Payment, render: Rendering): void => {
  const { quoteId, accountId } = quote
  end(draft, quote, render)
  if (quote.mode === "live") {
    bookCredit(draft, accountId, { kind: "late_payment", cents }, { quoteId })
  }
  draft.record({ _tag: "QuoteCredited", quoteId, cents })
}

/** An open quote settles; an expired one only if it can have everything again; a paid one, or one abandoned by human or agent, never. */
const settles = (books: Books, quote: Quote, context: DecisionContext): boolean => {
  if (isOpen(quote) && !hasExpired(quote, context.nowMs)) return true
  const lapsed = isOpen(quote) || (quote.status === "abandoned" && quote.abandonedBy === "expiry")
  return lapsed && canRetake(books, quote, context)
}

const mismatch = ({ cardCents }: Quote, { currency, amountCents }: Payment): PaymentMismatch["reason"] | undefined => {
  if (currency !== "EUR") return "currency"
  return amountCents === cardCents ? undefined : "amount"
}

/**
 * Whether the payment was made in another session than the one in which the quote is to be paid. A quote that awaits approval has none.
 */
const isElsewhere = (quote: Quote, sessionId: PaymentSessionId | null): boolean =>
  awaitsApproval(quote) || (sessionId !== null && quote.sessionId !== null && quote.sessionId !== sessionId)

/** A sandbox payment is no money, and neither is an amount that no card can pay. */
const isMoney = ({ mode }: Quote, { amountCents }: Payment): boolean =>
  mode === "live" && Number.isSafeInteger(amountCents) && amountCents > 0

const setAsideFor = (draft: Draft, payment: Payment, reason: PaymentSetAside["reason"]): void => {
  const setAside: PaymentSetAside = { ...payment, reason, atMs: draft.context.nowMs, outcome: null }
  draft.record({ _tag: "PaymentSetAside", setAside })
}

/** What would be credit of a closed account is set aside. */
const isClosed = (books: Books, { accountId, mode }: Quote): boolean =>
  mode === "live" && find(books.accounts, accountId)?.closedAtMs !== undefined

export interface PaymentSource {
  /** The operator who simulates the payment. */
  readonly actor?: Actor
  /** The session in which a processor took it. */
  readonly sessionId?: PaymentSessionId | null
}

/**
 * A payment in another session than the quote's own never makes the order: the quote can still be paid in its own. It is set aside
 * while the quote is open, and becomes prepaid credit once the quote is paid or abandoned.
 */
export const settlePayment =
  (
    payment: Payment,
    rules: FulfilmentRules,
    { actor, sessionId = null }: PaymentSource = {}
  ): Decide<Settlement, QuoteNotFound | PaymentMismatch> =>
  (books, context) => {
    const { quoteId, paymentId } = payment
    const quote = find(books.quotes, quoteId)
    if (quote === undefined || quote.cardCents === 0 || (awaitsApproval(quote) && quote.mode === "sandbox"))
      return Result.fail(new QuoteNotFound({ quoteId }))
    const known = find(books.payments, paymentId) ?? find(books.setAside, paymentId)
    if (known !== undefined) return Result.succeed(unchanged({ quote, outcome: "repeated" }))
    const fault = mismatch(quote, payment)
    if (fault !== undefined && !isMoney(quote, payment))
      return Result.fail(new PaymentMismatch({ quoteId, reason: fault }))
    const elsewhere = isElsewhere(quote, sessionId)
    const reason = fault ?? (elsewhere && isOpen(quote) ? "session" : undefined)
    const draft = new Draft(books, context)
    if (reason !== undefined) {
      setAsideFor(draft, payment, reason)
      return Result.succeed(draft.decided({ quote, outcome: "set_aside" }))
    }
    const outcome = !elsewhere && settles(books, quote, context) ? "settled" : "credited"
    if (outcome === "credited" && isClosed(books, quote)) {
      setAsideFor(draft, payment, "closed")
      end(draft, quote, rules.render)
      return Result.succeed(draft.decided({ quote: find(draft.books.quotes, quoteId) ?? quote, outcome: "set_aside" }))
    }
    draft.record({ _tag: "PaymentRecorded", payment })
    if (quote.mode === "live") recordFirstPayment(draft, quote.accountId)
    if (outcome === "settled") settleQuote(draft, retake(draft, quote), rules)
    else toCredit(draft, quote, payment, rules.render)
    audit(draft, actor ?? null, {
      action: "quote.pay",
      subject: quoteId,
      accountId: quote.accountId,
      details: { cents: payment.amountCents, outcome }
    })
    return Result.succeed(draft.decided({ quote: find(draft.books.quotes, quoteId) ?? quote, outcome }))
  }
