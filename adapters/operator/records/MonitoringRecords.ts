// Audit records, activity events, webhooks with their deliveries, and the reconciliation report.
import { Schema } from "effect"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { FREED_TABLES } from "#core/domain/operations/Retention.ts"
import { AccountId, DeliveryId, EventId, KeyId, OrderId, QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { EventType, OrderEventType } from "#core/domain/webhooks/Event.ts"
import { LedgerEntry } from "./AccountRecords.ts"
import { Mode } from "./Fields.ts"

const nullable = Schema.NullOr

/** `cursor` resumes the stream after this event. */
const eventFields = { cursor: Schema.String, atMs: Schema.Int }

/** Holds, releases and captures show in the quote events; other movements of a wallet are `WalletCredited`. */
export const ActivityEvent = Schema.Union([
  Schema.TaggedStruct("QuoteOpened", {
    ...eventFields,
    quoteId: QuoteId,
    accountId: AccountId,
    mode: Mode,
    totalCents: Schema.Int,
    creditCents: Schema.Int,
    cardCents: Schema.Int
  }),
  Schema.TaggedStruct("QuoteAbandoned", {
    ...eventFields,
    quoteId: QuoteId,
    accountId: AccountId,
    mode: Mode,
    by: Schema.Literals(["human", "agent", "expiry"])
  }),
  /** `order.accepted` also means that the quote was paid. */
  Schema.TaggedStruct("OrderEvent", {
    ...eventFields,
    type: OrderEventType,
    accountId: AccountId,
    mode: Mode,
    orderId: OrderId,
    /** The published link; `null` in other events. */
    linkId: nullable(Schema.String)
  }),
  Schema.TaggedStruct("WalletCredited", { ...eventFields, entry: LedgerEntry }),
  Schema.TaggedStruct("OperatorActed", { ...eventFields, record: AuditRecord })
])
export type ActivityEvent = typeof ActivityEvent.Type

/** A subscription without its secrets, with the health of its endpoint. */
export const Webhook = Schema.Struct({
  webhookId: WebhookId,
  keyId: KeyId,
  url: Schema.String,
  events: Schema.Array(EventType),
  createdAtMs: Schema.Int,
  status: Schema.Literals(["active", "failing", "disabled"]),
  consecutiveFailures: Schema.Int
})
export type Webhook = typeof Webhook.Type

export const Delivery = Schema.Struct({
  deliveryId: DeliveryId,
  eventId: EventId,
  event: Schema.String,
  createdAtMs: Schema.Int,
  state: Schema.Literals(["pending", "delivered", "failed", "dropped"]),
  attempts: Schema.Array(
    Schema.Struct({
      atMs: Schema.Int,
      httpStatus: nullable(Schema.Int),
      fault: nullable(Schema.String),
      durationMs: Schema.Int
    })
  ),
  nextAttemptAtMs: nullable(Schema.Int)
})

/** Rows of a table that retention freed; of `answers`, stored texts whose rows stay. */
export const FreedRows = Schema.Struct({
  table: Schema.Literals(FREED_TABLES),
  rows: Schema.Int,
  lastAtMs: Schema.Int
})
export type FreedRows = typeof FreedRows.Type

/** `previous` need `ENCRYPTION_KEY_PREVIOUS`; `unopened` open with neither key. */
export const SigningKeyCounts = Schema.Struct({ current: Schema.Int, previous: Schema.Int, unopened: Schema.Int })

/** Numbers of records checked, and every violation of an invariant. */
export const ReconciliationReport = Schema.Struct({
  looked: Schema.Struct({
    accounts: Schema.Int,
    ledgerEntries: Schema.Int,
    quotes: Schema.Int,
    orders: Schema.Int,
    links: Schema.Int,
    events: Schema.Int,
    deliveries: Schema.Int
  }),
  findings: Schema.Array(
    Schema.Struct({
      /** Name of the invariant, such as `ledger_adds_up`; `words` is its text. */
      law: Schema.String,
      words: Schema.String,
      subject: Schema.String,
      message: Schema.String
    })
  )
})
export type ReconciliationReport = typeof ReconciliationReport.Type
