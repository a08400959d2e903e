// Stores the payment link of a quote, and the response that its idempotency key replays. The first stored link wins; a quote that was
// abandoned before gets none.
import { Result } from "effect"
import type { StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import type { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { Placement, Rendering } from "#core/domain/webhooks/Rendering.ts"
import { type Books, bindingOf, find, linksOf } from "../Books.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"

export interface NewSession {
  readonly quoteId: QuoteId
  /** The processor's id. */
  readonly sessionId: PaymentSessionId
  readonly paymentUrl: string
  /** The quote's `endedSessionId` when this session was opened: one that has ended meanwhile is not stored. */
  readonly endedSessionId?: PaymentSessionId | null
}

const placementOf = (books: Books, quote: Quote): Placement => {
  const order = quote.orderId === null ? undefined : find(books.orders, quote.orderId)
  return { quote, order: order ?? null, links: order === undefined ? [] : linksOf(books, order), dryRun: false }
}

/** What was placed, as it is now, and the response to the caller. With an idempotency key, always the one that was stored first. */
export interface PlacementResponse {
  readonly placement: Placement
  readonly response: StoredResponse
}

/** The stored response of the quote's idempotency key; stores it if there is none yet. */
export const responseOf = (draft: Draft, quote: Quote, render: Rendering): PlacementResponse => {
  const bound = bindingOf(draft.books, quote)
  const placement = placementOf(draft.books, quote)
  const response = bound?.response ?? render.response(placement)
  if (bound?.response === null && bound.freedAtMs === undefined) {
    draft.record({ _tag: "ResponseStored", binding: bound, response })
  }
  return { placement, response }
}

/**
 * `QuoteNotOpen`: the quote was abandoned while the link was made, and no response was stored, or it awaits approval. The link must not
 * be given out.
 */
export const storeSession =
  (session: NewSession, render: Rendering): Decide<PlacementResponse, QuoteNotFound | QuoteNotOpen> =>
  (books, context) => {
    const { quoteId, sessionId, paymentUrl, endedSessionId = null } = session
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const { status } = quote
    if (awaitsApproval(quote) || (status === "abandoned" && !bindingOf(books, quote)?.response)) {
      return Result.fail(new QuoteNotOpen({ quoteId, status }))
    }
    const draft = new Draft(books, context)
    if (quote.sessionId === null && quote.endedSessionId === endedSessionId)
      draft.record({ _tag: "SessionStored", quoteId, sessionId, paymentUrl })
    return Result.succeed(draft.decided(responseOf(draft, find(draft.books.quotes, quoteId) ?? quote, render)))
  }

/** For a quote that was paid before its link was stored: the response shows the order and needs no link. */
export const freezeResponse =
  (quoteId: QuoteId, render: Rendering): Decide<PlacementResponse, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const draft = new Draft(books, context)
    return Result.succeed(draft.decided(responseOf(draft, quote, render)))
  }

export const readPlacement =
  (quoteId: QuoteId): Decide<Placement, QuoteNotFound> =>
  (books) => {
    const quote = find(books.quotes, quoteId)
    return quote === undefined
      ? Result.fail(new QuoteNotFound({ quoteId }))
      : Result.succeed(unchanged(placementOf(books, quote)))
  }
