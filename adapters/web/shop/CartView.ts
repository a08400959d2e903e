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
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { warningText } from "../approval/ApprovalView.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { flag, hidden, text } from "../form/Fields.ts"
import { button, form, showForm } from "../form/Form.ts"
import { vatOf } from "../money/PriceVat.ts"
import type { Visit } from "../Page.ts"
import { sums } from "../QuoteMoney.ts"
import { actions, type Column, column, money, named, plainly, table } from "../Tables.ts"
import { UNTIL_WHEN } from "../Wording.ts"
import type { CartProblem } from "./CartProblem.ts"
import { type LinkedAlready, siteWarningOf } from "./LinkedAlready.ts"
import type { CartItem, ReadCart, ShopCart } from "./ShopCart.ts"

export const CART = "/account/shop/cart"

/** Either what the cart costs, or why it cannot be ordered. */
export type Preview =
  | { readonly _tag: "Priced"; readonly quote: Quote; readonly linked: ReadonlyMap<number, LinkedAlready> }
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
  /** The link that the account has there already. */
  readonly linked: LinkedAlready | undefined
}

const linkedText = (linked: LinkedAlready): Html => {
  if (linked._tag === "Ordered")
    return html`<a href="/account/orders/${linked.orderId}">A link there is already ordered</a>`
  return html`${linked._tag === "Online" ? "A link there is online" : "You ordered a link there before"}`
}

const besideName = ({ problem, linked }: Row): Html => {
  if (problem !== undefined) return html`<br><span class="error">${problem}</span>`
  return linked === undefined ? nothing : html`<br><small class="warned">${linkedText(linked)}</small>`
}

const columns: ReadonlyArray<Column<Row>> = [
  named("Site", (row) => html`<a href="/account/shop/sites/${row.item.site_id}">${row.domain}</a>${besideName(row)}`),
  plainly("Anchor text", ({ item }) => `“${isolated(item.anchor_text)}”`),
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
        problem: preview._tag === "Refused" ? preview.problem.ofItems.get(index) : undefined,
        linked: preview._tag === "Priced" ? preview.linked.get(index) : undefined
      }
    })
  )

export const promoCode = form({
  path: `${CART}/promo-code`,
  fields: {
    promo_code: text(OrderRequest.fields.promo_code, "Promo code", {
      hint: "The better of this and the welcome offer counts. Leave it empty for none.",
      maxLength: 64
    })
  },
  button: "Apply code"
})

export const orderReference = form({
  path: `${CART}/reference`,
  fields: {
    reference: text(OrderRequest.fields.reference, "Your reference", {
      hint: "Such as a purchase order number, to find the order by. Leave it empty for none.",
      maxLength: 100
    })
  },
  button: "Save reference"
})

/** Sites that link there already are marked above, and several are told in one line. */
const warnings = (quote: Quote): Html => {
  const ofSites = new Set(quote.lines.map(siteWarningOf))
  const [first, ...more] = quote.warnings.filter(({ message }) => ofSites.has(message))
  const others = quote.warnings.filter(({ message }) => !ofSites.has(message))
  const told =
    first === undefined
      ? []
      : more.length === 0
        ? [warningText(first, quote)]
        : [
            html`You already ordered links to the same domain on ${more.length + 1} of these sites: they are marked above.`
          ]
  const all = [...told, ...others.map((one) => warningText(one, quote))]
  return all.length === 0
    ? nothing
    : html`<div class="notice"><h3>Before you order</h3><ul>${all.map((one) => html`<li>${one}</li>`)}</ul></div>`
}

const deedOf = ({ totalCents, cardCents, creditCents }: Quote): { readonly label: string; readonly note: string } => {
  if (cardCents === 0) {
    const from = creditCents === 0 ? "" : " from your credit"
    return {
      label: `Order for ${formatEur(totalCents)}${from}`,
      note: `It is paid at once. The next page says when each link is online, and has the invoice within a minute. ${UNTIL_WHEN}`
    }
  }
  const held =
    creditCents === 0
      ? ""
      : ` ${formatEur(creditCents)} of your credit is held until you pay, and released if you do not.`
  return {
    label:
      creditCents === 0
        ? `Order and pay ${formatEur(cardCents)}`
        : `Order for ${formatEur(totalCents)} (${formatEur(cardCents)} by card)`,
    note: `Next comes the payment page. Nothing is charged before you pay there; then you come back to the order.${held} ${UNTIL_WHEN}`
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
  const { accountId } = visit.who.account
  const vat = yield* vatOf({ accountId, mode: "live", totalCents: quote.totalCents })
  return html`<section class="card pad gap" aria-labelledby="price">
<div class="stack"><h2 id="price">What you pay</h2>
${sums(quote, "Left to pay by card", vat, { isHeld: false, spendableCents: availableCents(visit.who.account.wallet) })}</div>
${warnings(quote)}
<div class="stack">${yield* showForm(orderForm, { ...visit, refused: null }, { values, button: label })}
<p class="hint">${note}</p></div>
</section>`
})

const refusedSection = (ofCart: string | null): Html => html`<section class="card pad stack" aria-labelledby="price">
<h2 id="price">What you pay</h2>
${problemText(ofCart)}<p>The cart cannot be ordered as it is: correct what is said ${ofCart === null ? "beside the links above" : "here"}.</p>
</section>`

/** Most carts have neither, so that both are folded until there is one. */
const codeSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, cart: ShopCart, ofPromoCode: string | null) {
  const promo = yield* showForm(promoCode, visit, {
    values: { promo_code: cart.promoCode ?? "" },
    messages: new Map(ofPromoCode === null ? [] : [["promo_code", ofPromoCode]])
  })
  const reference = yield* showForm(orderReference, visit, { values: { reference: cart.reference ?? "" } })
  const isRefused = [promoCode.path, orderReference.path].some((path) => visit.refused?.path === path)
  const isUsed = cart.promoCode !== undefined || cart.reference !== undefined || ofPromoCode !== null || isRefused
  return html`<details${flag("open", isUsed)}><summary>Promo code or your reference</summary>
<div class="cards">${promo}${reference}</div></details>`
})

const priceSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, cart: ShopCart, preview: Preview) {
  const { ofPromoCode = null, ofCart = null } = preview._tag === "Refused" ? preview.problem : {}
  const priced = preview._tag === "Priced" ? yield* orderSection(visit, cart, preview.quote) : refusedSection(ofCart)
  return html`${yield* codeSection(visit, cart, ofPromoCode)}
${priced}`
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
<p>${counted(cart.items.length, "link")} of at most ${MAX_ITEMS} in one order. <a href="/account/shop">Choose more sites</a></p>
${itemsTable(cart, domains, preview)}
${yield* priceSection(visit, cart, preview)}`
})

export const emptyCart = (problem: string | null): Html => html`${problemText(problem)}
<section class="card pad stack"><h2>Your cart is empty</h2>
<p>Choose a site in the Shop and add a link on it. You see the whole price before you order, and nothing is charged until then.</p>
<p class="row"><a class="btn main" href="/account/shop">Choose a site</a> <a class="btn" href="/account/shop/sheets">Upload a sheet of links</a></p>
<p class="small">The same links as before? Open the order under <a href="/account/orders">Orders</a> and add them again.</p></section>`
