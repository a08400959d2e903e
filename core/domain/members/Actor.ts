// Who acts for the shop, and what they may do.
import { Schema } from "effect"

/** The name of an operator, as the audit log keeps it: 1 to 64 visible ASCII characters. */
export type Actor = string

/** What an operator's token opens. Every role reads; `admin` does everything. */
export const OperatorRole = Schema.Literals(["reader", "fulfilment", "finance", "admin"])
export type OperatorRole = typeof OperatorRole.Type

/** Whether an operator with the role `held` may do what requires the role `required`. */
export const mayAct = (held: OperatorRole, required: OperatorRole): boolean =>
  held === "admin" || held === required || required === "reader"
