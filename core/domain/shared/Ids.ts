// The ids of everything that the service keeps, each kind a type: giving one for another does not compile. At run time they are strings.
import { Schema } from "effect"

/** The brand of each id, also for a schema that checks its text. */
export const idBrands = {
  AccountId: Schema.brand("AccountId"),
  AuditId: Schema.brand("AuditId"),
  ChargeId: Schema.brand("ChargeId"),
  DeliveryId: Schema.brand("DeliveryId"),
  EntryId: Schema.brand("EntryId"),
  EventId: Schema.brand("EventId"),
  HoldId: Schema.brand("HoldId"),
  InvitationId: Schema.brand("InvitationId"),
  InvoiceId: Schema.brand("InvoiceId"),
  KeyId: Schema.brand("KeyId"),
  LinkId: Schema.brand("LinkId"),
  MemberId: Schema.brand("MemberId"),
  OpportunityId: Schema.brand("OpportunityId"),
  OrderId: Schema.brand("OrderId"),
  PasskeyId: Schema.brand("PasskeyId"),
  PaymentId: Schema.brand("PaymentId"),
  PaymentSessionId: Schema.brand("PaymentSessionId"),
  ProjectId: Schema.brand("ProjectId"),
  QuoteId: Schema.brand("QuoteId"),
  ReversalId: Schema.brand("ReversalId"),
  SessionId: Schema.brand("SessionId"),
  SheetId: Schema.brand("SheetId"),
  TopUpId: Schema.brand("TopUpId"),
  WebhookId: Schema.brand("WebhookId")
}

export const AccountId = Schema.String.pipe(idBrands.AccountId)
export type AccountId = typeof AccountId.Type

/** An API key's, a connection's, or that of the Shop's credential: all are kept among the keys. */
export const KeyId = Schema.String.pipe(idBrands.KeyId)
export type KeyId = typeof KeyId.Type

export const MemberId = Schema.String.pipe(idBrands.MemberId)
export type MemberId = typeof MemberId.Type

export const InvitationId = Schema.String.pipe(idBrands.InvitationId)
export type InvitationId = typeof InvitationId.Type

/** Names the session of a signed-in member. */
export const SessionId = Schema.String.pipe(idBrands.SessionId)
export type SessionId = typeof SessionId.Type

/** Names a sheet of links: random bytes in base64url, chosen by the form that uploads it. */
export const SheetId = Schema.String.pipe(idBrands.SheetId)
export type SheetId = typeof SheetId.Type

/** The id of a WebAuthn credential, in base64url. */
export const PasskeyId = Schema.String.pipe(idBrands.PasskeyId)
export type PasskeyId = typeof PasskeyId.Type

export const AuditId = Schema.String.pipe(idBrands.AuditId)
export type AuditId = typeof AuditId.Type

export const QuoteId = Schema.String.pipe(idBrands.QuoteId)
export type QuoteId = typeof QuoteId.Type

export const OrderId = Schema.String.pipe(idBrands.OrderId)
export type OrderId = typeof OrderId.Type

export const LinkId = Schema.String.pipe(idBrands.LinkId)
export type LinkId = typeof LinkId.Type

export const HoldId = Schema.String.pipe(idBrands.HoldId)
export type HoldId = typeof HoldId.Type

/** Names an entry of the ledger. */
export const EntryId = Schema.String.pipe(idBrands.EntryId)
export type EntryId = typeof EntryId.Type

export const TopUpId = Schema.String.pipe(idBrands.TopUpId)
export type TopUpId = typeof TopUpId.Type

export const InvoiceId = Schema.String.pipe(idBrands.InvoiceId)
export type InvoiceId = typeof InvoiceId.Type

export const ProjectId = Schema.String.pipe(idBrands.ProjectId)
export type ProjectId = typeof ProjectId.Type

export const OpportunityId = Schema.String.pipe(idBrands.OpportunityId)
export type OpportunityId = typeof OpportunityId.Type

export const WebhookId = Schema.String.pipe(idBrands.WebhookId)
export type WebhookId = typeof WebhookId.Type

export const EventId = Schema.String.pipe(idBrands.EventId)
export type EventId = typeof EventId.Type

export const DeliveryId = Schema.String.pipe(idBrands.DeliveryId)
export type DeliveryId = typeof DeliveryId.Type

/** The payment processor's name for a session in which a quote or a top-up is paid. */
export const PaymentSessionId = Schema.String.pipe(idBrands.PaymentSessionId)
export type PaymentSessionId = typeof PaymentSessionId.Type

/** The payment processor's name for a payment, the same in every repetition of its notice. */
export const PaymentId = Schema.String.pipe(idBrands.PaymentId)
export type PaymentId = typeof PaymentId.Type

/** The payment processor's name for a charge. */
export const ChargeId = Schema.String.pipe(idBrands.ChargeId)
export type ChargeId = typeof ChargeId.Type

/** The payment processor's name for a refunded charge or a dispute. */
export const ReversalId = Schema.String.pipe(idBrands.ReversalId)
export type ReversalId = typeof ReversalId.Type

/** What a payment session is opened for. */
export const PayableId = Schema.Union([QuoteId, TopUpId])
export type PayableId = typeof PayableId.Type

/** Which ids begin with a prefix. */
export interface IdByPrefix {
  readonly acc_: AccountId
  readonly key_: KeyId
  readonly con_: KeyId
  readonly q_: QuoteId
  readonly ord_: OrderId
  readonly lnk_: LinkId
  readonly wh_: WebhookId
  readonly evt_: EventId
  readonly dlv_: DeliveryId
  readonly hld_: HoldId
  readonly led_: EntryId
  readonly prj_: ProjectId
  readonly opp_: OpportunityId
  readonly aud_: AuditId
  readonly mem_: MemberId
  readonly ivt_: InvitationId
  readonly top_: TopUpId
  readonly ses_: SessionId
}
