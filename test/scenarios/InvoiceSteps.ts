// Steps of invoices over HTTP: who sells, issuing what is due, and reading it.
import { Effect } from "effect"
import type { InvoiceRecord } from "#adapters/contract/invoicing/Invoices.ts"
import { IssueInvoices } from "#core/usecases/invoicing/IssueInvoices.ts"
import type { Buyer } from "./Buyers.ts"

/** The settings of a seller whose invoices bear VAT. */
export const SELLER = {
  SELLER_NAME: "Reef Media SARL",
  SELLER_ADDRESS: "1 quai du Port|13002 Marseille",
  SELLER_COUNTRY: "FR",
  SELLER_VAT_ID: "FR40303265045"
}

/** Issues what is due until the account has documents that match, because another instance may be issuing at this moment. */
export const untilInvoices = Effect.fnUntraced(function* (
  { api }: Buyer,
  matches: (invoices: ReadonlyArray<InvoiceRecord>) => boolean
) {
  const { pass } = yield* IssueInvoices
  const read = Effect.andThen(pass(true), api.invoices.listInvoices({ query: { limit: 50 } }))
  const { invoices } = yield* Effect.repeat(read, { until: ({ invoices }) => matches(invoices) })
  return invoices
})

/** The invoice of that order, issued if it is due. */
export const invoiceOf = Effect.fnUntraced(function* (who: Buyer, orderId: string) {
  const isOfOrder = ({ kind, order_id }: InvoiceRecord): boolean => kind === "invoice" && order_id === orderId
  const found = (yield* untilInvoices(who, (invoices) => invoices.some(isOfOrder))).find(isOfOrder)
  if (found === undefined) return yield* Effect.die("untilInvoices has found it")
  return found
})
