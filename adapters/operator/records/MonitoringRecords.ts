// What the operator watches: the audit log, what goes on in the shop, deliveries to webhooks, and what does not add up.
import { Schema } from "effect"
import { EventType } from "#core/domain/Event.ts"
import { LedgerEntry } from "./AccountRecords.ts"
import { Mode } from "./Fields.ts"

const nullable = Schema.NullOr

const Details = Schema.Record(Schema.String, nullable(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])))

export const AuditRecord = Schema.Struct({
  auditId: Schema.String,
  actor: Schema.String,
  action: Schema.String,
  subject: Schema.String,
  details: Details,
  atMs: Schema.Int
})
export type AuditRecord = typeof AuditRecord.Type

/** `cursor` is where to go on watching behind this very one. */
const seen = { cursor: Schema.String, atMs: Schema.Int }

/** Credit held for quotes, given back or spent shows in the quotes; other movements of wallets are told as they are. */
export const ActivityEvent = Schema.Union([
  Schema.TaggedStruct("QuoteOpened", {
    ...seen,
    quoteId: Schema.String,
    accountId: Schema.String,
    mode: Mode,
    totalCents: Schema.Int,
    creditCents: Schema.Int,
    cardCents: Schema.Int
  }),
  Schema.TaggedStruct("QuoteAbandoned", {
    ...seen,
    quoteId: Schema.String,
    accountId: Schema.String,
    mode: Mode,
    by: Schema.Literals(["human", "agent", "expiry"])
  }),
  /** `order.accepted` is also a quote that was paid. */
  Schema.TaggedStruct("OrderEvent", {
    ...seen,
    eventId: Schema.String,
    type: EventType,
    accountId: Schema.String,
    mode: Mode,
    orderId: Schema.String,
    /** The link that was published; `null` in the other events. */
    linkId: nullable(Schema.String)
  }),
  Schema.TaggedStruct("WalletCredited", { ...seen, entry: LedgerEntry }),
  Schema.TaggedStruct("OperatorActed", { ...seen, record: AuditRecord })
])
export type ActivityEvent = typeof ActivityEvent.Type

/** A subscription without its keys, and how its deliveries fare. */
export const Webhook = Schema.Struct({
  webhookId: Schema.String,
  keyId: Schema.String,
  url: Schema.String,
  events: Schema.Array(EventType),
  createdAtMs: Schema.Int,
  status: Schema.Literals(["active", "failing", "disabled"]),
  consecutiveFailures: Schema.Int
})
export type Webhook = typeof Webhook.Type

export const Delivery = Schema.Struct({
  deliveryId: Schema.String,
  eventId: Schema.String,
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

/** What was looked through, and each record that does not agree with the others; none is the proof that all do. */
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
      /** Its name, such as `ledger_adds_up`, and what it says. */
      law: Schema.String,
      words: Schema.String,
      subject: Schema.String,
      message: Schema.String
    })
  )
})
export type ReconciliationReport = typeof ReconciliationReport.Type
