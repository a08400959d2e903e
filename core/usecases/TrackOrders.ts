// Tells an agent what became of its quotes and orders. Another account's, or one of the other mode, does not exist for it.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { Caller } from "#core/domain/ApiKey.ts"
import type { OrderStatus, OrderWithLinks } from "#core/domain/Order.ts"
import { hasExpired, isOpen, type Quote } from "#core/domain/Quote.ts"
import { OrderNotFound, type PaymentMismatch, QuoteNotFound, QuoteNotOpen } from "#core/domain/Refusal.ts"
import { type OrderPage, Orders } from "#core/ports/Orders.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"

export interface QuoteReport {
  readonly quote: Quote
  /** Once it is paid. */
  readonly order: OrderWithLinks | null
  readonly asOfMs: number
}

interface Owned {
  readonly accountId: string
  readonly mode: Caller["mode"]
}

const belongsTo = (caller: Caller, thing: Owned): boolean =>
  thing.accountId === caller.accountId && thing.mode === caller.mode

type QuoteFault = QuoteNotFound | StoreUnavailable

export class TrackOrders extends Context.Service<
  TrackOrders,
  {
    readonly quote: (caller: Caller, quoteId: string) => Effect.Effect<QuoteReport, QuoteFault>
    /** "Did it go through?": by the key that was sent with the order, under the same API key. */
    readonly quoteByIdempotencyKey: (caller: Caller, idempotencyKey: string) => Effect.Effect<QuoteReport, QuoteFault>
    /** By the agent; only while the quote is open. `PaymentMismatch`: it was paid, but not what was asked. */
    readonly abandon: (
      caller: Caller,
      quoteId: string
    ) => Effect.Effect<QuoteReport, QuoteFault | QuoteNotOpen | PaymentMismatch | ProcessorUnavailable>
    readonly order: (caller: Caller, orderId: string) => Effect.Effect<OrderWithLinks, OrderNotFound | StoreUnavailable>
    /** Those placed with this key, newest first. */
    readonly orders: (
      caller: Caller,
      query: { readonly status: OrderStatus | null; readonly limit: number; readonly beforeId: string | null }
    ) => Effect.Effect<OrderPage, StoreUnavailable>
    /** What is to be said of a quote, whoever asks. */
    readonly report: (quote: Quote) => Effect.Effect<QuoteReport, StoreUnavailable>
  }
>()("backlinks/usecases/TrackOrders") {
  static readonly layer = Layer.effect(
    TrackOrders,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const orders = yield* Orders
      const { abandon } = yield* AbandonQuote

      /** The quote as it stands now: expiry takes effect on sight, unless the processor cannot be asked. */
      const standing = (patience: Duration.Duration) =>
        Effect.fnUntraced(function* (quote: Quote) {
          if (!hasExpired(quote, yield* Clock.currentTimeMillis)) return quote
          const asItWas = () => Effect.succeed(quote)
          return yield* abandon(quote, "expiry").pipe(
            Effect.catchTag(["ProcessorUnavailable", "QuoteNotFound", "PaymentMismatch"], asItWas),
            Effect.timeoutOrElse({ duration: patience, orElse: asItWas })
          )
        })

      const current = standing(Duration.infinity)
      const shown = standing(READ_TIMEOUT)

      const report = Effect.fn("TrackOrders.report")(function* (found: Quote) {
        const quote = yield* shown(found)
        const order = quote.orderId === null ? null : yield* orders.byId(quote.orderId)
        return { quote, order, asOfMs: yield* Clock.currentTimeMillis }
      })

      const owned = Effect.fnUntraced(function* (caller: Caller, quoteId: string) {
        const quote = yield* quotes.byId(quoteId)
        return quote === null || !belongsTo(caller, quote) ? yield* new QuoteNotFound({ quoteId }) : quote
      })

      const refuseClosed = ({ quoteId, status }: Quote) =>
        new QuoteNotOpen({ quoteId, status: status === "paid" ? "paid" : "abandoned" })

      return TrackOrders.of({
        report,
        quote: Effect.fn("TrackOrders.quote")(function* (caller, quoteId) {
          return yield* report(yield* owned(caller, quoteId))
        }),
        quoteByIdempotencyKey: Effect.fn("TrackOrders.quoteByIdempotencyKey")(function* (caller, idempotencyKey) {
          const quote = yield* quotes.byIdempotencyKey(caller.keyId, idempotencyKey)
          return quote === null ? yield* new QuoteNotFound({ quoteId: "" }) : yield* report(quote)
        }),
        abandon: Effect.fn("TrackOrders.abandon")(function* (caller, quoteId) {
          const quote = yield* current(yield* owned(caller, quoteId))
          if (!isOpen(quote)) return yield* refuseClosed(quote)
          const left = yield* abandon(quote, "agent")
          // Somebody was quicker: paid, or given up by another. Only our own abandonment is answered as done.
          return left.abandonedBy === "agent" ? yield* report(left) : yield* refuseClosed(left)
        }),
        order: Effect.fn("TrackOrders.order")(function* (caller, orderId) {
          const found = yield* orders.byId(orderId)
          return found === null || !belongsTo(caller, found.order) ? yield* new OrderNotFound({ orderId }) : found
        }),
        orders: Effect.fn("TrackOrders.orders")((caller, query) => orders.ofKey({ keyId: caller.keyId, ...query }))
      })
    })
  )
}
