// Every refusal of a request, as a typed error with its facts. The contract's table, which is total over `Refusal`, adds status, code
// and wording. Failures of the store and the processor are in `core/ports/PortErrors.ts`.
import { Schema } from "effect"
import type { AccountRefusal } from "./AccountRefusal.ts"
import type { CancelRefusal } from "./CancelRefusal.ts"
import type { MemberRefusal } from "./MemberRefusal.ts"
import type { PaymentRefusal } from "./PaymentRefusal.ts"
import { QuoteStatus } from "./QuoteStatus.ts"
import type { TooManyReservations } from "./ReservationRefusal.ts"
import type { WebhookRefusal } from "./WebhookRefusal.ts"

/** The field of a request that a refusal is about: of an item, by its position, or of the order. */
export const FieldPath = Schema.Union([
  Schema.Struct({ item: Schema.Int, field: Schema.String }),
  Schema.Struct({ field: Schema.String })
])
export type FieldPath = typeof FieldPath.Type

/** Each field is valid, but the request breaks rules that span fields or items. */
export class CartInvalid extends Schema.TaggedError<CartInvalid>()("CartInvalid", {
  faults: Schema.NonEmptyArray(Schema.Struct({ path: FieldPath, message: Schema.String }))
}) {}

export class SiteNotFound extends Schema.TaggedError<SiteNotFound>()("SiteNotFound", {
  siteId: Schema.Int,
  path: Schema.optionalKey(FieldPath)
}) {}

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>()("ProjectNotFound", {
  projectId: Schema.String,
  path: Schema.optionalKey(FieldPath)
}) {}

export class QuoteNotFound extends Schema.TaggedError<QuoteNotFound>()("QuoteNotFound", { quoteId: Schema.String }) {}

export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { orderId: Schema.String }) {}

export class LinkNotFound extends Schema.TaggedError<LinkNotFound>()("LinkNotFound", { linkId: Schema.String }) {}

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  accountId: Schema.String
}) {}

/** Payments cannot be simulated: a real processor takes them. */
export class PaymentsAreReal extends Schema.TaggedError<PaymentsAreReal>()("PaymentsAreReal", {}) {}

export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { keyId: Schema.String }) {}

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {
  webhookId: Schema.String
}) {}

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: Schema.String
}) {}

/** The article does not belong to the named site, or does not exist: a caller need not tell the two apart. */
export class ArticleSiteMismatch extends Schema.TaggedError<ArticleSiteMismatch>()("ArticleSiteMismatch", {
  articleId: Schema.Int,
  siteId: Schema.Int,
  path: FieldPath
}) {}

/** The site exists but takes no orders now. */
export class SiteUnavailable extends Schema.TaggedError<SiteUnavailable>()("SiteUnavailable", {
  siteId: Schema.Int,
  path: FieldPath
}) {}

/** The article is sold, or reserved by an open quote. */
export class ArticleUnavailable extends Schema.TaggedError<ArticleUnavailable>()("ArticleUnavailable", {
  articleId: Schema.Int,
  path: FieldPath
}) {}

export const PromoFault = Schema.Literals([
  "unknown",
  "not_started",
  "expired",
  "exhausted",
  "already_used",
  "minimum_not_met"
])
export type PromoFault = typeof PromoFault.Type

export class PromoCodeInvalid extends Schema.TaggedError<PromoCodeInvalid>()("PromoCodeInvalid", {
  code: Schema.String,
  reason: PromoFault,
  minimumCents: Schema.optionalKey(Schema.Int),
  /** The account's own open quote that reserves the use. */
  reservedBy: Schema.optionalKey(Schema.String)
}) {}

const SpendRule = Schema.Literals(["max_order_cents", "max_day_cents", "allowed_domains", "agents_stopped"])

/** A limit that the account's owner set on the key, or `agents_stopped`, on all of them. `limitCents` and `wouldBeCents` for the money rules, `host` for domains. */
export class SpendPolicyRefused extends Schema.TaggedError<SpendPolicyRefused>()("SpendPolicyRefused", {
  rule: SpendRule,
  limitCents: Schema.optionalKey(Schema.Int),
  wouldBeCents: Schema.optionalKey(Schema.Int),
  host: Schema.optionalKey(Schema.String),
  allowedDomains: Schema.optionalKey(Schema.Array(Schema.String)),
  path: Schema.optionalKey(FieldPath)
}) {}

/** The net total is above the caller's own guard (`max_total_eur`). */
export class PriceAboveLimit extends Schema.TaggedError<PriceAboveLimit>()("PriceAboveLimit", {
  totalCents: Schema.Int,
  limitCents: Schema.Int
}) {}

/** The remainder to pay by card is above zero but below the processor's minimum. */
export class AmountBelowMinimum extends Schema.TaggedError<AmountBelowMinimum>()("AmountBelowMinimum", {
  totalCents: Schema.Int,
  availableCents: Schema.Int,
  minimumCents: Schema.Int
}) {}

/** The remainder to pay by card is above what the processor charges at once. */
export class AmountAboveMaximum extends Schema.TaggedError<AmountAboveMaximum>()("AmountAboveMaximum", {
  totalCents: Schema.Int,
  availableCents: Schema.Int,
  maximumCents: Schema.Int
}) {}

export class DailyCapReached extends Schema.TaggedError<DailyCapReached>()("DailyCapReached", {
  limit: Schema.Int,
  used: Schema.Int,
  resetsAtMs: Schema.Int,
  retryAfterSeconds: Schema.Int
}) {}

export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {
  idempotencyKey: Schema.String,
  quoteId: Schema.String
}) {}

/** The quote is in this state, in which it cannot be abandoned, paid or decided. */
export class QuoteNotOpen extends Schema.TaggedError<QuoteNotOpen>()("QuoteNotOpen", {
  quoteId: Schema.String,
  status: QuoteStatus
}) {}

/** The quote cannot be abandoned: money is under way for it, which cannot be stopped. */
export class PaymentUnderWay extends Schema.TaggedError<PaymentUnderWay>()("PaymentUnderWay", {
  quoteId: Schema.String
}) {}

/** A payment notice that does not match its quote and moved no money, or money that cannot become credit. Nothing is written. */
export class PaymentMismatch extends Schema.TaggedError<PaymentMismatch>()("PaymentMismatch", {
  quoteId: Schema.String,
  reason: Schema.Literals(["amount", "currency"])
}) {}

/** The published URL is not on the site that the link was bought on. */
export class PublishedElsewhere extends Schema.TaggedError<PublishedElsewhere>()("PublishedElsewhere", {
  url: Schema.String,
  domain: Schema.String
}) {}

export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()("InvalidTransition", {
  from: Schema.String,
  to: Schema.String,
  reason: Schema.String
}) {}

export class KeyLimitReached extends Schema.TaggedError<KeyLimitReached>()("KeyLimitReached", { limit: Schema.Int }) {}

export const UrlFault = Schema.Literals([
  "not_https",
  "has_credentials",
  "port_not_allowed",
  "loopback",
  "private_address",
  "unresolvable",
  "redirects",
  "unreachable"
])
export type UrlFault = typeof UrlFault.Type

export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  reason: UrlFault
}) {}

export class RevokedApiKey extends Schema.TaggedError<RevokedApiKey>()("RevokedApiKey", {}) {}

export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("InvalidApiKey", {}) {}

export class MissingApiKey extends Schema.TaggedError<MissingApiKey>()("MissingApiKey", {}) {}

export class InsufficientScope extends Schema.TaggedError<InsufficientScope>()("InsufficientScope", {
  required: Schema.Literals(["read", "order"]),
  held: Schema.Array(Schema.Literals(["read", "order"]))
}) {}

/** A cursor of another query, or not a cursor of this service. */
export class CursorInvalid extends Schema.TaggedError<CursorInvalid>()("CursorInvalid", { reason: Schema.String }) {}

export type Refusal =
  | AccountNotFound
  | AccountRefusal
  | AmountAboveMaximum
  | AmountBelowMinimum
  | ArticleSiteMismatch
  | ArticleUnavailable
  | CancelRefusal
  | CartInvalid
  | CursorInvalid
  | DailyCapReached
  | DeliveryNotFound
  | IdempotencyKeyReused
  | InsufficientScope
  | InvalidApiKey
  | InvalidTransition
  | KeyLimitReached
  | KeyNotFound
  | LinkNotFound
  | MemberRefusal
  | MissingApiKey
  | OrderNotFound
  | PaymentMismatch
  | PaymentRefusal
  | PaymentUnderWay
  | PaymentsAreReal
  | PriceAboveLimit
  | PublishedElsewhere
  | ProjectNotFound
  | PromoCodeInvalid
  | QuoteNotFound
  | QuoteNotOpen
  | RevokedApiKey
  | SiteNotFound
  | SiteUnavailable
  | SpendPolicyRefused
  | TooManyReservations
  | WebhookNotFound
  | WebhookRefusal
  | WebhookUrlRefused
