// The page of the cart: its items with what is wrong with them, the price with its reasons, and the button that orders.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { button, fresh, hidden, input } from "../Fields.ts"
import { sums } from "../QuoteMoney.ts"
import type { CartProblem } from "./CartProblem.ts"
import type { CartItem, ReadCart, ShopCart } from "./ShopCart.ts"

export const CART = "/account/shop/cart"

/** Either what the cart costs, or why it cannot be ordered. */
export type Preview =
  | { readonly _tag: "Priced"; readonly quote: Quote }
  | { readonly _tag: "Refused"; readonly problem: CartProblem }

const problemText = (text: string | null): Html =>
  text === null ? nothing : html`<p class="problem" role="alert">${text}</p>`

const placeOf = ({ article_id, tier2_links }: CartItem["item"]): string => {
  const place = article_id === undefined ? "a new article" : `article ${article_id}`
  return tier2_links === 0 ? place : `${place}, ${counted(tier2_links, "tier-2 link")}`
}

const itemRow = (
  { id, item }: CartItem,
  shown: { readonly domain: string; readonly price: string; readonly problem: string | undefined }
): Html => {
  const { domain, price, problem } = shown
  return html`<tr>
<th scope="row"><a href="/account/shop/sites/${item.site_id}">${domain}</a>${problem === undefined ? nothing : html`<br><span class="error">${problem}</span>`}</th>
<td data-label="Anchor text">“${item.anchor_text}”</td>
<td data-label="Links to">${item.target_url}</td>
<td data-label="In">${placeOf(item)}</td>
<td class="money">${price}</td>
<td><a class="button small" href="${CART}/items/${id}" aria-label="Change: ${domain}">Change</a> ${button(`${CART}/items/${id}/remove`, "Take out", { kind: "small", about: domain })}</td>
</tr>`
}

const itemsTable = ({ items }: ShopCart, domains: ReadonlyMap<number, string>, preview: Preview): Html => {
  const rows = items.map((one, index) => {
    const line = preview._tag === "Priced" ? preview.quote.lines[index] : undefined
    return itemRow(one, {
      domain: domains.get(one.item.site_id) ?? `site ${one.item.site_id}`,
      price: line === undefined ? "" : formatEur(line.priceCents),
      problem: preview._tag === "Refused" ? preview.problem.ofItems.get(index) : undefined
    })
  })
  return html`<table>
<thead><tr><th scope="col">Site</th><th scope="col">Anchor text</th><th scope="col">Links to</th><th scope="col">In</th><th scope="col" class="money">Price</th><td></td></tr></thead>
<tbody>${rows}</tbody>
</table>`
}

const promoForm = ({ promoCode = "" }: ShopCart, problem: string | null): Html => {
  const messages = new Map(problem === null ? [] : [["promo_code", problem] as const])
  const state = { ...fresh({ promo_code: promoCode }), messages }
  const hint = "The better of this and the welcome offer counts. Empty: none."
  return html`<form class="wide" method="post" action="${CART}/promo-code">
${input(state, { name: "promo_code", label: "Promo code", hint, maxLength: 64 })}
<button type="submit">Use it</button>
</form>`
}

const warnings = ({ warnings: given }: Quote): Html =>
  given.length === 0
    ? nothing
    : html`<div class="problem"><h2>Before you order</h2><ul>${given.map(({ message }) => html`<li>${message}</li>`)}</ul></div>`

const deedOf = ({ totalCents, cardCents, creditCents }: Quote): { readonly label: string; readonly note: string } => {
  if (cardCents === 0) {
    const from = creditCents === 0 ? "" : " from your credit"
    return { label: `Order for ${formatEur(totalCents)}${from}`, note: "It is paid at once, and work begins." }
  }
  const kept = creditCents === 0 ? "" : ` ${formatEur(creditCents)} of your credit is kept for it until then.`
  return {
    label: `Order and go to pay ${formatEur(cardCents)}`,
    note: `Nothing is charged before you pay on the next page.${kept}`
  }
}

/** `total` is what the person saw: the order is refused if it costs more by then. */
const orderForm = ({ key }: ShopCart, quote: Quote): Html => {
  const { label, note } = deedOf(quote)
  return html`<form method="post" action="/account/shop/order">
${hidden("cart", key)}${hidden("total", String(quote.totalCents))}
<button class="pay" type="submit">${label}</button>
</form>
<p class="hint">${note}</p>`
}

const priceSection = (cart: ShopCart, preview: Preview): Html => {
  const problem = preview._tag === "Refused" ? preview.problem : null
  const priced =
    preview._tag === "Priced"
      ? html`${sums(preview.quote, "Left to pay")}${warnings(preview.quote)}${orderForm(cart, preview.quote)}`
      : html`<p>The cart cannot be ordered as it is: correct what is said above.</p>`
  return html`<h2>Price</h2>${promoForm(cart, problem?.ofPromoCode ?? null)}${problemText(problem?.ofCart ?? null)}${priced}`
}

const left = (unreadable: number): Html =>
  unreadable === 0
    ? nothing
    : html`<p class="note">${counted(unreadable, "link")} that this cart once had cannot be read any more, and will not be ordered.</p>`

/** `problem` of the last form, above all. */
export const cartBody = (
  { cart, unreadable }: ReadCart,
  domains: ReadonlyMap<number, string>,
  preview: Preview,
  problem: string | null
): Html => html`<h1>Cart</h1>
${problemText(problem)}${left(unreadable)}
<p>${counted(cart.items.length, "link")} of at most ${MAX_ITEMS}. What you order here is real, and belongs to all who can see this account.</p>
${itemsTable(cart, domains, preview)}
<p><a href="/account/shop">Choose more sites</a></p>
${priceSection(cart, preview)}`

export const emptyCart = (problem: string | null): Html => html`<h1>Cart</h1>
${problemText(problem)}
<p class="empty">Your cart is empty. <a href="/account/shop">Choose a site</a>, and put a link on it into the cart.</p>`
