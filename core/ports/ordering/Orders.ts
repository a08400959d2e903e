// Reads orders and their links. They are placed, moved and cancelled through the order book.
import { Context, type Effect } from "effect"
import type { ListedKeys } from "#core/domain/access/ListScope.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { OrderConditions, OrderStatus, OrderTotals, OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId, LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface OrderPage {
  /** Newest first. */
  readonly orders: ReadonlyArray<OrderWithLinks>
  readonly total: number
  /** The orders of `leftOut` that the same list would have, at most `MAX_COUNTED`. */
  readonly leftOutCount: number
  /** The sums over all orders that match, on the first page alone; `null` above `MAX_COUNTED`. */
  readonly totals?: OrderTotals | null
  /** The `beforeId` of the next page. */
  readonly nextBeforeId: OrderId | null
}

/** Orders that one page with conditions examines, unless told otherwise: its time does not grow with the number of an account's orders. */
export const EXAMINED_ORDERS = 500

export interface OrderSearchPage extends Pick<OrderPage, "orders" | "nextBeforeId"> {
  /**
   * When the last examined order was made, if no more were to be examined before the page was full; `nextBeforeId` continues behind it.
   * `null` where the page is full, or nothing is left.
   */
  readonly examinedToMs: Millis | null
}

export class Orders extends Context.Service<
  Orders,
  {
    readonly byId: (orderId: OrderId) => Effect.Effect<OrderWithLinks | null, StoreUnavailable>
    /** Those that there are of these ids, in any order. */
    readonly byIds: (orderIds: ReadonlyArray<OrderId>) => Effect.Effect<ReadonlyArray<OrderWithLinks>, StoreUnavailable>
    /** Those that there are of these links, in any order. */
    readonly linksNamed: (linkIds: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<Link>, StoreUnavailable>
    /** The orders of the keys `shown` that meet the conditions; only those with `status`, unless it is `null`. */
    readonly listed: (
      query: PageRequest<OrderId> &
        ListedKeys & {
          readonly status: OrderStatus | null
          readonly conditions?: OrderConditions
        }
    ) => Effect.Effect<OrderPage, StoreUnavailable>
    /** The orders of any of these keys, as of all keys of an account; without a total, which would cost more than the page. */
    readonly ofKeys: (
      query: PageRequest<OrderId> & {
        readonly keyIds: ReadonlyArray<KeyId>
        readonly statuses: ReadonlyArray<OrderStatus>
        readonly conditions?: OrderConditions
        /** The most orders examined for a page with conditions; `EXAMINED_ORDERS` unless given. */
        readonly examine?: number
      }
    ) => Effect.Effect<OrderSearchPage, StoreUnavailable>
    /** Refunds and disputes of the quote's payment, oldest first. */
    readonly reversalsOf: (quoteId: QuoteId) => Effect.Effect<ReadonlyArray<Reversal>, StoreUnavailable>
    /**
     * Live links that are neither online nor cancelled, oldest first: the work list of the operator. With `overdueAtMs`, those that are
     * overdue at that time.
     */
    readonly queue: (query: {
      readonly limit: number
      readonly afterId: LinkId | null
      readonly overdueAtMs?: Millis
    }) => Effect.Effect<ReadonlyArray<Link>, StoreUnavailable>
    /**
     * Those of the links that are neither online nor cancelled, were paid from credit after a top-up that was refunded or disputed since, and
     * whose account still owes something.
     */
    readonly atRisk: (linkIds: ReadonlyArray<LinkId>) => Effect.Effect<ReadonlyArray<LinkId>, StoreUnavailable>
  }
>()("backlinks/ports/ordering/Orders") {}
