// Calls that only read: audit log, live activity, webhook deliveries, reconciliation.
import { Schema } from "effect"
import { RpcGroup } from "effect/rpc"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { AuditId, DeliveryId, idBrands } from "#core/domain/shared/Ids.ts"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { OfAccount, OfKey } from "../records/AccountRecords.ts"
import { argument } from "../records/CommandFields.ts"
import { Id, PageSize } from "../records/Fields.ts"
import * as Records from "../records/MonitoringRecords.ts"
import { call, streamCall } from "./Call.ts"

export class MonitoringRpcs extends RpcGroup.make(
  /** Newest first. */
  call(
    "readAudit",
    "reader",
    { limit: PageSize, beforeId: Schema.optionalKey(Id.pipe(idBrands.AuditId)) },
    Schema.Struct({ records: Schema.Array(AuditRecord), nextBeforeId: Schema.NullOr(AuditId) })
  ),
  /** The active webhooks that a key made. */
  call("listWebhooks", "reader", { ...OfAccount, ...OfKey }, Schema.Array(Records.Webhook)),
  /** Deliveries of a webhook, newest first. */
  call(
    "listDeliveries",
    "reader",
    {
      ...OfAccount,
      ...OfKey,
      webhookId: Id.pipe(idBrands.WebhookId, argument("Webhook id, wh_…")),
      limit: PageSize,
      beforeId: Schema.optionalKey(Id.pipe(idBrands.DeliveryId))
    },
    Schema.Struct({ deliveries: Schema.Array(Records.Delivery), nextBeforeId: Schema.NullOr(DeliveryId) })
  ),
  /** Signing keys of webhooks, by the encryption key that opens them. */
  call("countSigningKeys", "reader", {}, Records.SigningKeyCounts),
  /** Checks all invariants of the books; may take minutes on a large database. */
  call("reconcile", "reader", {}, Records.ReconciliationReport, { isWaitedFor: true }),
  /** What retention has freed on all instances since the store was made. */
  call("showRetention", "reader", {}, Schema.Struct({ freed: Schema.Array(Records.FreedRows) })),
  /**
   * Streams activity from now on, or after the event with the given `cursor`, until the service stops. At least once, in commit
   * order as far as the store can determine it.
   */
  streamCall("watch", "reader", { after: Schema.optionalKey(Id) }, Records.ActivityEvent)
).middleware(OperatorMiddleware) {}
