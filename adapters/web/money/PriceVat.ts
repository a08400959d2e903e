// Says where an amount is agreed to what VAT is in it, as the invoice of the order will have it or has it.
import { Effect } from "effect"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { OrderVat } from "#core/domain/invoicing/OrderVat.ts"
import { netOf, type VatTreatment } from "#core/domain/invoicing/Vat.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"

const PERCENT = 100

/** "20 %". */
export const percentText = (basisPoints: number): string => `${basisPoints / PERCENT} %`

const WITHOUT: Readonly<Record<Exclude<VatTreatment, "standard">, string>> = {
  reverse_charge: "Without VAT (reverse charge).",
  outside_eu: "Without VAT (outside the European Union).",
  franchise: "No VAT is charged.",
  prepayment: "A receipt without VAT; each order has its invoice."
}

/** "Includes 20 % VAT, 13.33 EUR." of a total; `null` where nothing was agreed to that could bear any. */
export const vatText = ({ treatment, vatBasisPoints }: OrderVat, totalCents: Cents): string | null => {
  if (treatment !== "standard") return WITHOUT[treatment]
  const vatCents = totalCents - netOf(totalCents, vatBasisPoints)
  return vatCents === 0 ? null : `Includes ${percentText(vatBasisPoints)} VAT, ${formatEur(vatCents)}.`
}

/** Said once of all prices of a list, for people who have not signed in. */
export const listVatText = ({ treatment, vatBasisPoints }: OrderVat): string =>
  treatment === "standard" ? `Prices include ${percentText(vatBasisPoints)} VAT where it is due.` : WITHOUT[treatment]

/** The VAT of a top-up. */
export const topUpVatText = WITHOUT.prepayment

/** A line below an amount. */
export const vatLine = (says: string | null): Html => (says === null ? nothing : html`<p class="hint">${says}</p>`)

/** What an account is to agree to: a quote, or a cart. */
interface Agreed {
  readonly accountId: AccountId
  readonly mode: Mode
  readonly totalCents: Cents
}

/** What is said of the VAT of what would be bought now; `null` in the sandbox, where nothing is invoiced, and where no seller is configured. */
export const vatOf = Effect.fnUntraced(function* ({ accountId, mode, totalCents }: Agreed) {
  const vat = mode === "sandbox" ? null : yield* (yield* ReadInvoices).vatOfOrders(accountId)
  return vat === null ? null : vatText(vat, totalCents)
})

/** The line below a total that is to be agreed to. */
export const vatNote = (agreed: Agreed) => Effect.map(vatOf(agreed), vatLine)

/** The same of an order that is paid: its invoice says it for good, once it is issued. */
export const vatOfOrder = Effect.fnUntraced(function* (
  { order }: OrderWithLinks,
  documents: ReadonlyArray<Pick<Invoice, "kind" | "facts">>
) {
  const issued = documents.find(({ kind }) => kind === "invoice")
  if (issued === undefined) return yield* vatOf(order)
  return issued.facts.seller === null ? null : vatText(issued.facts, order.totalCents)
})
