// Finds anything by its id, whoever's it is: for the operator, who helps everybody.
import { Context, Effect, Layer } from "effect"
import { AccountNotFound, OrderNotFound, QuoteNotFound } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { type KeyOnRing, KeyRing } from "#core/ports/KeyRing.ts"
import { type OrderAndLinks, Orders } from "#core/ports/Orders.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { Wallets, type WalletView } from "#core/ports/Wallets.ts"
import { type QuoteReport, TrackOrders } from "./TrackOrders.ts"

export interface AccountReport extends WalletView {
  readonly keys: ReadonlyArray<KeyOnRing>
}

export class LookUp extends Context.Service<
  LookUp,
  {
    /** The account with its wallet alone. */
    readonly wallet: (accountId: string) => Effect.Effect<WalletView, AccountNotFound | StoreUnavailable>
    readonly account: (accountId: string) => Effect.Effect<AccountReport, AccountNotFound | StoreUnavailable>
    readonly quote: (quoteId: string) => Effect.Effect<QuoteReport, QuoteNotFound | StoreUnavailable>
    readonly order: (orderId: string) => Effect.Effect<OrderAndLinks, OrderNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/LookUp") {
  static readonly layer = Layer.effect(
    LookUp,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const ring = yield* KeyRing
      const quotes = yield* Quotes
      const orders = yield* Orders
      const tracking = yield* TrackOrders

      const wallet = Effect.fn("LookUp.wallet")(function* (accountId: string) {
        return (yield* wallets.of(accountId)) ?? (yield* new AccountNotFound({ accountId }))
      })

      return LookUp.of({
        wallet,
        account: Effect.fn("LookUp.account")(function* (accountId) {
          return { ...(yield* wallet(accountId)), keys: yield* ring.ofAccount(accountId) }
        }),
        quote: Effect.fn("LookUp.quote")(function* (quoteId) {
          const quote = yield* quotes.byId(quoteId)
          return quote === null ? yield* new QuoteNotFound({ quoteId }) : yield* tracking.report(quote)
        }),
        order: Effect.fn("LookUp.order")(function* (orderId) {
          return (yield* orders.byId(orderId)) ?? (yield* new OrderNotFound({ orderId }))
        })
      })
    })
  )
}
