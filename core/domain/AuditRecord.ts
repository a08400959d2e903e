// One entry of the audit log: every change made by an operator writes one.
import type { Actor } from "./Actor.ts"
import type { Millis } from "./DecisionContext.ts"

export interface AuditRecord {
  readonly auditId: string
  readonly actor: Actor
  /** What was done, such as `link.cancel`. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subject: string
  readonly details: Readonly<Record<string, string | number | boolean | null>>
  readonly atMs: Millis
}
