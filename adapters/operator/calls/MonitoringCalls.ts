// Watching: what operators did, what goes on in the shop as it goes on, what webhooks were sent, and what does not add up.
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { OperatorMiddleware } from "../CurrentOperator.ts"
import { OperatorError } from "../OperatorError.ts"
import { AccountId, KeyId } from "../records/AccountRecords.ts"
import { Id, PageSize } from "../records/Fields.ts"
import * as Records from "../records/MonitoringRecords.ts"
import { call } from "./Call.ts"

const page = { limit: PageSize, beforeId: Schema.optionalKey(Id) }

export class MonitoringRpcs extends RpcGroup.make(
  /** Newest first. */
  call(
    "readAudit",
    page,
    Schema.Struct({ records: Schema.Array(Records.AuditRecord), nextBeforeId: Schema.NullOr(Schema.String) })
  ),
  /** The active webhooks that a key made. */
  call("listWebhooks", { ...AccountId, ...KeyId }, Schema.Array(Records.Webhook)),
  /** What was sent to a webhook, newest first. */
  call(
    "listDeliveries",
    { ...AccountId, ...KeyId, webhookId: Id, ...page },
    Schema.Struct({ deliveries: Schema.Array(Records.Delivery), nextBeforeId: Schema.NullOr(Schema.String) })
  ),
  /** Proves that all records agree with each other; may take minutes in a large shop. */
  call("reconcile", {}, Records.ReconciliationReport),
  /**
   * What happens from now on, or behind the `cursor` of one that was seen; ends when the service stops. At least once, and in the
   * order of writing as far as the store can tell.
   */
  Rpc.make("watch", {
    payload: { after: Schema.optionalKey(Id) },
    success: Records.ActivityEvent,
    error: OperatorError,
    stream: true
  })
).middleware(OperatorMiddleware) {}
