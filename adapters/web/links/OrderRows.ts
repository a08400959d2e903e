// Orders as rows of a table: who ordered how many links to which domains, how far they are, and when the next of them is due.
import { dayOf, type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { dueAtMs } from "#core/domain/ordering/DueDate.ts"
import { canCancel } from "#core/domain/ordering/Link.ts"
import { type OrderWithLinks, orderStatus } from "#core/domain/ordering/Order.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { detailsText, linksText, type People, referenceText, shortPlacerIn, smallLines } from "../agents/Placers.ts"
import { type Column, column, money, named, plainly } from "../Tables.ts"
import { orderText, orderTone, state } from "../Wording.ts"

type Links = OrderWithLinks["links"]

/** When all of them were online. */
const onlineSince = (links: Links): Html => {
  const since = links.flatMap(({ status, publishedAtMs }) => (status === "cancelled" ? [] : (publishedAtMs ?? [])))
  return since.length === 0 ? nothing : line("since", Math.max(...since))
}

/** A day stays on one line. */
const line = (says: string, atMs: Millis): Html => html`<br><small class="num">${says} ${dayOf(atMs)}</small>`

/** What is late comes first, with the day on which the first of it was due. */
const dueLines = (links: Links, nowMs: Millis): Html => {
  const open = links.filter(({ status }) => canCancel(status))
  if (open.length === 0) return onlineSince(links)
  const due = open.flatMap((link) => dueAtMs(link) ?? [])
  const next = due.filter((atMs) => atMs >= nowMs)
  const late = due.filter((atMs) => atMs < nowMs)
  const [overdue, says] = open.length === 1 ? ["overdue", "due"] : [`${late.length} overdue`, "next due"]
  const was = late.length === 0 ? nothing : html`<br>${state(overdue, "bad")}${line("was due", Math.min(...late))}`
  return html`${was}${next.length === 0 ? nothing : line(says, Math.min(...next))}`
}

/** Who ordered how many links to which domains; below it what tells alike orders apart. */
const orderColumn = (people: People) =>
  named<OrderWithLinks>("Order", ({ order, links }) => {
    const targets = links.map(({ targetUrl }) => targetUrl)
    const lines = smallLines([detailsText(links), referenceText(order)])
    return html`<a href="/account/orders/${order.orderId}">${isolated(shortPlacerIn(people, order))}: ${linksText(targets)}</a>${lines}`
  })

const stateColumn = (nowMs: Millis) =>
  plainly<OrderWithLinks>(
    "State",
    ({ links }) => html`${state(orderText(links), orderTone[orderStatus(links)])}${dueLines(links, nowMs)}`
  )

const orderedColumn = column<OrderWithLinks>("Ordered", ({ order }) => instant(order.createdAtMs))

const totalColumn = money<OrderWithLinks>("Total", ({ order }) => formatEur(order.totalCents))

/** On the list of all orders. */
export const orderColumns = (people: People, nowMs: Millis): ReadonlyArray<Column<OrderWithLinks>> => [
  orderColumn(people),
  orderedColumn,
  stateColumn(nowMs),
  totalColumn
]

/** On the overview, where the moment of an order matters less than what comes next. */
export const progressColumns = (people: People, nowMs: Millis): ReadonlyArray<Column<OrderWithLinks>> => [
  orderColumn(people),
  stateColumn(nowMs),
  totalColumn
]
