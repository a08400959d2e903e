// The page of the cart: its items with what is wrong with them, the price with its reasons, and the button that orders.

import { Effect } from "effect"
import { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { warningText } from "../approval/ApprovalView.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { hidden, text } from "../form/Fields.ts"
import { button, form, showForm } from "../form/Form.ts"
import type { Visit } from "../Page.ts"
import { sums } from "../QuoteMoney.ts"
import { actions, type Column, column, money, named, table } from "../Tables.ts"
import type { CartProblem } from "./CartProblem.ts"
import type { CartItem, ReadCart, ShopCart } from "./ShopCart.ts"

export const CART = "/account/shop/cart"

/** Either what the cart costs, or why it cannot be ordered. */
export type Preview =
  | { readonly _tag: "Priced"; readonly quote: Quote }
  | { readonly _tag: "Refused"; readonly problem: CartProblem }

const problemText = (text: string | null): Html =>
  text === null ? nothing : html`<p class="problem" role="alert">${text}</p>`

const placeOf = ({ article_id, tier2_links, reference }: CartItem["item"]): string =>
  [
    article_id === undefined ? "a new article" : `article ${article_id}`,
    ...(tier2_links === 0 ? [] : [counted(tier2_links, "tier-2 link")]),
    ...(reference === undefined ? [] : [`your reference: ${isolated(reference)}`])
  ].join(", ")

interface Row extends CartItem {
  readonly domain: string
  readonly price: string
  readonly problem: string | undefined
}

const columns: ReadonlyArray<Column<Row>> = [
  named(
    "Site",
    ({ item, domain, problem }) =>
      html`<a href="/account/shop/sites/${item.site_id}">${domain}</a>${problem === undefined ? nothing : html`<br><span class="error">${problem}</span>`}`
  ),
  column("Anchor text", ({ item }) => `“${isolated(item.anchor_text)}”`),
  column("Links to", ({ item }) => shownTarget(item.target_url)),
  column("In", ({ item }) => placeOf(item)),
  money("Price", ({ price }) => price),
  actions(
    ({ id, domain }) =>
      html`<a class="btn sm" href="${CART}/items/${id}" aria-label="Change: ${domain}">Change</a> ${button(`${CART}/items/${id}/remove`, "Remove", { kind: "small", about: domain })}`
  )
]

const itemsTable = ({ items }: ShopCart, domains: ReadonlyMap<number, string>, preview: Preview): Html =>
  table(
    columns,
    items.map((one, index) => {
      const line = preview._tag === "Priced" ? preview.quote.lines[index] : undefined
      return {
        ...one,
        domain: domains.get(one.item.site_id) ?? `site ${one.item.site_id}`,
        price: line === undefined ? "" : formatEur(line.priceCents),
        problem: preview._tag === "Refused" ? preview.problem.ofItems.get(index) : undefined
      }
    })
  )

export const promoCode = form({
  path: `${CART}/promo-code`,
  fields: {
    promo_code: text(OrderRequest.fields.promo_code, "Promo code", {
      hint: "The better of this and the welcome offer counts. Empty: none.",
      maxLength: 64
    })
  },
  button: "Apply code"
})

export const orderReference = form({
  path: `${CART}/reference`,
  fields: {
    reference: text(OrderRequest.fields.reference, "Your reference", {
      hint: "Such as a purchase order number, by which you find the order again. Empty: none.",
      maxLength: 100
    })
  },
  button: "Save reference"
})

const warnings = (quote: Quote): Html =>
  quote.warnings.length === 0
    ? nothing
    : html`<div class="notice"><h2>Before you order</h2><ul>${quote.warnings.map((one) => html`<li>${warningText(one, quote)}</li>`)}</ul></div>`

const deedOf = ({ totalCents, cardCents, creditCents }: Quote): { readonly label: string; readonly note: string } => {
  if (cardCents === 0) {
    const from = creditCents === 0 ? "" : " from your credit"
    return {
      label: `Order for ${formatEur(totalCents)}${from}`,
      note: "It is paid at once, and its page says what happens next."
    }
  }
  const held = creditCents === 0 ? "" : ` ${formatEur(creditCents)} of your credit is held for it until then.`
  return {
    label: `Order and pay ${formatEur(cardCents)}`,
    note: `The payment page comes next; nothing is charged before you pay there. Then you come back to the order.${held}`
  }
}

/** `total` is what the person saw: the order is refused if it costs more by then. */
export const orderForm = form({
  path: "/account/shop/order",
  look: "inline",
  fields: { cart: hidden(anyText), total: hidden(anyText) },
  kind: "pay",
  button: "Order"
})

/** Its refusals are about the cart, and stand above it. */
const orderSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, { key }: ShopCart, quote: Quote) {
  const { label, note } = deedOf(quote)
  const values = { cart: key, total: String(quote.totalCents) }
  return html`${sums(quote, "Left to pay")}${warnings(quote)}${yield* showForm(orderForm, { ...visit, refused: null }, { values, button: label })}
<p class="hint">${note}</p>`
})

const priceSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, cart: ShopCart, preview: Preview) {
  const { ofPromoCode = null, ofCart = null } = preview._tag === "Refused" ? preview.problem : {}
  const promo = yield* showForm(promoCode, visit, {
    values: { promo_code: cart.promoCode ?? "" },
    messages: new Map(ofPromoCode === null ? [] : [["promo_code", ofPromoCode]])
  })
  const reference = yield* showForm(orderReference, visit, { values: { reference: cart.reference ?? "" } })
  const priced =
    preview._tag === "Priced"
      ? yield* orderSection(visit, cart, preview.quote)
      : html`<p>The cart cannot be ordered as it is: correct what is said above.</p>`
  return html`<h2>Code and reference</h2>
<div class="cards">${promo}${reference}</div>
<h2>Price</h2>${problemText(ofCart)}${priced}`
})

const left = (unreadable: number): Html =>
  unreadable === 0
    ? nothing
    : html`<p class="note">${counted(unreadable, "link")} that this cart once had cannot be read any more, and will not be ordered.</p>`

/** `problem`: what is wrong with the address that was asked for. */
export const cartBody = Effect.fnUntraced(function* (
  visit: Visit<SignedIn>,
  { cart, unreadable }: ReadCart,
  domains: ReadonlyMap<number, string>,
  preview: Preview,
  problem: string | null
) {
  return html`${problemText(problem)}${left(unreadable)}
<p>${counted(cart.items.length, "link")} of at most ${MAX_ITEMS}. What you order here is real, and belongs to all who can see this account.</p>
${itemsTable(cart, domains, preview)}
<p><a href="/account/shop">Choose more sites</a></p>
${yield* priceSection(visit, cart, preview)}`
})

export const emptyCart = (problem: string | null): Html => html`${problemText(problem)}
<p class="empty">Your cart is empty. <a href="/account/shop">Choose a site</a>, and add a link on it to the cart.</p>`
