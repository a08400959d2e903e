// Who acts for the shop, and what they may do.
import { Schema } from "effect"

/** The name of an operator, as the audit log keeps it: 1 to 64 visible ASCII characters. */
export type Actor = string

/** The payment processor, where it reports what happened to a payment. */
export const PROCESSOR: Actor = "payment processor"

/** What the service does by itself. */
export const SERVICE: Actor = "service"

/** How the ids of members and credentials begin, which act under their ids. */
export const ACTOR_PREFIXES = ["mem_", "key_", "con_", "web_"] as const

/** Whether the audit log has an operator under this name. */
export const isOperator = (actor: Actor): boolean =>
  actor !== PROCESSOR && actor !== SERVICE && !ACTOR_PREFIXES.some((prefix) => actor.startsWith(prefix))

/** What an operator's token opens. Every role reads; `admin` does everything. */
export const OperatorRole = Schema.Literals(["reader", "fulfilment", "finance", "admin"])
export type OperatorRole = typeof OperatorRole.Type

/** Whether an operator with the role `held` may do what requires the role `required`. */
export const mayAct = (held: OperatorRole, required: OperatorRole): boolean =>
  held === "admin" || held === required || required === "reader"
