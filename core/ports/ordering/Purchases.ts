// Lists what credentials have bought: their quotes, in any state, and their links, one by one.
import { Context, type Effect } from "effect"
import type { ListedKeys } from "#core/domain/access/ListScope.ts"
import type { LinkList, LinkProgress, ListedPlace } from "#core/domain/ordering/LinkLists.ts"
import type { LinkConditions, OrderedLink, OrderStatus, OrderTotals } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import type { OrderedBefore } from "#core/domain/pricing/Sheet.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, KeyId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface ListedQuote {
  readonly quote: Quote
  /** `null` until the quote is paid. */
  readonly orderStatus: OrderStatus | null
}

export interface QuotePage {
  /** Newest first. */
  readonly quotes: ReadonlyArray<ListedQuote>
  /** The quotes of `leftOut` that the same list would have, at most `MAX_COUNTED`. */
  readonly leftOutCount: number
  /** The `beforeId` of the next page. */
  readonly nextBeforeId: QuoteId | null
}

/** What the account ordered on these sites for these hosts. */
export interface OrderedOn {
  readonly accountId: AccountId
  readonly siteIds: ReadonlyArray<number>
  readonly hosts: ReadonlyArray<string>
  readonly sinceMs: Millis
}

/** The place of a link in lists: its order's, and its own there. */
export interface LinkPosition {
  readonly orderId: OrderId
  readonly index: number
}

export interface LinkPage {
  /** Those of the newest order first, in the order of its items. */
  readonly links: ReadonlyArray<OrderedLink>
  readonly leftOutCount: number
  /** Over all that match; `null` where they are more than `MAX_COUNTED`. On the first page alone. */
  readonly totals?: OrderTotals | null
  /** The place of the last link, if there are more. */
  readonly next: LinkPosition | null
}

export interface ListedLinks {
  readonly links: ReadonlyArray<OrderedLink>
  /** The place of the last link, if there are more. */
  readonly next: ListedPlace | null
}

export class Purchases extends Context.Service<
  Purchases,
  {
    /** The quotes of the keys `shown` in one of these states. */
    readonly quotes: (
      query: PageRequest<QuoteId> & ListedKeys & { readonly statuses: ReadonlyArray<QuoteStatus> }
    ) => Effect.Effect<QuotePage, StoreUnavailable>
    /** The links of the keys `shown` that meet the conditions. */
    readonly links: (
      query: ListedKeys & {
        readonly conditions: LinkConditions
        /** When a link is or is not overdue. */
        readonly asOfMs: Millis
        /** At least 1. */
        readonly limit: number
        /** Continues after this place; `null` starts with the newest order. */
        readonly after: LinkPosition | null
      }
    ) => Effect.Effect<LinkPage, StoreUnavailable>
    /** How the live links of these keys of the account stand. */
    readonly progress: (query: {
      readonly accountId: AccountId
      readonly keyIds: ReadonlyArray<KeyId>
      readonly asOfMs: Millis
    }) => Effect.Effect<LinkProgress, StoreUnavailable>
    /** The links of one list, in the order of `placeIn`; those of the oldest `MAX_COUNTED` open orders of a key and state. */
    readonly inList: (query: {
      readonly accountId: AccountId
      readonly keyIds: ReadonlyArray<KeyId>
      readonly asOfMs: Millis
      readonly list: LinkList
      /** At least 1. */
      readonly limit: number
      readonly after: ListedPlace | null
    }) => Effect.Effect<ListedLinks, StoreUnavailable>
    /** The account's live links that were ordered since then and are not cancelled, by whichever credential. */
    readonly orderedOn: (query: OrderedOn) => Effect.Effect<ReadonlyArray<OrderedBefore>, StoreUnavailable>
  }
>()("backlinks/ports/ordering/Purchases") {}
