// What a decision wants to see. The store follows the joins: asked for a quote, it also brings what settling or giving up
// that quote may touch.
import type { LinkTarget } from "#core/domain/Cart.ts"

export type Reads =
  /** The key with its subscriptions, its account and today's tally, and whatever the cart names. */
  | {
      readonly _tag: "ForPlacement"
      readonly keyId: string
      readonly accountId: string
      readonly siteIds: ReadonlyArray<number>
      readonly articleIds: ReadonlyArray<number>
      readonly projectIds: ReadonlyArray<string>
      readonly opportunityIds: ReadonlyArray<string>
      /** Where the cart's links would stand, and the hosts that they would point at. */
      readonly targets: ReadonlyArray<LinkTarget>
      readonly promoCode: string | null
      readonly idempotencyKey: string | null
    }
  /** The quote with its account, hold, articles, promotion, order, links, payments, binding, and its key's subscriptions and tally of that day. */
  | { readonly _tag: "ForQuote"; readonly quoteId: string; readonly paymentId?: string }
  /** The order with its account, quote, links, their articles, and its key's subscriptions. */
  | { readonly _tag: "ForOrder"; readonly orderId: string }
  /** As `ForOrder`, found by one of its links. */
  | { readonly _tag: "ForLink"; readonly linkId: string }
  /** The account with all its keys and subscriptions; with the top-up of that reference where one is named. */
  | { readonly _tag: "ForAccount"; readonly accountId: string; readonly reference?: string }
  /** As `ForAccount`, found by one of its keys. */
  | { readonly _tag: "ForKey"; readonly keyId: string }
  /** As `ForAccount`, found by one of its subscriptions; with one delivery where it is named. */
  | { readonly _tag: "ForSubscription"; readonly webhookId: string; readonly deliveryId?: string }
  /** The deliveries with their subscriptions. */
  | { readonly _tag: "ForDeliveries"; readonly deliveryIds: ReadonlyArray<string> }
  /** What a listing would replace. */
  | {
      readonly _tag: "ForListing"
      readonly siteIds: ReadonlyArray<number>
      readonly articleIds: ReadonlyArray<number>
      readonly promoCodes: ReadonlyArray<string>
      readonly projectIds: ReadonlyArray<string>
      readonly opportunityIds: ReadonlyArray<string>
      readonly accountIds: ReadonlyArray<string>
    }
