// Approves or declines a quote that waits for its human: with an expiry, an abandonment by the agent and a revocation of its key at the
// same moment, exactly one of them counts.
import { Result } from "effect"
import type { SpendPolicyRefused } from "#core/domain/access/AccessRefusal.ts"
import { isActive } from "#core/domain/access/ApiKey.ts"
import { checkOwed } from "#core/domain/access/SpendPolicy.ts"
import type { OwnerOnly } from "#core/domain/members/MemberRefusal.ts"
import { QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsApproval, hasExpired, type Quote } from "#core/domain/ordering/Quote.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find } from "../Books.ts"
import { audit, type Decide, type Decided, Draft, unchanged } from "../Draft.ts"
import { actorOf, type MadeBy, requireOwnerOrReviewer } from "../members/Members.ts"
import { abandonerOf, abandonUndecided } from "./AbandonQuote.ts"
import { reserve } from "./Reservations.ts"
import { type FulfilmentRules, settleQuote } from "./SettleQuote.ts"
import { responseOf } from "./StorePaymentSession.ts"

type Fault = QuoteNotFound | QuoteNotOpen | OwnerOnly

/** `null`: the sandbox's own control, for a developer. */
type Decider = MadeBy | null

const actor = (by: Decider) => (by === null ? null : actorOf(by))

/** Whether the key has not ended: an order is approved for it, also while it is paused. */
const keyIsGood = ({ books, context }: Pick<Draft, "books" | "context">, { keyId, accountId }: Quote): boolean => {
  const key = find(books.keys, keyId)
  return key !== undefined && isActive(key, context.nowMs) && find(books.accounts, accountId)?.closedAtMs === undefined
}

/** Abandons a quote with its key, in the name of who ended that. */
const endWithKey = (draft: Draft, quote: Quote, render: Rendering): void => {
  const abandoner = abandonerOf(find(draft.books.keys, quote.keyId)?.revokedBy)
  abandonUndecided(draft, quote, { by: "human", render, abandoner })
}

interface Deciding {
  readonly quoteId: QuoteId
  readonly by: Decider
  readonly render: Rendering
}

/**
 * Runs `decide` for a quote that awaits approval by this owner. One whose time is over, or whose key was revoked, is abandoned instead,
 * and the reply is the quote as it is then.
 */
const whileAwaiting =
  <Refused extends Refusal = never>(
    { quoteId, by, render }: Deciding,
    decide: (draft: Draft, quote: Quote) => Result.Result<void, Refused>
  ): Decide<Quote, Fault | Refused> =>
  (books, context): Result.Result<Decided<Quote>, Fault | Refused> => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const allowed = by === null ? Result.void : requireOwnerOrReviewer(books, { ...quote, by })
    if (Result.isFailure(allowed)) return Result.fail(allowed.failure)
    if (!awaitsApproval(quote)) return Result.fail(new QuoteNotOpen({ quoteId, status: quote.status }))
    const draft = new Draft(books, context)
    if (hasExpired(quote, context.nowMs)) abandonUndecided(draft, quote, { by: "expiry", render })
    else if (!keyIsGood(draft, quote)) endWithKey(draft, quote, render)
    else {
      const done = decide(draft, quote)
      if (Result.isFailure(done)) return Result.fail(done.failure)
    }
    return Result.succeed(draft.decided(find(draft.books.quotes, quoteId) ?? quote))
  }

export interface Approval extends FulfilmentRules, Deciding {
  /** The URL of the service's own payment page, which takes sandbox payments. */
  readonly sandboxPage: (paymentToken: string) => string
}

/** What was held before the account owed something pays no order either until that is settled. */
const checkCredit = ({ books }: Draft, { accountId, ...quote }: Quote): Result.Result<void, SpendPolicyRefused> => {
  const account = find(books.accounts, accountId)
  return account === undefined ? Result.void : checkOwed(account, quote)
}

/** The quote becomes an order if credit covers it, and awaits payment otherwise, with its whole life before it again. */
export const approveQuote = (input: Approval): Decide<Quote, Fault | SpendPolicyRefused> =>
  whileAwaiting(input, (draft, quote) => {
    const allowed = checkCredit(draft, quote)
    if (Result.isFailure(allowed)) return allowed
    const { quoteId, accountId, holdId, mode, cardCents, paymentToken } = quote
    const atMs = draft.context.nowMs
    const by = actor(input.by)
    const paymentUrl = mode === "sandbox" && cardCents > 0 ? input.sandboxPage(paymentToken) : null
    const expiresAtMs = atMs + input.settings.quoteTtlMs
    draft.record({ _tag: "QuoteApproved", quoteId, holdId, by, atMs, expiresAtMs, paymentUrl })
    const approved = find(draft.books.quotes, quoteId) ?? quote
    if (cardCents === 0) settleQuote(draft, approved, input)
    else if (mode === "live") reserve(draft, approved)
    // A live quote with a card part still needs its payment link.
    if (cardCents === 0 || mode === "sandbox") {
      responseOf(draft, find(draft.books.quotes, quoteId) ?? approved, input.render)
    }
    audit(draft, by, { action: "quote.approve", subject: quoteId, accountId, details: { cents: quote.totalCents } })
    return Result.void
  })

export interface Decline extends Deciding {
  /** To the agent; empty: none. */
  readonly reason: string
}

/** Abandons the quote; what it reserved comes back. */
export const declineQuote = ({ reason, ...deciding }: Decline): Decide<Quote, Fault> =>
  whileAwaiting(deciding, (draft, quote) => {
    const { by, render } = deciding
    const abandoner = abandonerOf(actor(by))
    abandonUndecided(draft, quote, { by: "human", render, declinedReason: reason, abandoner })
    audit(draft, actor(by), {
      action: "quote.decline",
      subject: quote.quoteId,
      accountId: quote.accountId,
      details: { reason }
    })
    return Result.void
  })

/** Abandons a quote that awaits approval, because its key was revoked; leaves any other quote as it is. */
export const abandonUnapproved =
  (quoteId: QuoteId, render: Rendering): Decide<Quote, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    if (!awaitsApproval(quote) || keyIsGood({ books, context }, quote)) return Result.succeed(unchanged(quote))
    const draft = new Draft(books, context)
    endWithKey(draft, quote, render)
    return Result.succeed(draft.decided(find(draft.books.quotes, quoteId) ?? quote))
  }
