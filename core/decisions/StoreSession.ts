// Stores the payment link of a quote and freezes the answer that its idempotency key replays. The first stored link wins; a quote
// that was given up before there was one gets none.
import { Result } from "effect"
import type { StoredResponse } from "#core/domain/Idempotency.ts"
import type { Quote } from "#core/domain/Quote.ts"
import { QuoteNotFound, QuoteNotOpen } from "#core/domain/Refusal.ts"
import type { Placement, Rendering } from "#core/domain/Rendering.ts"
import { type Books, bindingId, find, linksOf } from "./Books.ts"
import { begin, type Decide, type Draft } from "./Draft.ts"

export interface Session {
  readonly quoteId: string
  /** The processor's own id. */
  readonly sessionId: string
  readonly paymentUrl: string
}

const placementOf = (books: Books, quote: Quote): Placement => {
  const order = quote.orderId === null ? undefined : find(books.orders, quote.orderId)
  return { quote, order: order ?? null, links: order === undefined ? [] : linksOf(books, order), dryRun: false }
}

export interface StoredSession {
  readonly quote: Quote
  /** What the caller is answered: frozen by whoever stored the link first, where an idempotency key is bound. */
  readonly response: StoredResponse
}

const boundTo = ({ bindings }: Books, { keyId, idempotencyKey }: Quote) =>
  idempotencyKey === null ? undefined : find(bindings, bindingId(keyId, idempotencyKey))

/** The answer that the quote's idempotency key replays: frozen already, or from now on. */
const responseOf = (draft: Draft, quote: Quote, render: Rendering): StoredSession => {
  const { keyId } = quote
  const bound = boundTo(draft.books, quote)
  const answer = bound?.response ?? render.response(placementOf(draft.books, quote))
  if (bound?.response === null) {
    draft.record({ _tag: "ResponseStored", keyId, idempotencyKey: bound.idempotencyKey, response: answer })
  }
  return { quote, response: answer }
}

/** `QuoteNotOpen`: it was given up while the link was being made, and no answer was frozen before. Nobody must get that link. */
export const storeSession =
  (session: Session, render: Rendering): Decide<StoredSession, QuoteNotFound | QuoteNotOpen> =>
  (books, context) => {
    const { quoteId, sessionId, paymentUrl } = session
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const { status } = quote
    if (status === "abandoned" && !boundTo(books, quote)?.response) {
      return Result.fail(new QuoteNotOpen({ quoteId, status }))
    }
    const draft = begin(books, context)
    if (quote.sessionId === null) draft.record({ _tag: "SessionStored", quoteId, sessionId, paymentUrl })
    return Result.succeed(draft.decided(responseOf(draft, find(draft.books.quotes, quoteId) ?? quote, render)))
  }

/** For a quote that was paid before its link was stored: the answer tells of the order, and no link is needed any more. */
export const freezeResponse =
  (quoteId: string, render: Rendering): Decide<StoredSession, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const draft = begin(books, context)
    return Result.succeed(draft.decided(responseOf(draft, quote, render)))
  }
