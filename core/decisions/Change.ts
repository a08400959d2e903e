// Every change to the books, as data. A decision returns a list of changes; `apply` folds them, and a store writes all or none.

import type { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import type { Connection } from "#core/domain/access/Connection.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Account, AccountState } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { Invitation } from "#core/domain/members/Invitation.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Binding } from "#core/domain/ordering/Idempotency.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { LinkChange } from "#core/domain/ordering/LinkChange.ts"
import type { LinkMove } from "#core/domain/ordering/LinkHistory.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import type { Payment, Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteChange } from "#core/domain/ordering/QuoteChange.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Promo, PromoReservation } from "#core/domain/pricing/Promo.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, HoldId, KeyId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Hold } from "#core/domain/wallet/Hold.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import type { TopUpReversal } from "#core/domain/wallet/TopUpReversal.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import type { EndpointHealth } from "#core/domain/webhooks/EndpointHealth.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import type { Keys, Subscription } from "#core/domain/webhooks/Subscription.ts"

export type Change =
  | { readonly _tag: "AccountOpened"; readonly account: Account }
  | { readonly _tag: "EmailChanged"; readonly accountId: AccountId; readonly email: string }
  | { readonly _tag: "AccountStateChanged"; readonly accountId: AccountId; readonly state: AccountState }
  /** New, or in place of what was known of it. */
  | { readonly _tag: "MemberSaved"; readonly member: Member }
  /** New, or in place of what was known of it. */
  | { readonly _tag: "InvitationSaved"; readonly invitation: Invitation }
  /** Credit for the wallet: a top-up, a late payment, a cancelled link, or what a dispute that was won had taken. */
  | { readonly _tag: "Credited"; readonly entry: LedgerEntry }
  /** An adjustment: the balance falls. */
  | { readonly _tag: "Debited"; readonly entry: LedgerEntry }
  /** What the account owes of refunded and disputed top-ups, from now on. */
  | { readonly _tag: "OwedChanged"; readonly accountId: AccountId; readonly owedCents: Cents }
  /** New, or in place of what was known of it. */
  | { readonly _tag: "TopUpSaved"; readonly topUp: TopUp }
  /** New, or in place of what was known of it. */
  | { readonly _tag: "TopUpReversed"; readonly reversal: TopUpReversal }
  | { readonly _tag: "HoldPlaced"; readonly hold: Hold; readonly entry: LedgerEntry }
  /** Free credit pays an order: one that it covers at once, or one whose late payment came after its hold was released. */
  | { readonly _tag: "CreditCaptured"; readonly entry: LedgerEntry }
  | { readonly _tag: "HoldCaptured"; readonly holdId: HoldId; readonly entry: LedgerEntry }
  | { readonly _tag: "HoldReleased"; readonly holdId: HoldId; readonly entry: LedgerEntry }
  | { readonly _tag: "QuoteOpened"; readonly quote: Quote }
  | QuoteChange
  | { readonly _tag: "PaymentRecorded"; readonly payment: Payment }
  /** Money that could not be booked; or, with an outcome, what became of it. */
  | { readonly _tag: "PaymentSetAside"; readonly setAside: PaymentSetAside }
  /** New, or in place of what was known of it. */
  | { readonly _tag: "ReversalRecorded"; readonly reversal: Reversal }
  | { readonly _tag: "OrderPlaced"; readonly order: Order; readonly links: ReadonlyArray<Link> }
  | { readonly _tag: "LinkMoved"; readonly move: LinkMove }
  /** Its text; status and price stay. */
  | { readonly _tag: "LinkChanged"; readonly change: LinkChange }
  | {
      readonly _tag: "ArticleReserved"
      readonly articleId: number
      readonly quoteId: QuoteId
      readonly untilMs: Millis
    }
  | { readonly _tag: "ArticleSold"; readonly articleId: number; readonly quoteId: QuoteId }
  /** Ignored if another quote has reserved or bought the article meanwhile. */
  | { readonly _tag: "ArticleFreed"; readonly articleId: number; readonly quoteId: QuoteId }
  | { readonly _tag: "PromoReserved"; readonly code: string; readonly reservation: PromoReservation }
  | { readonly _tag: "PromoSpent"; readonly code: string; readonly quoteId: QuoteId; readonly accountId: AccountId }
  | { readonly _tag: "PromoReleased"; readonly code: string; readonly quoteId: QuoteId; readonly accountId: AccountId }
  | ({ readonly _tag: "WelcomeReserved"; readonly untilMs: Millis } & WelcomeTaker)
  | ({ readonly _tag: "WelcomeSpent" } & WelcomeTaker)
  /** Ignored if another quote has reserved or spent the offer meanwhile. */
  | ({ readonly _tag: "WelcomeReleased" } & WelcomeTaker)
  | { readonly _tag: "DailyOrderCounted"; readonly keyId: KeyId; readonly day: number }
  /** A quote adds its total to the usage of its key's day; an abandonment subtracts it. */
  | { readonly _tag: "DailySpendChanged"; readonly keyId: KeyId; readonly day: number; readonly cents: Cents }
  /** The owners are told that the key has used most of a limit of its day. */
  | { readonly _tag: "NearLimitTold"; readonly keyId: KeyId; readonly day: number; readonly atMs: Millis }
  | { readonly _tag: "KeyBound"; readonly binding: Binding }
  | {
      readonly _tag: "ResponseStored"
      readonly binding: Binding
      readonly response: Frozen
    }
  | { readonly _tag: "KeyIssued"; readonly key: ApiKey }
  /** A connection whose client an owner connected once more. */
  | ({ readonly _tag: "ConsentRenewed"; readonly keyId: KeyId } & RenewedConsent)
  /** Its text alone; what refers to the key stays. */
  | ({ readonly _tag: "KeyRotated"; readonly keyId: KeyId } & RotatedText)
  | { readonly _tag: "KeyRevoked"; readonly keyId: KeyId; readonly atMs: Millis; readonly by?: Actor }
  | { readonly _tag: "KeyLimited"; readonly keyId: KeyId; readonly limits: SpendLimits }
  /** `null`: it orders again. */
  | { readonly _tag: "KeyPaused"; readonly keyId: KeyId; readonly atMs: Millis | null }
  | { readonly _tag: "SubscriptionAdded"; readonly subscription: Subscription }
  /** Also drops its pending deliveries. */
  | { readonly _tag: "SubscriptionRevoked"; readonly webhookId: WebhookId; readonly atMs: Millis }
  /** After a rotation of the secret, or sealed again. */
  | ({ readonly _tag: "SigningKeysChanged"; readonly webhookId: WebhookId } & Keys)
  /** Its owner's wish. If it disables the endpoint, its pending deliveries are dropped. */
  | { readonly _tag: "SubscriptionChanged"; readonly webhookId: WebhookId; readonly changed: Partial<Subscription> }
  | {
      readonly _tag: "RedeliveryCounted"
      readonly webhookId: WebhookId
      readonly redeliveredAtMs: ReadonlyArray<Millis>
    }
  /** If this disables the endpoint, its pending deliveries are dropped. */
  | { readonly _tag: "EndpointHealthChanged"; readonly webhookId: WebhookId; readonly health: EndpointHealth }
  | { readonly _tag: "DeliveryQueued"; readonly delivery: Delivery }
  /** After an attempt or a redelivery. Ids and body are unchanged. */
  | { readonly _tag: "DeliveryMoved"; readonly delivery: Delivery }
  | { readonly _tag: "SiteListed"; readonly site: Site }
  | { readonly _tag: "ArticleListed"; readonly article: Article }
  | { readonly _tag: "PromoDefined"; readonly promo: Promo }
  | { readonly _tag: "ProjectSaved"; readonly project: Project }
  | { readonly _tag: "OpportunitySaved"; readonly opportunity: Opportunity }
  | { readonly _tag: "FulfilmentSwitched"; readonly fulfilment: Fulfilment }
  | { readonly _tag: "EventRaised"; readonly event: Event }
  | { readonly _tag: "AuditRecorded"; readonly record: AuditRecord }

type RotatedText = Required<Pick<ApiKey, "hash" | "prefix" | "lastFour" | "former">>

type RenewedConsent = Pick<Connection, "label" | "scopes" | "limits" | "consent">

interface WelcomeTaker {
  readonly accountId: AccountId
  readonly quoteId: QuoteId
  /** The domains that the quote's links go to, as they were computed when it was made. */
  readonly domains: ReadonlyArray<string>
  /** Set where they are registrable ones; otherwise the uses stay what they are. */
  readonly registrable?: boolean
}

export type Frozen = NonNullable<Binding["response"]>
