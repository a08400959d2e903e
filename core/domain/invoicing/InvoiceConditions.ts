// What a list of an account's documents is narrowed by.
import type { Millis } from "../shared/DecisionContext.ts"
import type { OrderId } from "../shared/Ids.ts"
import type { Invoice } from "./Invoice.ts"

/** All conditions hold; an absent one does not count. */
export interface InvoiceConditions {
  /** The invoice of this order, and the credit notes of its links. */
  readonly orderId?: OrderId
  readonly issuedFromMs?: Millis
  /** Inclusive. */
  readonly issuedToMs?: Millis
}

export const meetsInvoiceConditions = (
  { orderId, issuedAtMs }: Pick<Invoice, "orderId" | "issuedAtMs">,
  conditions: InvoiceConditions
): boolean =>
  (conditions.orderId === undefined || orderId === conditions.orderId) &&
  (conditions.issuedFromMs === undefined || issuedAtMs >= conditions.issuedFromMs) &&
  (conditions.issuedToMs === undefined || issuedAtMs <= conditions.issuedToMs)
