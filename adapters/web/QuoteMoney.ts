// The money of a quote or an order, explained: each line, the discount and why, and what paid for it.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import { creditedCents, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Quote, QuoteLine } from "#core/domain/ordering/Quote.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import type { ConsideredDiscount, Discount } from "#core/domain/pricing/Discount.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import { vatLine } from "./money/PriceVat.ts"
import { type Column, column, money, named, table, term } from "./Tables.ts"

/** The page of a quote that goes on to its payment by itself. */
export const toPayment = (quoteId: string): string => `/account/quotes/${quoteId}?to=payment`

/** What of a line is not as usual. */
export const kindsOf = ({ format, tier2Links, reference }: QuoteLine["item"]): ReadonlyArray<string> => [
  ...(format === "insertion" ? ["into an article that is online"] : []),
  ...(tier2Links === 0 ? [] : [`with ${counted(tier2Links, "tier-2 link")}`]),
  ...(reference === undefined ? [] : [`your reference: ${isolated(reference)}`])
]

const lineColumns: ReadonlyArray<Column<QuoteLine>> = [
  named("Site", ({ item, domain }) => html`${domain}${kindsOf(item).map((kind) => html`<br><small>${kind}</small>`)}`),
  column("Anchor text", ({ item }) => `“${isolated(item.anchorText)}”`),
  column("Links to", ({ item }) => shownTarget(item.targetUrl)),
  money("Price", ({ priceCents }) => formatEur(priceCents))
]

/** The order's own, as its buyer gave it. */
export const referenceNote = ({ reference }: Pick<Quote, "reference">): Html =>
  reference === null ? nothing : html`<p>Your reference: ${reference}</p>`

const why = ({ reservedBy, usedForDomain }: ConsideredDiscount): string => {
  if (reservedBy !== undefined) return " (another unpaid order has reserved it)"
  return usedForDomain === undefined ? "" : ` (another account has used it for ${usedForDomain})`
}

/** The discounts that were compared, where there was a choice. */
const considered = ({ considered, source }: Discount): Html =>
  considered.length === 0
    ? nothing
    : html`<p class="hint">Compared: ${considered
        .map(
          (one) =>
            `${one.code ?? "welcome offer"} takes off ${formatEur(one.amountCents)}${one.applied ? " (applied)" : why(one)}`
        )
        .join("; ")}.${source === "none" ? " None was applied." : ""}</p>`

/**
 * A total without a discount is the price. `vat`: what is said of the VAT in the total, see `PriceVat.ts`. `spendableCents`: credit that is left
 * beside what this takes or holds, where that is said.
 */
export const sums = (quote: Quote, cardLabel: string, vat: string | null = null, spendableCents?: Cents): Html => {
  const { grossCents, discount, totalCents, creditCents, cardCents } = quote
  return html`<dl class="sums">
${grossCents === totalCents ? nothing : term("Price", formatEur(grossCents))}
${discount.source === "none" ? nothing : term(discount.label, `−${formatEur(discount.amountCents)}`)}
${term("Total", formatEur(totalCents), true)}
${creditCents > 0 ? term("From credit", formatEur(creditCents)) : nothing}
${creditCents > 0 && spendableCents !== undefined ? term("Left to spend", formatEur(spendableCents)) : nothing}
${cardCents > 0 ? term(cardLabel, formatEur(cardCents)) : nothing}
</dl>
${vatLine(vat)}${considered(discount)}`
}

export const quoteMoney = (quote: Quote, vat: string | null): Html =>
  html`${table(lineColumns, quote.lines)}${sums(quote, quote.status === "paid" ? "Paid" : "Left to pay", vat)}`

/** The prices of its links stand beside them. An order whose quote is no longer kept still says its total. */
export const moneyOfOrder = ({ order, links }: OrderWithLinks, quote: Quote | null, vat: string | null): Html => {
  const back = creditedCents(links)
  const note =
    back === 0
      ? nothing
      : html`<p class="note">${formatEur(back)} of it was credited to your account for cancelled links.</p>`
  const money =
    quote === null
      ? html`<dl>${term("Total", formatEur(order.totalCents), true)}</dl>${vatLine(vat)}`
      : sums(quote, "Paid", vat)
  return html`${money}${note}`
}
