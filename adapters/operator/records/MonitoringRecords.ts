// Audit records, activity events, webhooks with their deliveries, and the reconciliation report.
import { Schema, Struct } from "effect"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { FREED_TABLES } from "#core/domain/operations/Retention.ts"
import { AbandonedBy, Quote } from "#core/domain/ordering/Quote.ts"
import { Attempt, Delivery as CoreDelivery } from "#core/domain/webhooks/Delivery.ts"
import { OrderEvent } from "#core/domain/webhooks/Event.ts"
import { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { LedgerEntry, OwingAccount } from "./AccountRecords.ts"

/** `cursor` resumes the stream after this event. */
const eventFields = { cursor: Schema.String, atMs: Schema.Int }

/** Holds, releases and captures show in the quote events; other movements of a wallet are `WalletCredited`. */
export const ActivityEvent = Schema.Union([
  Schema.TaggedStruct("QuoteOpened", {
    ...eventFields,
    ...Struct.pick(Quote.fields, ["quoteId", "accountId", "mode", "totalCents", "creditCents", "cardCents"])
  }),
  Schema.TaggedStruct("QuoteAbandoned", {
    ...eventFields,
    ...Struct.pick(Quote.fields, ["quoteId", "accountId", "mode"]),
    by: AbandonedBy
  }),
  /** `order.accepted` also means that the quote was paid; `linkId` is the published link, `null` in other events. */
  Schema.TaggedStruct("OrderEvent", {
    ...eventFields,
    ...Struct.pick(OrderEvent.fields, ["type", "accountId", "mode", "orderId", "linkId"])
  }),
  Schema.TaggedStruct("WalletCredited", { ...eventFields, entry: LedgerEntry }),
  Schema.TaggedStruct("OperatorActed", { ...eventFields, record: AuditRecord })
])
export type ActivityEvent = typeof ActivityEvent.Type

/** A subscription without its secrets, with the health of its endpoint. */
export const Webhook = Schema.Struct({
  ...Struct.pick(Subscription.fields, ["webhookId", "keyId", "url", "events", "createdAtMs"]),
  status: Schema.Literals(["active", "failing", "disabled"]),
  consecutiveFailures: Schema.Int
})
export type Webhook = typeof Webhook.Type

/** Its event and the faults of its attempts are any text: a later version may have more of them. */
export const Delivery = Schema.Struct({
  ...Struct.pick(CoreDelivery.fields, ["deliveryId", "eventId", "createdAtMs", "state", "nextAttemptAtMs"]),
  event: Schema.String,
  attempts: Schema.Array(Schema.Struct({ ...Attempt.fields, fault: Schema.NullOr(Schema.String) }))
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
  ),
  /** Missing money that the books account for. */
  owing: Schema.Array(OwingAccount)
})
export type ReconciliationReport = typeof ReconciliationReport.Type
