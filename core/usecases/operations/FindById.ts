// Finds accounts, quotes and orders of any account by id, for the operator.
import { Context, Effect, Layer } from "effect"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { OrderNotFound, QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import type { AccountId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { ApiKeyWithUsage } from "#core/ports/access/ApiKeys.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Wallets, type WalletView } from "#core/ports/wallet/Wallets.ts"
import { Credentials } from "../access/Credentials.ts"
import { type QuoteReport, TrackOrders } from "../ordering/TrackOrders.ts"

export interface AccountReport extends WalletView {
  readonly keys: ReadonlyArray<ApiKeyWithUsage>
}

export class FindById extends Context.Service<
  FindById,
  {
    /** The account and its wallet, without keys. */
    readonly wallet: (accountId: AccountId) => Effect.Effect<WalletView, AccountNotFound | StoreUnavailable>
    readonly account: (accountId: AccountId) => Effect.Effect<AccountReport, AccountNotFound | StoreUnavailable>
    readonly quote: (quoteId: QuoteId) => Effect.Effect<QuoteReport, QuoteNotFound | StoreUnavailable>
    /** Refunds and disputes of the quote's payment, oldest first. */
    readonly reversals: Orders["Service"]["reversalsOf"]
    readonly order: (orderId: OrderId) => Effect.Effect<OrderWithLinks, OrderNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/operations/FindById") {
  static readonly layer = Layer.effect(
    FindById,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const keys = yield* Credentials
      const quotes = yield* Quotes
      const orders = yield* Orders
      const tracking = yield* TrackOrders

      const wallet = Effect.fn("FindById.wallet")(function* (accountId: AccountId) {
        return (yield* wallets.of(accountId)) ?? (yield* new AccountNotFound({ accountId }))
      })

      return FindById.of({
        wallet,
        account: Effect.fn("FindById.account")(function* (accountId) {
          return { ...(yield* wallet(accountId)), keys: yield* keys.list(accountId) }
        }),
        quote: Effect.fn("FindById.quote")(function* (quoteId) {
          const quote = yield* quotes.byId(quoteId)
          return quote === null ? yield* new QuoteNotFound({ quoteId }) : yield* tracking.report(quote)
        }),
        reversals: orders.reversalsOf,
        order: Effect.fn("FindById.order")(function* (orderId) {
          return (yield* orders.byId(orderId)) ?? (yield* new OrderNotFound({ orderId }))
        })
      })
    })
  )
}
