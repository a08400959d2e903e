// At least one failure of every kind, with hostile values. Total by type: a new failure without a sample does not compile.
import {
  ApiUnreachable,
  BodyTooLarge,
  ConflictingCredentials,
  InsufficientRole,
  InternalError,
  InvalidIdempotencyKey,
  InvalidJson,
  InvalidMetricsToken,
  InvalidOperatorToken,
  InvalidSignature,
  MalformedRequest,
  MethodNotAllowed,
  MisplacedApiKey,
  MissingMetricsToken,
  MissingOperatorToken,
  OriginNotAllowed,
  RateLimited,
  RouteNotFound,
  UnsupportedMediaType,
  ValidationFailed
} from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import * as AccessRefusal from "#core/domain/access/AccessRefusal.ts"
import { CallKeyReused } from "#core/domain/access/BoundCall.ts"
import * as CatalogueRefusal from "#core/domain/catalogue/CatalogueRefusal.ts"
import * as InvoiceRefusal from "#core/domain/invoicing/InvoiceRefusal.ts"
import * as CancelRefusal from "#core/domain/ordering/CancelRefusal.ts"
import * as ChangeRefusal from "#core/domain/ordering/ChangeRefusal.ts"
import * as OrderRefusal from "#core/domain/ordering/OrderRefusal.ts"
import * as PaymentRefusal from "#core/domain/ordering/PaymentRefusal.ts"
import { TooManyReservations } from "#core/domain/ordering/ReservationRefusal.ts"
import * as PriceRefusal from "#core/domain/pricing/PriceRefusal.ts"
import {
  AccountId,
  DeliveryId,
  InvoiceId,
  KeyId,
  LinkId,
  OrderId,
  PaymentId,
  ProjectId,
  QuoteId,
  TopUpId,
  WebhookId
} from "#core/domain/shared/Ids.ts"
import { UrlFault } from "#core/domain/shared/PublicAddress.ts"
import * as RequestRefusal from "#core/domain/shared/RequestRefusal.ts"
import { TopUpAmountInvalid, TopUpNotFound } from "#core/domain/wallet/TopUp.ts"
import * as WalletRefusal from "#core/domain/wallet/WalletRefusal.ts"
import * as WebhookRefusal from "#core/domain/webhooks/WebhookRefusal.ts"
import { memberSamples } from "./MemberFailureSamples.ts"
import { repeatedSamples } from "./RepeatedSamples.ts"

const notAllowed = (path: string) => ({ path, message: "Is not allowed." })

const BOUNDED = { limit: 20, resetsAtMs: 86_400_000, retryAfterSeconds: 1, webhookId: WebhookId.make("wh_1") }

/** Part of an API key sent in the wrong place. */
export const CANARY = "canary0canary"

const long = `sn_live_${CANARY}${"x".repeat(5_000)}`
const path = { item: 3, field: "siteId" }
const rowFault = { list: "articles", index: 3, member: "siteId", fault: "missing" } as const
const accountId = AccountId.make("acc_1")
const orderId = OrderId.make("ord_1")
const [linkId, quoteId] = [LinkId.make("lnk_1"), QuoteId.make("q_1")]

export const samples: { readonly [Tag in Failure["_tag"]]: ReadonlyArray<Extract<Failure, { readonly _tag: Tag }>> } = {
  ...memberSamples(long),
  AccountViewRefused: [new AccessRefusal.AccountViewRefused({ held: ["read"] })],
  ConnectionLimitReached: [new AccessRefusal.ConnectionLimitReached({ limit: 20 })],
  TopUpAmountInvalid: [new TopUpAmountInvalid({ minimumCents: 500, maximumCents: 500_000 })],
  TopUpNotFound: [new TopUpNotFound({ topUpId: TopUpId.make(long) })],
  AmountAboveMaximum: [new PriceRefusal.AmountAboveMaximum({ totalCents: 90, availableCents: 10, maximumCents: 70 })],
  AmountBelowMinimum: [new PriceRefusal.AmountBelowMinimum({ totalCents: 40, availableCents: 10, minimumCents: 50 })],
  ApiUnreachable: [new ApiUnreachable({ retryAfterSeconds: 5 })],
  ArticleSiteMismatch: [new CatalogueRefusal.ArticleSiteMismatch({ articleId: 1, siteId: 2, path })],
  ArticleUnavailable: [new CatalogueRefusal.ArticleUnavailable({ articleId: 1, path })],
  BodyTooLarge: [new BodyTooLarge({ limitBytes: 65_536 })],
  CartInvalid: [
    new PriceRefusal.CartInvalid({ faults: [{ path, message: "One." }] }),
    new PriceRefusal.CartInvalid({
      faults: [
        { path: { field: "sandboxCreditCents" }, message: "One." },
        { path, message: "Two." }
      ]
    })
  ],
  ConflictingCredentials: [new ConflictingCredentials()],
  CursorInvalid: [new RequestRefusal.CursorInvalid({ reason: "This cursor belongs to another search." })],
  DailyCapReached: [
    new OrderRefusal.DailyCapReached({ limit: 20, used: 20, resetsAtMs: 86_400_000, retryAfterSeconds: 1 })
  ],
  DeliveryNotFound: [new WebhookRefusal.DeliveryNotFound({ deliveryId: DeliveryId.make(long) })],
  VatIdDiffers: [
    new InvoiceRefusal.VatIdDiffers({ accountId: AccountId.make(long), vatId: long }),
    new InvoiceRefusal.VatIdDiffers({ accountId, vatId: null })
  ],
  ...repeatedSamples(long),
  ExpiredApiKey: [new AccessRefusal.ExpiredApiKey()],
  KeyExpiryInvalid: [new AccessRefusal.KeyExpiryInvalid({ expiresAtMs: 0 })],
  InsufficientScope: [new AccessRefusal.InsufficientScope({ required: "order", held: ["read"] })],
  InsufficientRole: [
    new InsufficientRole({ call: "topUp", required: "finance", held: "reader" }),
    new InsufficientRole({ call: "issueKey", required: "admin", held: "finance" })
  ],
  InternalError: [new InternalError()],
  InvalidApiKey: [new AccessRefusal.InvalidApiKey()],
  InvalidIdempotencyKey: [new InvalidIdempotencyKey()],
  InvalidJson: [new InvalidJson({ reason: "It ends too early." }), new InvalidJson({ reason: "No.", offset: 7 })],
  InvalidMetricsToken: [new InvalidMetricsToken()],
  InvalidOperatorToken: [new InvalidOperatorToken()],
  InvalidSignature: [new InvalidSignature()],
  InvalidTransition: [
    new OrderRefusal.InvalidTransition({ from: "published", to: "drafted", reason: "Links only move forward." })
  ],
  KeyLimitReached: [new AccessRefusal.KeyLimitReached({ limit: 5 })],
  KeyNotFound: [
    new AccessRefusal.KeyNotFound({ keyId: KeyId.make("key_1") }),
    new AccessRefusal.KeyNotFound({ keyId: KeyId.make("con_1") })
  ],
  KeyRotationLimitReached: [new AccessRefusal.KeyRotationLimitReached({ ...BOUNDED, keyId: KeyId.make("key_1") })],
  CallKeyReused: [new CallKeyReused()],
  LinkNotFound: [new OrderRefusal.LinkNotFound({ linkId })],
  MalformedRequest: ([400, 408, 417, 431] as const).map((status) => new MalformedRequest({ status })),
  MethodNotAllowed: [new MethodNotAllowed({ allowed: ["GET", "HEAD"] })],
  MissingApiKey: [new AccessRefusal.MissingApiKey()],
  OrderNotFound: [new OrderRefusal.OrderNotFound({ orderId: OrderId.make(long) })],
  OriginNotAllowed: [new OriginNotAllowed()],
  MisplacedApiKey: [
    new MisplacedApiKey({ place: "the header X-API-Key", shown: "sn_live_…WzlA" }),
    new MisplacedApiKey({ place: "the query of the URL", shown: null })
  ],
  MissingMetricsToken: [new MissingMetricsToken()],
  MissingOperatorToken: [new MissingOperatorToken()],
  PaymentMismatch: [new PaymentRefusal.PaymentMismatch({ quoteId, reason: "amount" })],
  PaymentNotFound: [new PaymentRefusal.PaymentNotFound({ paymentId: PaymentId.make(long) })],
  PaymentResolved: [new PaymentRefusal.PaymentResolved({ paymentId: PaymentId.make(long), outcome: "refunded" })],
  BackupUnsupported: [{ _tag: "BackupUnsupported" }],
  PaymentsAreReal: [new PaymentRefusal.PaymentsAreReal()],
  LinkNotChangeable: (["another", "human", "changed_often", "welcome_offer"] as const).map(
    (reason) => new ChangeRefusal.LinkNotChangeable({ orderId, linkId, reason, domain: "brand.example" })
  ),
  LinkTextChanged: [null, long].map(
    (brief) =>
      new ChangeRefusal.LinkTextChanged({
        linkId,
        revision: 2,
        targetUrl: "https://brand.example/",
        anchorText: "a page",
        anchorType: "partial",
        brief
      })
  ),
  LinkNotOfOrder: [new CancelRefusal.LinkNotOfOrder({ orderId, linkId: LinkId.make(long), position: 0 })],
  LinksNotCancellable: [new CancelRefusal.LinksNotCancellable({ orderId, links: [{ linkId, status: "assigned" }] })],
  OrderNotCancellable: (["another", "human"] as const).flatMap((decidedBy) =>
    (["owner", "operator"] as const).map(
      (whoCan) => new CancelRefusal.OrderNotCancellable({ orderId, decidedBy, whoCan })
    )
  ),
  OrderPaymentReversed: [new CancelRefusal.OrderPaymentReversed({ orderId })],
  QuoteOfAnother: [new CancelRefusal.QuoteOfAnother({ quoteId })],
  PaymentUnderWay: [new PaymentRefusal.PaymentUnderWay({ quoteId })],
  PriceAboveLimit: [new PriceRefusal.PriceAboveLimit({ totalCents: 1_999, limitCents: 1_000 })],
  ProcessorUnavailable: [{}, { quoteId }, { quoteId, repeatable: false }].map((facts) => ({
    ...{ _tag: "ProcessorUnavailable", retryAfterSeconds: 3, ...facts }
  })),
  InvoiceNotFound: [new InvoiceRefusal.InvoiceNotFound({ invoiceId: InvoiceId.make(long) })],
  ListingRefused: [new CatalogueRefusal.ListingRefused({ faults: [rowFault] })],
  ProjectNotFound: [
    new CatalogueRefusal.ProjectNotFound({ projectId: ProjectId.make(long) }),
    new CatalogueRefusal.ProjectNotFound({ projectId: ProjectId.make("p"), path })
  ],
  PromoCodeInvalid: PriceRefusal.PromoFault.literals.map(
    (reason) =>
      new PriceRefusal.PromoCodeInvalid({
        code: long,
        reason,
        ...(reason === "minimum_not_met" ? { minimumCents: 2_000 } : {})
      })
  ),
  QuoteNotOpen: (["paid", "abandoned"] as const).map((status) => new OrderRefusal.QuoteNotOpen({ quoteId, status })),
  RateLimited: [new RateLimited({ kind: "order", limit: 120, retryAfterSeconds: 4, resetsAtMs: 4_000 })],
  PublishedElsewhere: [
    new OrderRefusal.PublishedElsewhere({ url: "https://other.example/post", domain: "site.example" })
  ],
  BalanceTooLow: [new WalletRefusal.BalanceTooLow({ accountId, cents: 2_500, availableCents: 100 })],
  ReferenceReused: [new WalletRefusal.ReferenceReused({ reference: "transfer 7", bookedCents: 2_500 })],
  ReplacedApiKey: [new AccessRefusal.ReplacedApiKey()],
  RevokedApiKey: [new AccessRefusal.RevokedApiKey()],
  RouteNotFound: [new RouteNotFound()],
  SiteNotFound: [{ siteId: 9 }, { siteId: 9, path }].map((facts) => new CatalogueRefusal.SiteNotFound(facts)),
  SiteUnavailable: [new CatalogueRefusal.SiteUnavailable({ siteId: 9, path })],
  SpendPolicyRefused: [
    new AccessRefusal.SpendPolicyRefused({ rule: "agents_stopped" }),
    new AccessRefusal.SpendPolicyRefused({ rule: "paused" }),
    new AccessRefusal.SpendPolicyRefused({ rule: "credit_owed", owedCents: 8_000 }),
    new AccessRefusal.SpendPolicyRefused({ rule: "max_order_cents", limitCents: 100, wouldBeCents: 200 }),
    new AccessRefusal.SpendPolicyRefused({ rule: "max_day_cents", limitCents: 100, wouldBeCents: 200 }),
    new AccessRefusal.SpendPolicyRefused({
      rule: "allowed_domains",
      host: long,
      allowedDomains: ["shop.example"],
      path
    })
  ],
  SchemaTooNew: [{ _tag: "SchemaTooNew", step: "999_of_tomorrow" }],
  StoreUnavailable: [{ _tag: "StoreUnavailable", retryAfterSeconds: 1 }],
  TooManyReservations: [
    new TooManyReservations({
      promoCode: null,
      limit: 20,
      reserved: 19,
      requested: 2,
      open: [{ quoteId, expiresAtMs: 86_400_000, articleIds: [1, 2] }]
    }),
    new TooManyReservations({
      promoCode: null,
      limit: 1,
      reserved: 0,
      requested: 2,
      open: [],
      untilFirstPayment: true
    }),
    new TooManyReservations({
      promoCode: long,
      limit: 1,
      reserved: 1,
      requested: 1,
      open: [{ quoteId, expiresAtMs: 86_400_000, articleIds: [] }]
    })
  ],
  UnsupportedMediaType: [new UnsupportedMediaType()],
  ValidationFailed: [
    new ValidationFailed({ errors: [notAllowed("items[0].site_id")] }),
    new ValidationFailed({ errors: [notAllowed("a"), notAllowed("b")] })
  ],
  WebhookLimitReached: [new WebhookRefusal.WebhookLimitReached({ limit: 5 })],
  SecretRotationLimitReached: [new WebhookRefusal.SecretRotationLimitReached(BOUNDED)],
  WebhookNotChangeable: [new WebhookRefusal.WebhookNotChangeable({ webhookId: WebhookId.make("wh_1") })],
  WebhookNotFound: [new WebhookRefusal.WebhookNotFound({ webhookId: WebhookId.make(long) })],
  RedeliveryLimitReached: [new WebhookRefusal.RedeliveryLimitReached(BOUNDED)],
  WebhookTestLimitReached: [
    new WebhookRefusal.WebhookTestLimitReached({ ...BOUNDED, deliveryId: DeliveryId.make("dlv_1") })
  ],
  WebhookUrlRefused: UrlFault.literals.map((reason) => new WebhookRefusal.WebhookUrlRefused({ reason }))
}
