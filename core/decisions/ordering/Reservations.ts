// What an open quote holds and reserves: credit, articles, a promotion, the welcome offer. Its order spends them, an abandonment
// releases them. An order that credit covers at once never was an open quote: it spends free credit, without a hold.
// Sandbox quotes reserve nothing. What the open quotes of one account reserve is bounded, so that no account without credit takes all
// articles, or all uses of a limited code, from the others.
import { HashMap, Result } from "effect"
import { isUnpaid } from "#core/domain/members/Account.ts"
import { awaitsApproval, hasExpired, isOpen, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { type OpenReservation, TooManyReservations } from "#core/domain/ordering/ReservationRefusal.ts"
import { coversTarget, type WelcomeDomains } from "#core/domain/pricing/WelcomeUse.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import type { AccountId, OrderId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { type Draft, ledgerEntry } from "../Draft.ts"
import { collectOwed } from "../wallet/OwedCredit.ts"

/** Articles that open quotes of a self-opened account may reserve until its first payment. */
const UNPAID_ARTICLES_MAX = 1

const articleIdsOf = ({ lines }: Quote): ReadonlyArray<number> => lines.flatMap(({ item }) => item.articleId ?? [])

const promoCodeOf = ({ discount }: Quote): string | undefined =>
  discount.source === "promo" ? discount.code : undefined

/** The domains for which the quote takes the welcome offer, as its account's uses have them since it was made. */
export const welcomeDomainsOfQuote = (
  { welcomeUses }: Pick<Books, "welcomeUses">,
  { accountId, lines }: Quote
): ReadonlyArray<string> =>
  Array.from(HashMap.values(welcomeUses))
    .filter((use) => use.accountId === accountId && lines.some(({ item }) => coversTarget(use, item)))
    .map(({ domain }) => domain)

const welcomeTaker = (draft: Draft, quote: Quote) => ({
  accountId: quote.accountId,
  quoteId: quote.quoteId,
  domains: welcomeDomainsOfQuote(draft.books, quote)
})

const inOrderOfExpiry = (open: ReadonlyArray<OpenReservation>): ReadonlyArray<OpenReservation> =>
  open.toSorted((a, b) => a.expiresAtMs - b.expiresAtMs || (a.quoteId < b.quoteId ? -1 : 1))

const reservedArticles = (books: Books, accountId: AccountId, nowMs: number): ReadonlyArray<OpenReservation> =>
  Array.from(HashMap.values(books.quotes))
    .filter((one) => one.accountId === accountId && one.mode === "live" && isOpen(one) && !hasExpired(one, nowMs))
    .map((one) => ({ quoteId: one.quoteId, expiresAtMs: one.expiresAtMs, articleIds: articleIdsOf(one) }))
    .filter(({ articleIds }) => articleIds.length > 0)

const reservedUses = (
  books: Books,
  code: string,
  accountId: AccountId,
  nowMs: number
): ReadonlyArray<OpenReservation> =>
  (find(books.promos, code)?.reservations ?? [])
    .filter((one) => one.accountId === accountId && one.untilMs > nowMs)
    .map(({ quoteId, untilMs }) => ({ quoteId, expiresAtMs: untilMs, articleIds: [] }))

/** `Infinity` where nothing bounds them. */
const articlesMax = (books: Books, accountId: AccountId, { openArticlesMax }: ShopSettings): number => {
  const account = find(books.accounts, accountId)
  const max = openArticlesMax === 0 ? Number.POSITIVE_INFINITY : openArticlesMax
  return account !== undefined && isUnpaid(account) ? Math.min(max, UNPAID_ARTICLES_MAX) : max
}

/** Whether the new quote may reserve what it names, in addition to the open quotes of its account. Paid and sandbox ones always may. */
export const checkReservations = (
  books: Books,
  quote: Quote,
  nowMs: number,
  settings: ShopSettings
): Result.Result<void, TooManyReservations> => {
  const { accountId, mode, cardCents } = quote
  const { openArticlesMax, openCodeUsesMax } = settings
  if (mode === "sandbox" || (cardCents === 0 && !awaitsApproval(quote))) return Result.void
  const requested = articleIdsOf(quote).length
  const limit = articlesMax(books, accountId, settings)
  if (requested > 0 && Number.isFinite(limit)) {
    const open = reservedArticles(books, accountId, nowMs)
    const reserved = open.reduce((count, { articleIds }) => count + articleIds.length, 0)
    if (reserved + requested > limit) {
      const facts = { promoCode: null, limit, reserved, requested, open: inOrderOfExpiry(open) }
      const untilFirstPayment = limit !== openArticlesMax
      return Result.fail(new TooManyReservations({ ...facts, ...(untilFirstPayment ? { untilFirstPayment } : {}) }))
    }
  }
  const code = promoCodeOf(quote)
  if (code === undefined || openCodeUsesMax === 0 || find(books.promos, code)?.maxRedemptions == null)
    return Result.void
  const open = reservedUses(books, code, accountId, nowMs)
  if (open.length < openCodeUsesMax) return Result.void
  const facts = { promoCode: code, limit: openCodeUsesMax, reserved: open.length, requested: 1 }
  return Result.fail(new TooManyReservations({ ...facts, open: inOrderOfExpiry(open) }))
}

const holdOf = (draft: Draft, { holdId }: Quote) => (holdId === null ? undefined : find(draft.books.holds, holdId))

/** Holds the credit part, if there is one, under the quote's `holdId`. */
export const placeHold = (draft: Draft, quote: Quote): void => {
  const { holdId, accountId, quoteId, creditCents: cents, expiresAtMs } = quote
  if (holdId === null) return
  const entry = ledgerEntry(draft, accountId, { kind: "hold", cents }, { quoteId })
  draft.record({ _tag: "HoldPlaced", hold: { holdId, accountId, quoteId, cents, state: "open", expiresAtMs }, entry })
}

/** The beginning of the year 9999: what a quote reserves while its payment is under way has no end that could come first. */
const WHILE_PENDING_MS = 253_370_764_800_000

/** Notes for which domains a new quote takes the welcome offer. */
export const reserveWelcome = (draft: Draft, quote: Quote, taken: WelcomeDomains): void => {
  const { quoteId, accountId, discount, expiresAtMs: untilMs } = quote
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeReserved", accountId, quoteId, untilMs, ...taken })
}

/** Reserves everything but credit until the quote expires; without end while its payment is under way. `taken`: of a new quote. */
export const reserve = (draft: Draft, quote: Quote, taken?: WelcomeDomains): void => {
  const { quoteId, accountId, discount } = quote
  const untilMs = isPaymentPending(quote) ? WHILE_PENDING_MS : quote.expiresAtMs
  for (const articleId of articleIdsOf(quote)) draft.record({ _tag: "ArticleReserved", articleId, quoteId, untilMs })
  const code = promoCodeOf(quote)
  if (code !== undefined) draft.record({ _tag: "PromoReserved", code, reservation: { quoteId, accountId, untilMs } })
  if (discount.source === "welcome")
    draft.record({ _tag: "WelcomeReserved", ...welcomeTaker(draft, quote), ...taken, untilMs })
}

/** One entry of the ledger, whether a hold ends by it or not. */
const captureCredit = (draft: Draft, quote: Quote, orderId: OrderId): void => {
  const { quoteId, accountId, holdId, creditCents: cents } = quote
  if (cents === 0) return
  const from = holdId === null ? "free" : "hold"
  const entry = ledgerEntry(draft, accountId, { kind: "capture", cents, from }, { quoteId, orderId })
  draft.record(holdId === null ? { _tag: "CreditCaptured", entry } : { _tag: "HoldCaptured", holdId, entry })
}

/** Captures the credit part and sells what was reserved. */
export const spendReservations = (draft: Draft, quote: Quote, orderId: OrderId): void => {
  const { quoteId, accountId, discount } = quote
  captureCredit(draft, quote, orderId)
  for (const articleId of articleIdsOf(quote)) draft.record({ _tag: "ArticleSold", articleId, quoteId })
  const code = promoCodeOf(quote)
  if (code !== undefined) draft.record({ _tag: "PromoSpent", code, quoteId, accountId })
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeSpent", ...welcomeTaker(draft, quote) })
}

/** Releases the hold, if it is still open, and what was reserved. */
export const releaseReservations = (draft: Draft, quote: Quote): void => {
  const { quoteId, accountId, discount } = quote
  const hold = holdOf(draft, quote)
  if (hold?.state === "open") {
    const entry = ledgerEntry(draft, accountId, { kind: "release", cents: hold.cents }, { quoteId })
    draft.record({ _tag: "HoldReleased", holdId: hold.holdId, entry })
    collectOwed(draft, accountId, entry.entryId)
  }
  for (const articleId of articleIdsOf(quote)) draft.record({ _tag: "ArticleFreed", articleId, quoteId })
  const code = promoCodeOf(quote)
  if (code !== undefined) draft.record({ _tag: "PromoReleased", code, quoteId, accountId })
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeReleased", ...welcomeTaker(draft, quote) })
}
