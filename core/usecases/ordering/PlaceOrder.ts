// Places an order: decides, and opens a payment session for the card part, if any. If that fails after the quote is written, the same
// request resumes it.
import { Clock, Context, Effect, Layer, References } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import { readQuoteInTime } from "#core/decisions/ordering/AbandonQuote.ts"
import { deferWhenShort } from "#core/decisions/ordering/InsufficientCredit.ts"
import { deferUnread } from "#core/decisions/ordering/LookAlikes.ts"
import { type PlaceOrderReply, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { freezeResponse, presentResponse } from "#core/decisions/ordering/StoreSession.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { isUnkeyed, keyOfUnkeyed, type StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsApproval, awaitsPayment, hasExpired, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { replayedWithoutKey, responseNotKept } from "#core/domain/ordering/Warning.ts"
import { linkTarget, type OrderRequest } from "#core/domain/pricing/Cart.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { canonicalJson } from "#core/domain/shared/CanonicalJson.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { ProcessorUnavailable, type SchemaTooNew, type StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { Draining } from "./Draining.ts"
import { OpenPayment } from "./OpenPayment.ts"
import { SweepQuotes } from "./SweepQuotes.ts"

export interface SubmittedOrder {
  readonly caller: Caller
  readonly request: OrderRequest
  /** The validated body with its defaults, as canonical JSON (RFC 8785). An idempotency key is bound to it. */
  readonly canonicalBody: string
  readonly idempotencyKey: string | null
  /** Without an idempotency key, the same request within `UNKEYED_REPLAY_MS` is a replay. */
  readonly replayUnkeyed?: boolean
  /** And the same request is a replay of this quote of the key, however old it is. */
  readonly continues?: string
}

export interface OrderResponse extends StoredResponse {
  readonly replayed: boolean
  /** Of a dry run: the quote that was priced and not written. */
  readonly priced?: Quote
}

/** Without a stack trace, which took 2 % of the CPU time of an order. */
const withSpan = Effect.withSpan("PlaceOrder.place", {}, { captureStackTrace: false })

/** Most orders have one link, which names at most one of each. */
const distinct = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> => {
  const given = values.filter((value) => value !== undefined)
  return given.length < 2 ? given : [...new Set(given)]
}

const readsFor = ({ caller, request }: SubmittedOrder, idempotencyKey: string | null) => ({
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

/** An order that nothing binds: sent again, it is another order beside the quote that waits for the processor. */
const unrepeatable = <E>(error: E | ProcessorUnavailable): E | ProcessorUnavailable => {
  if (!(error instanceof ProcessorUnavailable)) return error
  const { retryAfterSeconds, quoteId } = error
  return new ProcessorUnavailable({
    retryAfterSeconds,
    ...(quoteId === undefined ? {} : { quoteId }),
    repeatable: false
  })
}

export class PlaceOrder extends Context.Service<
  PlaceOrder,
  {
    readonly place: (
      order: SubmittedOrder
    ) => Effect.Effect<OrderResponse, Refusal | ProcessorUnavailable | SchemaTooNew | StoreUnavailable>
  }
>()("backlinks/usecases/ordering/PlaceOrder") {
  static readonly layer = Layer.effect(
    PlaceOrder,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const payment = yield* OpenPayment
      const { expire } = yield* AbandonQuote
      const { refuseOrders } = yield* Draining
      const sweeper = yield* SweepQuotes
      const { settings, render, paymentPage, sha256 } = yield* ServiceContext
      const isTraced = yield* References.TracerEnabled

      /** For an idempotency key whose first request stopped before the payment link was stored. */
      const resume = Effect.fnUntraced(function* (quoteId: string) {
        const found = yield* quotes.byId(quoteId)
        if (found === null) return yield* new QuoteNotFound({ quoteId })
        // An expired quote is abandoned first: it can no longer be paid, or was paid already.
        const expired = hasExpired(found, yield* Clock.currentTimeMillis)
        const quote = expired ? (yield* expire(found)).quote : found
        if (awaitsApproval(quote)) {
          const response = yield* book.transact({ _tag: "ForQuote", quoteId }, presentResponse(quoteId, render))
          return { ...response, replayed: true }
        }
        if (quote.status === "abandoned") return yield* new QuoteNotOpen({ quoteId, status: quote.status })
        const { response } =
          awaitsPayment(quote) && !isPaymentPending(quote)
            ? yield* payment.open(quote)
            : yield* book.transact({ _tag: "ForQuote", quoteId }, freezeResponse(quoteId, render))
        return { ...response, replayed: true }
      })

      /** A key of the service's own, which binds an order that is to be replayed without one. */
      const unkeyedBinding = Effect.fnUntraced(function* ({ caller, continues }: SubmittedOrder, fingerprint: string) {
        const continued = continues === undefined ? null : yield* quotes.byId(continues)
        if (continued?.keyId === caller.keyId && isUnkeyed(continued.idempotencyKey, fingerprint)) {
          return continued.idempotencyKey
        }
        const found = yield* quotes.latestUnkeyed({ keyId: caller.keyId, fingerprint })
        const nowMs = yield* Clock.currentTimeMillis
        if (found === null) return keyOfUnkeyed(fingerprint, null, nowMs)
        const { quoteId } = found
        // By the store's clock: an instance whose own clock is ahead must not buy again.
        const { quote, atMs } = yield* book
          .transact({ _tag: "ForQuote", quoteId }, readQuoteInTime(quoteId))
          .pipe(Effect.catchTag("QuoteNotFound", () => Effect.succeed({ quote: null, atMs: nowMs })))
        return keyOfUnkeyed(fingerprint, quote, atMs)
      })

      const conclude = (
        reply: PlaceOrderReply
      ): Effect.Effect<OrderResponse, Refusal | ProcessorUnavailable | SchemaTooNew | StoreUnavailable> => {
        if (reply.kind === "replay") return Effect.succeed({ ...reply.response, replayed: true })
        if (reply.kind === "resume") return resume(reply.quoteId)
        if (reply.kind === "freed") {
          const { quoteId } = reply
          const warned = (response: StoredResponse) => render.withWarning(response, responseNotKept(quoteId))
          return Effect.map(
            book.transact({ _tag: "ForQuote", quoteId }, presentResponse(quoteId, render)),
            (response) => ({ ...warned(response), replayed: true })
          )
        }
        const { quote, dryRun } = reply.placement
        const waitsForLink = !dryRun && quote.mode === "live" && awaitsPayment(quote)
        if (waitsForLink) return Effect.map(payment.open(quote), ({ response }) => ({ ...response, replayed: false }))
        const response = reply.response ?? render.response(reply.placement)
        return Effect.succeed({ ...response, replayed: false, ...(dryRun ? { priced: quote } : {}) })
      }

      const answer = ({ idempotencyKey }: SubmittedOrder, reply: PlaceOrderReply) =>
        reply.kind === "placed" || idempotencyKey !== null
          ? conclude(reply)
          : Effect.map(conclude(reply), (response) => ({
              ...response,
              ...render.withWarning(response, replayedWithoutKey(reply.quoteId))
            }))

      /** With books that have the look-alikes, if the key holds them; again after a sweep, where expired quotes occupy what it needs. */
      const transact = Effect.fnUntraced(function* (
        reads: ReturnType<typeof readsFor>,
        itemsDigest: string,
        { caller, decide }: { readonly caller: Caller; readonly decide: Decide<PlaceOrderReply> }
      ) {
        const swept = deferWhenShort(caller, decide)
        const first = yield* book.transact(reads, deferUnread(caller, swept))
        const unread = first.kind === "look_alikes_unread"
        const reading = unread ? { ...reads, lookAlikesOf: itemsDigest } : reads
        const second = unread ? yield* book.transact(reading, swept) : first
        if (second.kind !== "insufficient_credit") return second
        yield* sweeper.sweepAccount(caller.accountId)
        return yield* book.transact(reading, decide)
      })

      const place = Effect.fnUntraced(function* (order: SubmittedOrder) {
        yield* refuseOrders
        const { caller, request, canonicalBody, replayUnkeyed = false } = order
        const itemsDigest = sha256(canonicalJson(request.items.map((item) => ({ ...item }))))
        const fingerprint = order.idempotencyKey !== null || replayUnkeyed ? sha256(canonicalBody) : ""
        const bindsItself = order.idempotencyKey === null && replayUnkeyed && !request.dryRun
        const idempotencyKey = bindsItself ? yield* unkeyedBinding(order, fingerprint) : order.idempotencyKey
        const idempotency = idempotencyKey === null ? null : { key: idempotencyKey, fingerprint }
        // For a warning only, so it is read outside the transaction. An idempotency key already protects against a double order.
        const lookAlike =
          order.idempotencyKey === null ? yield* quotes.lookAlike({ keyId: caller.keyId, itemsDigest }) : null
        const decide = placeOrder({
          caller,
          request,
          itemsDigest,
          lookAlike,
          idempotency,
          settings,
          render,
          sandboxPage: paymentPage
        })
        const reads = readsFor(order, idempotencyKey)
        const conclusion = (reply: PlaceOrderReply) =>
          idempotency === null ? Effect.mapError(answer(order, reply), unrepeatable) : answer(order, reply)
        return yield* conclusion(yield* transact(reads, itemsDigest, { caller, decide }))
      })

      // Also a span that nothing records costs a context.
      return PlaceOrder.of({ place: isTraced ? (order) => withSpan(place(order)) : place })
    })
  )
}
