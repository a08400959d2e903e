// Places an order: the decision, then, where a card must pay the rest, the payment link. Whatever fails after the quote is written
// is resumed by the same request.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { deferWhenShort } from "#core/decisions/InsufficientCredit.ts"
import { type PlaceOrderReply, placeOrder } from "#core/decisions/PlaceOrder.ts"
import { freezeResponse } from "#core/decisions/StoreSession.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import { canonicalJson } from "#core/domain/CanonicalJson.ts"
import { linkTarget, type OrderRequest } from "#core/domain/Cart.ts"
import type { StoredResponse } from "#core/domain/Idempotency.ts"
import { hasExpired, isOpen } from "#core/domain/Quote.ts"
import { QuoteNotFound, QuoteNotOpen, type Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { OpenPayment } from "./OpenPayment.ts"
import { SweepQuotes } from "./SweepQuotes.ts"

export interface Order {
  readonly caller: Caller
  readonly request: OrderRequest
  /** The whole validated, default-filled body in canonical form (RFC 8785): what an idempotency key is bound to. */
  readonly canonicalBody: string
  readonly idempotencyKey: string | null
}

export interface OrderResponse extends StoredResponse {
  readonly replayed: boolean
}

const bytes = new TextEncoder()

/** Without the stack that a span usually takes along, which took 2 % of the time that an order takes this process. */
const inItsSpan = Effect.withSpan("PlaceOrder.place", {}, { captureStackTrace: false })

const distinct = <A>(values: Iterable<A | undefined>): ReadonlyArray<A> => [
  ...new Set([...values].filter((value) => value !== undefined))
]

const readsFor = ({ caller, request, idempotencyKey }: Order) => ({
  _tag: "ForPlacement" as const,
  keyId: caller.keyId,
  accountId: caller.accountId,
  siteIds: distinct(request.items.map(({ siteId }) => siteId)),
  articleIds: distinct(request.items.map(({ articleId }) => articleId)),
  projectIds: distinct(request.items.map(({ projectId }) => projectId)),
  opportunityIds: distinct(request.items.map(({ opportunityId }) => opportunityId)),
  targets: request.items.map(linkTarget),
  promoCode: request.promoCode ?? null,
  idempotencyKey
})

export class PlaceOrder extends Context.Service<
  PlaceOrder,
  {
    readonly place: (order: Order) => Effect.Effect<OrderResponse, Refusal | ProcessorUnavailable | StoreUnavailable>
  }
>()("backlinks/usecases/PlaceOrder") {
  static readonly layer = Layer.effect(
    PlaceOrder,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const payment = yield* OpenPayment
      const { abandon } = yield* AbandonQuote
      const sweeper = yield* SweepQuotes
      const digest = yield* Digest.Digest
      const { settings, render, paymentPage } = yield* ServiceContext

      const sha256 = (text: string) => digest.digestHex(Digest.sha256, bytes.encode(text))

      /** Only advises, so it is looked up outside the decision; whoever sends an idempotency key does not order twice by mistake. */
      const lookAlike = Effect.fnUntraced(function* ({ caller, idempotencyKey }: Order, itemsDigest: string) {
        if (idempotencyKey !== null) return null
        return yield* quotes.lookAlike({ keyId: caller.keyId, itemsDigest, nowMs: yield* Clock.currentTimeMillis })
      })

      /** The key is bound to this request, but an earlier try stopped before the payment link was stored. */
      const resume = Effect.fnUntraced(function* (quoteId: string) {
        const found = yield* quotes.byId(quoteId)
        if (found === null) return yield* new QuoteNotFound({ quoteId })
        // Expiry takes effect on sight: no link is opened for what can no longer be paid, nor for what may be paid already.
        const expired = hasExpired(found, yield* Clock.currentTimeMillis)
        const quote = expired ? yield* abandon(found, "expiry") : found
        if (quote.status === "abandoned") return yield* new QuoteNotOpen({ quoteId, status: quote.status })
        const { response: answer } = isOpen(quote)
          ? yield* payment.open(quote)
          : yield* book.transact({ _tag: "ForQuote", quoteId }, freezeResponse(quoteId, render))
        return { ...answer, replayed: true }
      })

      const conclude = Effect.fnUntraced(function* (reply: PlaceOrderReply) {
        if (reply.kind === "replay") return { ...reply.response, replayed: true }
        if (reply.kind === "resume") return yield* resume(reply.quoteId)
        const { quote, dryRun } = reply.placement
        const waitsForLink = !dryRun && quote.mode === "live" && isOpen(quote)
        const answer = waitsForLink
          ? (yield* payment.open(quote)).response
          : (reply.response ?? render.response(reply.placement))
        return { ...answer, replayed: false }
      })

      const place = Effect.fnUntraced(function* (order: Order) {
        const { caller, request, canonicalBody, idempotencyKey } = order
        const itemsDigest = yield* sha256(canonicalJson(request.items.map((item) => ({ ...item }))))
        const idempotency =
          idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: yield* sha256(canonicalBody) }
        const decide = placeOrder({
          caller,
          request,
          itemsDigest,
          lookAlike: yield* lookAlike(order, itemsDigest),
          idempotency,
          settings,
          render,
          sandboxPage: paymentPage
        })
        const reads = readsFor(order)
        const first = yield* book.transact(reads, deferWhenShort(caller, decide))
        if (first.kind !== "insufficient_credit") return yield* conclude(first)
        yield* sweeper.sweepAccount(caller.accountId)
        return yield* conclude(yield* book.transact(reads, decide))
      }, inItsSpan)

      return PlaceOrder.of({ place })
    })
  )
}
