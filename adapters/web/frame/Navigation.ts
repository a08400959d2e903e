// The navigation of the member area: its sections in groups, and how much waits in each.
import { Html, html, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Section, Waits } from "../Page.ts"
import { readCart } from "../shop/ShopCart.ts"

export const SECTION_PATHS: Readonly<Record<Section, string>> = {
  Overview: "/account",
  Shop: "/account/shop",
  Cart: "/account/shop/cart",
  Orders: "/account/orders",
  "To pay": "/account/quotes",
  Approvals: "/account/approvals",
  Activity: "/account/settings/activity",
  Keys: "/account/keys",
  Connections: "/account/connections",
  Webhooks: "/account/webhooks",
  Credit: "/account/credit",
  Invoices: "/account/invoices",
  Settings: "/account/settings"
}

const GROUPS: ReadonlyArray<readonly [group: string | null, sections: ReadonlyArray<Section>]> = [
  [null, ["Overview"]],
  ["Buy", ["Shop", "Cart", "Orders", "To pay"]],
  ["Agents", ["Approvals", "Activity", "Keys", "Connections", "Webhooks"]],
  ["Money", ["Credit", "Invoices"]],
  ["Account", ["Settings"]]
]

const current = new Html(' aria-current="page"')

/** What a number beside a section counts. */
const COUNTED: Readonly<Partial<Record<Section, string>>> = {
  Cart: "links in it",
  "To pay": "awaiting payment",
  Approvals: "to approve or decline"
}

/** Nothing of a cart expires, so that its number calls for nothing. */
const counter = (section: Section, count: number): Html =>
  count === 0
    ? nothing
    : html` <span class="${section === "Cart" ? "pill" : "count"}">${count}<span class="unseen"> ${COUNTED[section] ?? ""}</span></span>`

/** Only owners have a cart. `end`: what stands at its end on a small screen, where a button of the header opens it. */
export const navigation = (who: SignedIn, section: Section | undefined, waits: Waits, end: Html): Html => {
  const counts: Readonly<Partial<Record<Section, number>>> = {
    Cart: readCart(who.session.cart)?.cart.items.length ?? 0,
    "To pay": waits.payments,
    Approvals: waits.approvals
  }
  const isShown = (one: Section): boolean => one !== "Cart" || who.member.role === "owner"
  const entry = (one: Section): Html =>
    html`<li><a href="${SECTION_PATHS[one]}"${one === section ? current : nothing}>${one}${counter(one, counts[one] ?? 0)}</a></li>\n`
  return html`<nav class="side" id="menu" popover aria-label="Member area">
${GROUPS.map(([group, sections]) => {
  const list = html`<ul>\n${sections.filter(isShown).map(entry)}</ul>\n`
  return group === null ? list : html`<p class="group">${group}</p>\n${list}`
})}${end}
</nav>`
}
