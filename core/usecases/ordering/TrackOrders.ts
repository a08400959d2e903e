// Reads quotes and orders for an agent, abandons its quotes and cancels its links. Those of another account or of the other mode are not
// found.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { type CancelReply, cancelOwnOrder } from "#core/decisions/ordering/CancelOwnOrder.ts"
import type { AccountViewRefused } from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { ListScope } from "#core/domain/access/ListScope.ts"
import type { PlacedBy } from "#core/domain/access/PlacedBy.ts"
import { type CancelRefusal, QuoteOfAnother } from "#core/domain/ordering/CancelRefusal.ts"
import type { OrderConditions, OrderStatus, OrderWithLinks, PlacedOrder } from "#core/domain/ordering/Order.ts"
import { OrderNotFound, QuoteNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import type { PaymentUnderWay } from "#core/domain/ordering/PaymentRefusal.ts"
import { awaitsApproval, hasExpired, isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import { type Reorder, reorderOf } from "#core/domain/ordering/Reorder.ts"
import { type AccountId, type LinkId, type OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { type OrderPage, Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { listedCredentials } from "../shared/ListedCredentials.ts"
import { AbandonQuote, READ_TIMEOUT } from "./AbandonQuote.ts"
import { AskProcessor } from "./AskProcessor.ts"

export interface QuoteReport {
  readonly quote: Quote
  /** `null` until the quote is paid. */
  readonly order: OrderWithLinks | null
  /** Where an owner approves or declines it; `null` unless it awaits that. */
  readonly approvalUrl: string | null
  readonly asOfMs: number
}

/** What its caller is shown. */
export interface PlacedQuoteReport extends QuoteReport {
  readonly placedBy: PlacedBy
}

export interface PlacedOrderPage extends OrderPage {
  readonly orders: ReadonlyArray<PlacedOrder>
}

interface Owned {
  readonly accountId: AccountId
  readonly mode: Caller["mode"]
}

const belongsTo = (caller: Caller, thing: Owned): boolean =>
  thing.accountId === caller.accountId && thing.mode === caller.mode

/** What an order under an idempotency key that no order has is now. */
const orderNow = ({ mode, scopes }: Caller) =>
  scopes.includes("order") ? (mode === "live" ? "once" : "again") : ("forbidden" as const)

type QuoteFault = QuoteNotFound | StoreUnavailable

export class TrackOrders extends Context.Service<
  TrackOrders,
  {
    readonly quote: (caller: Caller, quoteId: QuoteId) => Effect.Effect<PlacedQuoteReport, QuoteFault>
    /** Finds the quote of an order whose response was lost, by its idempotency key: of this credential, otherwise of its account and mode. */
    readonly quoteByIdempotencyKey: (
      caller: Caller,
      idempotencyKey: string
    ) => Effect.Effect<PlacedQuoteReport, QuoteFault>
    /** Only by the key that made the quote, and not once it is paid. One that was given up already stays so, also if another did it. */
    readonly abandon: (
      caller: Caller,
      quoteId: QuoteId
    ) => Effect.Effect<
      PlacedQuoteReport,
      QuoteFault | QuoteOfAnother | QuoteNotOpen | PaymentUnderWay | ProcessorUnavailable
    >
    readonly order: (
      caller: Caller,
      orderId: OrderId
    ) => Effect.Effect<OrderWithLinks, OrderNotFound | StoreUnavailable>
    /**
     * Cancels these links, or all of the order, only by the key that placed it and while no work has begun: all of them or none, or those
     * that can be cancelled.
     */
    readonly cancel: (
      caller: Caller,
      orderId: OrderId,
      asked: { readonly linkIds: ReadonlyArray<LinkId> | null; readonly cancellableOnly: boolean }
    ) => Effect.Effect<CancelReply, OrderNotFound | CancelRefusal | StoreUnavailable>
    /** The order with who placed it. */
    readonly placed: (caller: Caller, order: OrderWithLinks) => Effect.Effect<PlacedOrder, StoreUnavailable>
    /** What to order for the same links again. */
    readonly reorder: (order: OrderWithLinks) => Effect.Effect<Reorder, StoreUnavailable>
    /** The orders of this credential, or of all of its account in its mode, newest first. */
    readonly orders: (
      caller: Caller,
      query: PageRequest<OrderId> & {
        readonly scope: ListScope
        readonly status: OrderStatus | null
        readonly conditions: OrderConditions
      }
    ) => Effect.Effect<PlacedOrderPage, AccountViewRefused | StoreUnavailable>
    /** The report on any quote, without a check of its owner. */
    readonly report: (quote: Quote) => Effect.Effect<QuoteReport, StoreUnavailable>
  }
>()("backlinks/usecases/ordering/TrackOrders") {
  static readonly layer = Layer.effect(
    TrackOrders,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const quotes = yield* Quotes
      const orders = yield* Orders
      const catalogue = yield* Catalogue
      const { listed, placerOf } = yield* listedCredentials
      const { abandon, expire } = yield* AbandonQuote
      const { ask } = yield* AskProcessor
      const { approvalPage, render } = yield* ServiceContext

      /**
       * Abandons the quote if it has expired, and asks the processor whether an open one was paid. It stays unchanged if the processor
       * fails or the time runs out.
       */
      const refreshWithin = (limit: Duration.Duration) =>
        Effect.fnUntraced(function* (quote: Quote) {
          const atMs = yield* Clock.currentTimeMillis
          if (!hasExpired(quote, atMs)) return { quote: yield* ask(quote), atMs }
          const unchanged = () => Effect.succeed({ quote, atMs })
          return yield* expire(quote).pipe(
            Effect.catchTag(["ProcessorUnavailable", "QuoteNotFound"], unchanged),
            Effect.timeoutOrElse({ duration: limit, orElse: unchanged })
          )
        })

      const refresh = refreshWithin(Duration.infinity)
      const refreshForRead = refreshWithin(READ_TIMEOUT)

      const report = Effect.fn("TrackOrders.report")(function* (found: Quote) {
        const { quote, atMs: asOfMs } = yield* refreshForRead(found)
        const order = quote.orderId === null ? null : yield* orders.byId(quote.orderId)
        return { quote, order, asOfMs, approvalUrl: awaitsApproval(quote) ? approvalPage(quote.quoteId) : null }
      })

      const reportTo = Effect.fnUntraced(function* (caller: Caller, quote: Quote) {
        return { ...(yield* report(quote)), placedBy: yield* placerOf(caller, quote) }
      })

      const owned = Effect.fnUntraced(function* (caller: Caller, quoteId: QuoteId) {
        const quote = yield* quotes.byId(quoteId)
        return quote === null || !belongsTo(caller, quote) ? yield* new QuoteNotFound({ quoteId }) : quote
      })

      const ownedOrder = Effect.fnUntraced(function* (caller: Caller, orderId: OrderId) {
        const found = yield* orders.byId(orderId)
        return found === null || !belongsTo(caller, found.order) ? yield* new OrderNotFound({ orderId }) : found
      })

      const refuseClosed = ({ quoteId, status }: Quote) => new QuoteNotOpen({ quoteId, status })

      return TrackOrders.of({
        report,
        quote: Effect.fn("TrackOrders.quote")(function* (caller, quoteId) {
          return yield* reportTo(caller, yield* owned(caller, quoteId))
        }),
        quoteByIdempotencyKey: Effect.fn("TrackOrders.quoteByIdempotencyKey")(function* (caller, idempotencyKey) {
          const quote = yield* quotes.byIdempotencyKey(caller, idempotencyKey)
          return quote === null
            ? yield* new QuoteNotFound({ quoteId: QuoteId.make(""), soughtBy: orderNow(caller) })
            : yield* reportTo(caller, quote)
        }),
        abandon: Effect.fn("TrackOrders.abandon")(function* (caller, quoteId) {
          const found = yield* owned(caller, quoteId)
          if (found.keyId !== caller.keyId) return yield* new QuoteOfAnother({ quoteId })
          const { quote } = yield* refresh(found)
          // It may be paid or given up meanwhile.
          const result = isOpen(quote) ? yield* abandon(quote, "agent") : quote
          return result.status === "abandoned" ? yield* reportTo(caller, result) : yield* refuseClosed(result)
        }),
        order: Effect.fn("TrackOrders.order")(ownedOrder),
        cancel: Effect.fn("TrackOrders.cancel")(function* (caller, orderId, asked) {
          yield* ownedOrder(caller, orderId)
          const decide = cancelOwnOrder({ ...asked, orderId, keyId: caller.keyId, render })
          return yield* book.transact({ _tag: "ForOrder", orderId }, decide)
        }),
        placed: (caller, found) => Effect.map(placerOf(caller, found.order), (placedBy) => ({ ...found, placedBy })),
        reorder: ({ links }) =>
          Effect.map(catalogue.openOf(links.map(({ siteId }) => siteId)), (open) => reorderOf(links, open)),
        orders: Effect.fn("TrackOrders.orders")(function* (caller, { scope, ...query }) {
          const { keys, placedBy } = yield* listed(caller, scope)
          const page = yield* orders.listed({ ...keys, ...query })
          return { ...page, orders: page.orders.map((one) => ({ ...one, placedBy: placedBy(one.order) })) }
        })
      })
    })
  )
}
