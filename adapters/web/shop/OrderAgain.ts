// The links of an order, to be added to the cart again, and what of them differs by now.
import { showItem } from "#adapters/contract/ordering/Orders.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { Reorder, ReorderReason } from "#core/domain/ordering/Reorder.ts"
import { button } from "../form/Form.ts"
import type { CartItem } from "./ShopCart.ts"

const REASONS: Readonly<Record<ReorderReason, string>> = {
  site_closed: "takes no orders now, so its link is left out",
  new_article_instead: "gets a new article, because an existing one takes a link only once"
}

/** One sentence for each link that differs. */
const differences = ({ links }: OrderWithLinks, { notes }: Reorder): ReadonlyArray<string> =>
  notes.flatMap(({ linkId, reason }) => {
    const link = links.find((one) => one.linkId === linkId)
    return link === undefined ? [] : [`${link.domain} ${REASONS[reason]}.`]
  })

/** The ids follow from the order, so that a form that is sent twice adds each link once. */
export const itemsAgain = ({ order }: OrderWithLinks, { items }: Reorder): ReadonlyArray<CartItem> =>
  items.map((item, index) => ({ id: `${order.orderId}-${index}`, item: showItem(item) }))

export const againSection = (found: OrderWithLinks, reorder: Reorder): Html => {
  const notes = differences(found, reorder)
  const list =
    notes.length === 0 ? nothing : html`<ul class="screen">${notes.map((note) => html`<li>${note}</li>`)}</ul>`
  const put =
    reorder.items.length === 0
      ? html`<p class="empty screen">None of its sites takes orders now. <a href="/account/shop">Look at others</a>.</p>`
      : html`<p class="screen">${counted(reorder.items.length, "link")} can be added to your cart once more, where you see today's price before you order.</p>
${list}${button(`/account/orders/${found.order.orderId}/again`, "Add to the cart again")}`
  return html`<h2 class="screen">Order again</h2>${put}`
}

/** What was done, in a sentence or two. */
export const putAgain = (kept: number, found: OrderWithLinks, reorder: Reorder): string => {
  const missing = reorder.items.length - kept
  const full = missing === 0 ? "" : ` ${counted(missing, "link")} found no place in the cart.`
  return [
    `${counted(kept, "link")} of the order ${kept === 1 ? "is" : "are"} in your cart.${full}`,
    ...differences(found, reorder)
  ].join(" ")
}
