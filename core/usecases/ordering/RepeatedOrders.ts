// Repeated orders: the key that binds an order without an idempotency key, and the answer to an order whose key is bound already.
import { Clock, Context, Effect, Layer } from "effect"
import { readQuoteInTime } from "#core/decisions/ordering/AbandonQuote.ts"
import type { RepeatedReply } from "#core/decisions/ordering/RepeatedOrder.ts"
import { freezeResponse, type PlacementResponse, readPlacement } from "#core/decisions/ordering/StorePaymentSession.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { type Fingerprint, isUnkeyed, keyOfUnkeyed, type StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { IdempotencyKeyReused, QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsApproval, awaitsPayment, hasExpired, isPaymentPending } from "#core/domain/ordering/Quote.ts"
import { placedByOtherCredential, responseNotKept } from "#core/domain/ordering/Warning.ts"
import type { KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { Placement } from "#core/domain/webhooks/Rendering.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { AbandonQuote } from "./AbandonQuote.ts"
import { PaymentSessions } from "./PaymentSessions.ts"

/** What was placed or priced; in a replay, as it is now. Only callers that need it read it: a replay of stored bytes costs a look-up. */
export type PlacementRead = Effect.Effect<Placement, QuoteNotFound | StoreUnavailable>

export interface RepeatedAnswer {
  readonly response: StoredResponse
  readonly findPlacement: PlacementRead
}

const atHand = ({ placement, response }: PlacementResponse): RepeatedAnswer => ({
  response,
  findPlacement: Effect.succeed(placement)
})

export class RepeatedOrders extends Context.Service<
  RepeatedOrders,
  {
    /**
     * The service's own key for an order that is to be replayed without one: that of its latest equal order while it may be repeated, or
     * of the quote that it `continues`.
     */
    readonly keyFor: (
      order: { readonly caller: Caller; readonly continues?: QuoteId },
      fingerprint: Fingerprint
    ) => Effect.Effect<string | null, StoreUnavailable>
    /**
     * Resumes a quote whose payment link is not stored yet. `QuoteNotOpen`: it was abandoned before it had one. The answer to an order that
     * another credential of the account placed has a warning more.
     */
    readonly answer: (
      caller: Caller,
      reply: RepeatedReply
    ) => Effect.Effect<RepeatedAnswer, QuoteNotFound | QuoteNotOpen | ProcessorUnavailable | StoreUnavailable>
    /** The refusal with what the account calls the credential that used the key. */
    readonly withLabel: (
      caller: Caller,
      refusal: IdempotencyKeyReused
    ) => Effect.Effect<IdempotencyKeyReused, StoreUnavailable>
  }
>()("backlinks/usecases/ordering/RepeatedOrders") {
  static readonly layer = Layer.effect(
    RepeatedOrders,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const keys = yield* ApiKeys
      const payment = yield* PaymentSessions
      const { expire } = yield* AbandonQuote
      const { render } = yield* ServiceContext

      const placementOf = (quoteId: QuoteId): PlacementRead =>
        book.transact({ _tag: "ForQuote", quoteId }, readPlacement(quoteId))

      /** The response as it is now, which nothing stores. */
      const present = (quoteId: QuoteId) =>
        Effect.map(placementOf(quoteId), (placement) => ({ placement, response: render.response(placement) }))

      /** For an idempotency key whose first request stopped before the payment link was stored. */
      const resume = Effect.fnUntraced(function* (quoteId: QuoteId) {
        const found = yield* quotes.byId(quoteId)
        if (found === null) return yield* new QuoteNotFound({ quoteId })
        // An expired quote is abandoned first: it can no longer be paid, or was paid already.
        const expired = hasExpired(found, yield* Clock.currentTimeMillis)
        const quote = expired ? (yield* expire(found)).quote : found
        if (awaitsApproval(quote)) return yield* present(quoteId)
        if (quote.status === "abandoned") return yield* new QuoteNotOpen({ quoteId, status: quote.status })
        return awaitsPayment(quote) && !isPaymentPending(quote)
          ? yield* payment.open(quote)
          : yield* book.transact({ _tag: "ForQuote", quoteId }, freezeResponse(quoteId, render))
      })

      const answerTo = (reply: RepeatedReply) => {
        const { quoteId } = reply
        switch (reply.kind) {
          case "resume":
            return Effect.map(resume(quoteId), atHand)
          case "freed":
            return Effect.map(present(quoteId), ({ placement, response }) =>
              atHand({ placement, response: render.withWarning(response, responseNotKept(quoteId)) })
            )
          case "replay":
            return Effect.succeed({ response: reply.response, findPlacement: placementOf(quoteId) })
        }
      }

      const labelOf = ({ accountId }: Caller, keyId: KeyId) =>
        Effect.map(keys.ofAccount(accountId), (all) => all.find(({ key }) => key.keyId === keyId)?.key.label ?? "")

      return RepeatedOrders.of({
        keyFor: Effect.fnUntraced(function* ({ caller, continues }, fingerprint) {
          const continued = continues === undefined ? null : yield* quotes.byId(continues)
          if (continued?.keyId === caller.keyId && isUnkeyed(continued.idempotencyKey, fingerprint)) {
            return continued.idempotencyKey
          }
          const found = yield* quotes.latestUnkeyed({ keyId: caller.keyId, fingerprint })
          const nowMs = yield* Clock.currentTimeMillis
          if (found === null) return keyOfUnkeyed(fingerprint, null, nowMs)
          const { quoteId } = found
          // The store's clock decides: an instance whose own clock is ahead must not buy again.
          const { quote, atMs } = yield* book
            .transact({ _tag: "ForQuote", quoteId }, readQuoteInTime(quoteId))
            .pipe(Effect.catchTag("QuoteNotFound", () => Effect.succeed({ quote: null, atMs: nowMs })))
          return keyOfUnkeyed(fingerprint, quote, atMs)
        }),
        answer: Effect.fnUntraced(function* (caller, reply) {
          const answer = yield* answerTo(reply)
          const { quoteId, placedBy } = reply
          if (placedBy === undefined) return answer
          const warning = placedByOtherCredential(quoteId, placedBy, yield* labelOf(caller, placedBy))
          return { ...answer, response: render.withWarning(answer.response, warning) }
        }),
        withLabel: Effect.fnUntraced(function* (caller, refusal) {
          const { idempotencyKey, quoteId, placedBy } = refusal
          if (placedBy === undefined) return refusal
          const label = yield* labelOf(caller, placedBy)
          return new IdempotencyKeyReused({ idempotencyKey, quoteId, placedBy, label })
        })
      })
    })
  )
}
