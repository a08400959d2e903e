// The links of an account, by whichever key, connection or member: how they stand together, and the lists of them.
import { Clock, Context, Effect, Layer } from "effect"
import type { LinkList, LinkProgress, ListedPlace } from "#core/domain/ordering/LinkLists.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { AccountId, OrderId } from "#core/domain/shared/Ids.ts"
import { ApiKeys, type ApiKeyWithUsage } from "#core/ports/access/ApiKeys.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { type ListedLinks, Purchases } from "#core/ports/ordering/Purchases.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { keyIdsIn } from "../shared/AccountKeys.ts"

export interface LinkListQuery {
  readonly accountId: AccountId
  readonly list: LinkList
  readonly limit: number
  readonly after: ListedPlace | null
}

export class ViewLinks extends Context.Service<
  ViewLinks,
  {
    /** `keys`: all of the account. */
    readonly progress: (
      accountId: AccountId,
      keys: ReadonlyArray<ApiKeyWithUsage>
    ) => Effect.Effect<LinkProgress, StoreUnavailable>
    /** The orders that the ids name, in any order; the ids of other accounts name none. */
    readonly ordersNamed: (
      accountId: AccountId,
      orderIds: ReadonlyArray<OrderId>
    ) => Effect.Effect<ReadonlyArray<OrderWithLinks>, StoreUnavailable>
    readonly page: (query: LinkListQuery) => Effect.Effect<ListedLinks, StoreUnavailable>
  }
>()("backlinks/usecases/ordering/ViewLinks") {
  static readonly layer = Layer.effect(
    ViewLinks,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const orders = yield* Orders
      const purchases = yield* Purchases

      const asked = (accountId: AccountId, all: ReadonlyArray<ApiKeyWithUsage>) =>
        Effect.map(Clock.currentTimeMillis, (asOfMs) => ({ accountId, keyIds: keyIdsIn(all, "live"), asOfMs }))

      return ViewLinks.of({
        progress: Effect.fn("ViewLinks.progress")(function* (accountId, all) {
          return yield* purchases.progress(yield* asked(accountId, all))
        }),
        ordersNamed: Effect.fn("ViewLinks.ordersNamed")((accountId, orderIds) =>
          Effect.map(orders.byIds([...new Set(orderIds)]), (found) =>
            found.filter(({ order }) => order.accountId === accountId)
          )
        ),
        page: Effect.fn("ViewLinks.page")(function* ({ accountId, ...query }) {
          const all = yield* keys.ofAccount(accountId)
          return yield* purchases.inList({ ...(yield* asked(accountId, all)), ...query })
        })
      })
    })
  )
}
