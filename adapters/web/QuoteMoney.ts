// The money of a quote or an order, explained: each line, the discount and why, and what paid for it.

import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import type { Site } from "#core/domain/catalogue/Catalogue.ts"
import { creditedCents, type OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { isOpen, type Quote, type QuoteLine } from "#core/domain/ordering/Quote.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import type { ConsideredDiscount, Discount } from "#core/domain/pricing/Discount.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import { availableCents, type Wallet } from "#core/domain/wallet/Wallet.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import { smallLines } from "./agents/Placers.ts"
import { vatLine } from "./money/PriceVat.ts"
import { figure, languageName, withinDays } from "./shop/SiteWording.ts"
import { column, money, named, table, term } from "./Tables.ts"

/** The page of a quote that goes on to its payment by itself. */
export const toPayment = (quoteId: string): string => `/account/quotes/${quoteId}?to=payment`

/** What of a line is not as usual; its reference is the account's own. */
const kindsOf = ({ format, tier2Links, reference }: QuoteLine["item"], isMember: boolean): ReadonlyArray<string> => [
  ...(format === "insertion" ? ["into an article that is online"] : []),
  ...(tier2Links === 0 ? [] : [`with ${counted(tier2Links, "tier-2 link")}`]),
  ...(reference === undefined || !isMember ? [] : [`your reference: ${isolated(reference)}`])
]

/** The sites of a quote, by their ids: as they are now. One that is gone is left out. */
export const sitesOf = Effect.fnUntraced(function* ({ lines }: Pick<Quote, "lines">) {
  const found = yield* (yield* BrowseCatalogue).sites(lines.map(({ item }) => item.siteId))
  return new Map(found.map((site) => [site.siteId, site] as const))
})

export type Sites = Effect.Success<ReturnType<typeof sitesOf>>

const metrics = ({ shelf, tf, trafficMonthly, linkRel, language }: Site): string =>
  `${shelf} · Trust Flow ${tf} · ${figure(trafficMonthly)} visits a month · ${linkRel} · ${languageName(language)}`

/** Strangers, who cannot open the Shop, read the name of a site alone. */
const siteName = ({ item, domain }: QuoteLine, isMember: boolean): Html =>
  isMember ? html`<a href="/account/shop/sites/${item.siteId}">${domain}</a>` : html`${domain}`

/** What is to be decided on or paid for, link by link: owners and payers see the same. */
export const linesTable = (
  { lines }: Pick<Quote, "lines">,
  sites: Sites,
  { isMember }: { readonly isMember: boolean }
): Html =>
  table<QuoteLine>(
    [
      named("Site", (line) => {
        const site = sites.get(line.item.siteId)
        return html`${siteName(line, isMember)}${smallLines([site === undefined ? null : metrics(site)])}`
      }),
      column("Link", ({ item, turnaroundDays }) => {
        const due = turnaroundDays === undefined ? null : `online ${withinDays(turnaroundDays)}`
        return html`“${item.anchorText}” to ${shownTarget(item.targetUrl)}${smallLines([...kindsOf(item, isMember), due])}`
      }),
      money("Price", ({ priceCents }) => formatEur(priceCents))
    ],
    lines
  )

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

/** The credit that a quote takes. */
interface CreditNow {
  /** Whether it is set aside already; if not, that comes with the order. */
  readonly isHeld: boolean
  /** What can be spent now, where that is said. */
  readonly spendableCents?: Cents
}

/** What is left to spend: what is held already was taken off before. */
const leftText = ({ creditCents }: Quote, { isHeld, spendableCents }: CreditNow): string | null => {
  if (spendableCents === undefined) return null
  return isHeld
    ? `You keep ${formatEur(spendableCents)} to spend.`
    : `Left to spend after this: ${formatEur(spendableCents - creditCents)}.`
}

const hint = (says: string | null): Html => (says === null ? nothing : html`<dd class="hint">${says}</dd>`)

/** What the credit of an open quote is told by; that of the sandbox is never held. */
export const heldCredit = (quote: Quote, wallet?: Wallet): CreditNow | undefined =>
  isOpen(quote) && quote.mode === "live"
    ? { isHeld: true, ...(wallet === undefined ? {} : { spendableCents: availableCents(wallet) }) }
    : undefined

/** Stands instead of "Left to pay" for what must not be paid again. */
export const BEING_CONFIRMED = "Being confirmed"

/** A total without a discount is the price. `vat`: what is said of the VAT in the total, see `PriceVat.ts`. */
export const amounts = (quote: Quote, cardLabel: string, vat: string | null = null, credit?: CreditNow): Html => {
  const { grossCents, discount, totalCents, creditCents, cardCents } = quote
  return html`<dl class="sums">
${grossCents === totalCents ? nothing : term("Price", formatEur(grossCents))}
${discount.source === "none" ? nothing : term(discount.label, `−${formatEur(discount.amountCents)}`)}
${term("Total", formatEur(totalCents), true)}${hint(vat)}
${
  creditCents > 0
    ? html`${term(`From credit${credit?.isHeld ? " (already held)" : ""}`, formatEur(creditCents))}${hint(credit === undefined ? null : leftText(quote, credit))}`
    : nothing
}
${cardCents > 0 ? term(cardLabel, formatEur(cardCents)) : nothing}
</dl>`
}

/** The same with the discounts that were compared, which are the account's own business. */
export const sums = (...told: Parameters<typeof amounts>): Html => html`${amounts(...told)}
${considered(told[0].discount)}`

/** The prices of its links stand beside them. An order whose quote is no longer kept still says its total. */
export const moneyOfOrder = ({ order, links }: OrderWithLinks, quote: Quote | null, vat: string | null): Html => {
  const back = creditedCents(links)
  const note =
    back === 0
      ? nothing
      : html`<p class="note">${formatEur(back)} of it was credited to your account for cancelled links.</p>`
  const money =
    quote === null
      ? html`<dl class="sums">${term("Total", formatEur(order.totalCents), true)}</dl>${vatLine(vat)}`
      : sums(quote, "Paid", vat)
  return html`${money}${note}`
}
