// One entry of the audit log: every change made by an operator or a member writes one, and those of agents that are no order.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, AuditId } from "../shared/Ids.ts"

export const AuditRecord = Schema.Struct({
  auditId: AuditId,
  /** The name of an operator, or the id of a member or a key. */
  actor: Schema.String,
  /** What was done, such as `link.cancel`. */
  action: Schema.String,
  /** The id of what it was done to. */
  subject: Schema.String,
  /** Whose members may read it; `null` where it is about no account, and in some records of earlier versions. */
  accountId: Schema.NullOr(AccountId),
  details: Schema.Record(Schema.String, Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))),
  atMs: Millis
})
export type AuditRecord = typeof AuditRecord.Type
