// What the people of an account see of all its keys and connections together: credit, open quotes, usage, orders and webhooks.
import { Clock, Context, Effect, Layer } from "effect"
import { isActive } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { byDueDate } from "#core/domain/ordering/DueDate.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { OrderNotFound, QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { type Reorder, reorderOf } from "#core/domain/ordering/Reorder.ts"
import { dayEndsAtMs, type Millis, type Mode, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { ApiKeys, type ApiKeyWithUsage } from "#core/ports/access/ApiKeys.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { type OrderSearchPage, Orders } from "#core/ports/ordering/Orders.ts"
import { Purchases, type QuotePage } from "#core/ports/ordering/Purchases.ts"
import { Quotes, type WaitingCounts } from "#core/ports/ordering/Quotes.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"
import { type QuoteReport, TrackOrders } from "../ordering/TrackOrders.ts"
import { ViewWaiting, type Waiting } from "../ordering/ViewWaiting.ts"
import { keyIdsIn, ordersUnderWay } from "../shared/AccountKeys.ts"
import { type OrderSearch, orderSearch } from "./OrderSearch.ts"

/** What a key or a connection has used of this UTC day. */
export interface KeyToday extends ApiKeyWithUsage {
  readonly quotes: number
  readonly spentCents: number
  /** 0: none. */
  readonly dailyOrderCap: number
}

export interface AccountOverview {
  readonly availableCents: number
  readonly heldCents: number
  readonly waiting: Waiting
  /** Live orders whose links are not all online: among the newest `ORDERS_EXAMINED` those that are due first; at most `ORDERS_SHOWN`. */
  readonly ordersUnderWay: ReadonlyArray<OrderWithLinks>
  /** How many more there are; `null` where they are not counted, beyond `ORDERS_EXAMINED`. */
  readonly moreUnderWay: number | null
  /** When the day of the limits ends. */
  readonly dayEndsAtMs: Millis
}

export const ORDERS_SHOWN = 3

/** Older orders are the first to be late: many more are read than are shown. */
const ORDERS_EXAMINED = 50

export interface QuoteSearch extends PageRequest<QuoteId> {
  readonly accountId: AccountId
  readonly mode: Mode
  readonly statuses: ReadonlyArray<QuoteStatus>
}

export class ViewAccount extends Context.Service<
  ViewAccount,
  {
    /** `keys`: all of the account. */
    readonly overview: (
      accountId: AccountId,
      keys: ReadonlyArray<ApiKeyWithUsage>
    ) => Effect.Effect<AccountOverview, AccountNotFound | StoreUnavailable>
    /** How many live orders wait for the approval of an owner, and how many to be paid. */
    readonly waitingCounts: (accountId: AccountId) => Effect.Effect<WaitingCounts, StoreUnavailable>
    /** Every key and connection that the account ever had, and the Shop's credential, oldest first: its orders name them. */
    readonly keys: (accountId: AccountId) => Effect.Effect<ReadonlyArray<ApiKeyWithUsage>, StoreUnavailable>
    /** The active keys and connections, with what they used today. */
    readonly keysToday: (accountId: AccountId) => Effect.Effect<ReadonlyArray<KeyToday>, StoreUnavailable>
    /** The daily cap on orders of a key without a cap that its owner set; 0 means no limit. */
    readonly usualOrderCap: number
    /** Newest first. A key of another account has none. */
    readonly orders: (search: OrderSearch) => Effect.Effect<OrderSearchPage, StoreUnavailable>
    /** Includes what to order for the same links again. */
    readonly order: (
      accountId: AccountId,
      orderId: OrderId
    ) => Effect.Effect<
      { readonly found: OrderWithLinks; readonly quote: Quote | null; readonly reorder: Reorder },
      OrderNotFound | StoreUnavailable
    >
    readonly quote: (
      accountId: AccountId,
      quoteId: QuoteId
    ) => Effect.Effect<QuoteReport, QuoteNotFound | StoreUnavailable>
    /** Those that the ids name, in any order; the ids of other accounts name none. */
    readonly quotesNamed: (
      accountId: AccountId,
      quoteIds: ReadonlyArray<QuoteId>
    ) => Effect.Effect<ReadonlyArray<Quote>, StoreUnavailable>
    /** The quotes of the account in these states, no matter who made them, newest first. */
    readonly quotes: (search: QuoteSearch) => Effect.Effect<Omit<QuotePage, "leftOutCount">, StoreUnavailable>
    /** The active webhooks of every key and connection, oldest first within each. */
    readonly webhooks: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
  }
>()("backlinks/usecases/members/ViewAccount") {
  static readonly layer = Layer.effect(
    ViewAccount,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const quotes = yield* Quotes
      const orders = yield* Orders
      const purchases = yield* Purchases
      const apiKeys = yield* ApiKeys
      const catalogue = yield* Catalogue
      const subscriptions = yield* Subscriptions
      const sweeper = yield* SweepQuotes
      const { all: allWaiting } = yield* ViewWaiting
      const tracking = yield* TrackOrders
      const { settings } = yield* ServiceContext

      const underWay = yield* ordersUnderWay

      return ViewAccount.of({
        overview: Effect.fn("ViewAccount.overview")(function* (accountId, keys) {
          // It sweeps the account, which frees what expired quotes held.
          const waiting = yield* allWaiting(accountId)
          const view = yield* wallets.of(accountId)
          if (view === null) return yield* new AccountNotFound({ accountId })
          const { wallet } = view.account
          const { orders, nextBeforeId } = yield* underWay(keys, ORDERS_EXAMINED)
          const shown = byDueDate(orders).slice(0, ORDERS_SHOWN)
          return {
            availableCents: availableCents(wallet),
            heldCents: wallet.heldCents,
            waiting,
            ordersUnderWay: shown,
            moreUnderWay: nextBeforeId === null ? orders.length - shown.length : null,
            dayEndsAtMs: dayEndsAtMs(utcDay(yield* Clock.currentTimeMillis))
          }
        }),
        usualOrderCap: settings.dailyOrderCap,
        waitingCounts: quotes.waitingCounts,
        keys: apiKeys.ofAccount,
        keysToday: Effect.fn("ViewAccount.keysToday")(function* (accountId) {
          const nowMs = yield* Clock.currentTimeMillis
          const active = (yield* apiKeys.ofAccount(accountId)).filter(
            ({ key }) => isActive(key, nowMs) && !isWebCredential(key.keyId)
          )
          return yield* Effect.forEach(active, (one) =>
            Effect.map(wallets.dailyUsage(one.key.keyId, utcDay(nowMs)), ({ quotes, spentCents }) => ({
              ...one,
              quotes,
              spentCents,
              dailyOrderCap: one.key.limits.dailyOrderCap ?? settings.dailyOrderCap
            }))
          )
        }),
        orders: Effect.fn("ViewAccount.orders")(yield* orderSearch),
        order: Effect.fn("ViewAccount.order")(function* (accountId, orderId) {
          const found = yield* orders.byId(orderId)
          if (found === null || found.order.accountId !== accountId) return yield* new OrderNotFound({ orderId })
          const open = yield* catalogue.openOf(found.links.map(({ siteId }) => siteId))
          const quote = yield* quotes.byId(found.order.quoteId)
          return { found, quote, reorder: reorderOf(found.links, open) }
        }),
        quote: Effect.fn("ViewAccount.quote")(function* (accountId, quoteId) {
          const quote = yield* quotes.byId(quoteId)
          if (quote === null || quote.accountId !== accountId) return yield* new QuoteNotFound({ quoteId })
          return yield* tracking.report(quote)
        }),
        quotesNamed: Effect.fn("ViewAccount.quotesNamed")((accountId, quoteIds) =>
          Effect.map(quotes.byIds([...new Set(quoteIds)]), (found) =>
            found.filter((one) => one.accountId === accountId)
          )
        ),
        quotes: Effect.fn("ViewAccount.quotes")(function* ({ accountId, mode, ...query }) {
          // What has expired is listed as that.
          yield* sweeper.sweepAccount(accountId)
          const shown = keyIdsIn(yield* apiKeys.ofAccount(accountId), mode)
          return yield* purchases.quotes({ ...query, shown, leftOut: [] })
        }),
        webhooks: Effect.fn("ViewAccount.webhooks")(function* (accountId) {
          const keys = yield* apiKeys.ofAccount(accountId)
          const nowMs = yield* Clock.currentTimeMillis
          const active = keys.filter(({ key }) => isActive(key, nowMs))
          return (yield* Effect.forEach(active, ({ key }) => subscriptions.ofKey(key.keyId))).flat()
        })
      })
    })
  )
}
