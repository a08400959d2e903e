// One entry of the audit log: every change made by an operator or a member writes one, and those of agents that are no order.
import type { Actor } from "./Actor.ts"
import type { Millis } from "./DecisionContext.ts"

export interface AuditRecord {
  readonly auditId: string
  /** The name of an operator, or the id of a member or a key. */
  readonly actor: Actor
  /** What was done, such as `link.cancel`. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subject: string
  /** Whose members may read it; `null` where it is about no account, and in some records of earlier versions. */
  readonly accountId: string | null
  readonly details: Readonly<Record<string, string | number | boolean | null>>
  readonly atMs: Millis
}
