// Which part of the books a decision reads. The store follows the joins: for a quote it also loads what settling or abandoning that
// quote may change.
import type { LinkTarget } from "#core/domain/pricing/Cart.ts"
import type { Millis, Mode } from "#core/domain/shared/DecisionContext.ts"
import type {
  AccountId,
  DeliveryId,
  InvitationId,
  KeyId,
  LinkId,
  MemberId,
  OpportunityId,
  OrderId,
  PaymentId,
  ProjectId,
  QuoteId,
  TopUpId,
  WebhookId
} from "#core/domain/shared/Ids.ts"

export type Reads =
  /**
   * The key with its subscriptions and those for its whole account, its account and its usage of today, and what the cart names. If that
   * includes articles, also the account's open live quotes that reserve articles and have not expired.
   */
  | {
      readonly _tag: "ForPlacement"
      readonly keyId: KeyId
      readonly accountId: AccountId
      readonly mode: Mode
      readonly siteIds: ReadonlyArray<number>
      readonly articleIds: ReadonlyArray<number>
      readonly projectIds: ReadonlyArray<ProjectId>
      readonly opportunityIds: ReadonlyArray<OpportunityId>
      /** The site and the target host of each link of the cart. */
      readonly targets: ReadonlyArray<LinkTarget>
      /** The domains for which a self-opened account would take the welcome offer; the uses for them by others are read. */
      readonly welcomeDomains: ReadonlyArray<string>
      readonly promoCode: string | null
      /** The quote that it is bound to: of the key itself, otherwise the oldest of its account and mode (`boundScopeOf`). */
      readonly idempotencyKey: string | null
      /** Adds the account's quotes for the same items that are not abandoned and were made within `SIMILAR_ORDER_WINDOW_MS`. */
      readonly lookAlikesOf?: string
    }
  /**
   * The quote with its account, hold, articles, promotion, order, links, payments and binding, and its key with usage of the
   * day on which it was made, subscriptions, and those for its whole account.
   */
  | { readonly _tag: "ForQuote"; readonly quoteId: QuoteId; readonly paymentId?: PaymentId }
  /** Reads what `ForQuote` reads, and the members of its account. */
  | { readonly _tag: "ForApproval"; readonly quoteId: QuoteId }
  /**
   * The order with its account, quote, links, their articles, and its key with subscriptions and those for its whole account; and the
   * member, if given and not removed.
   */
  | { readonly _tag: "ForOrder"; readonly orderId: OrderId; readonly memberId?: MemberId }
  /** Reads what `ForOrder` reads; the order is found by one of its links. */
  | { readonly _tag: "ForLink"; readonly linkId: LinkId }
  /**
   * Reads what `ForOrder` reads, the members of its account, and another credential of it, if given; and whether another order of the account
   * links the site to that host.
   */
  | {
      readonly _tag: "ForChange"
      readonly orderId: OrderId
      readonly accountId: AccountId
      readonly keyId: KeyId | null
      readonly target: LinkTarget
    }
  /** The accounts and members that have this address, and that account with its members, if given. */
  | { readonly _tag: "ForEmail"; readonly email: string; readonly accountId?: AccountId }
  /** The account with all its keys, subscriptions, members and invitations, and the top-up of that reference, if given. */
  | { readonly _tag: "ForAccount"; readonly accountId: AccountId; readonly reference?: string }
  /** Reads what `ForAccount` reads, an open live quote, and the links of a live order that is neither completed nor cancelled, if there is one. */
  | { readonly _tag: "ForClosing"; readonly accountId: AccountId }
  /** The invitation, its account with members, and the accounts and members that have its address. */
  | { readonly _tag: "ForInvitation"; readonly invitationId: InvitationId }
  /**
   * The top-up with its refunds and disputes, and its account with keys, subscriptions and members, or, where it is not known, that
   * account; and the payment as it was booked or set aside.
   */
  | {
      readonly _tag: "ForTopUp"
      readonly topUpId: TopUpId
      readonly accountId?: AccountId
      /** The processor's id of the payment. */
      readonly reference?: string
    }
  /** Reads what `ForAccount` reads; the account is found by one of its keys. */
  | { readonly _tag: "ForKey"; readonly keyId: KeyId }
  /**
   * Reads what `ForAccount` reads; the account is found by one of its subscriptions. Adds the delivery, if given, and with `tests` the
   * tests of the subscription that were made within `TESTS_WINDOW_MS`.
   */
  | {
      readonly _tag: "ForSubscription"
      readonly webhookId: WebhookId
      readonly deliveryId?: DeliveryId
      readonly tests?: boolean
    }
  /**
   * Reads what `ForSubscription` reads, and the events that the webhook missed since `fromMs`, the first `limit` in the order of their ids:
   * those that it names, that were rendered, and of which it has no delivery, or one that failed or was dropped, which is read, too. Events of
   * which a delivery may have been freed do not count.
   */
  | { readonly _tag: "ForReplay"; readonly webhookId: WebhookId; readonly fromMs: Millis; readonly limit: number }
  /** The deliveries with their subscriptions. */
  | { readonly _tag: "ForDeliveries"; readonly deliveryIds: ReadonlyArray<DeliveryId> }
  /** The items that a listing replaces, and those that it refers to. */
  | {
      readonly _tag: "ForListing"
      readonly siteIds: ReadonlyArray<number>
      readonly articleIds: ReadonlyArray<number>
      readonly promoCodes: ReadonlyArray<string>
      readonly projectIds: ReadonlyArray<ProjectId>
      readonly opportunityIds: ReadonlyArray<OpportunityId>
      readonly accountIds: ReadonlyArray<AccountId>
      /** Adds `siteDomains`, as a listing of these finds them. */
      readonly listedSites?: ReadonlyArray<{ readonly siteId: number; readonly domain: string }>
    }
