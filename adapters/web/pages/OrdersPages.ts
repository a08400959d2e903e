// Orders of the account, by whichever key, connection or the Shop: the list with its filters, and one order with the timeline of each link.
import { Clock, type Effect, Result, Schema } from "effect"
import { OrdersQuery, readConditions } from "#adapters/contract/ordering/OrdersQuery.ts"
import { dayOf, type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { longDay } from "#adapters/html/Times.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { type OrderConditions, OrderStatus, orderStatus } from "#core/domain/ordering/Order.ts"
import { summaryWithDays } from "#core/domain/ordering/OrderSummary.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import type { OrderSearch } from "#core/usecases/members/OrderSearch.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { linksText, type People, peopleOf, placerIn, shortPlacerIn } from "../agents/Placers.ts"
import { refusedFilters } from "../form/ErrorSummary.ts"
import { choice, controlsOf, type FormState, fresh, hidden, schemaOf, text, type Values } from "../form/Fields.ts"
import { folded } from "../form/Filters.ts"
import { fieldsDecoder } from "../form/FormBody.ts"
import { daysIn, endsAfterItBegins, periodFields } from "../form/Period.ts"
import { zoneOf } from "../frame/Reader.ts"
import { linkSection } from "../LinkTimeline.ts"
import { linesCsv } from "../ListsAsCsv.ts"
import { orderColumns } from "../links/OrderRows.ts"
import { NEXT, orderFacts } from "../money/OrderFacts.ts"
import { vatOfOrder } from "../money/PriceVat.ts"
import { download, page, titled } from "../Page.ts"
import { moneyOfOrder } from "../QuoteMoney.ts"
import { againSection } from "../shop/OrderAgain.ts"
import { addressOf, pageLinks, table } from "../Tables.ts"
import { credentialText, orderStatusText, orderText, orderTone, state } from "../Wording.ts"
import { cancelling } from "./CancelPages.ts"
import { firstSteps } from "./OverviewPages.ts"

const PATH = "/account/orders"

const PAGE_SIZE = 20

const ALL = { value: "", label: "all" }

const textFilter = Schema.String.check(Schema.isMaxLength(200, { message: "Must be at most 200 characters." }))

const filters = (keys: ReadonlyArray<ApiKey>) => ({
  mode: choice(Schema.optionalKey(Schema.Literals(["live", "sandbox"])), "Kind", [
    { value: "live", label: "real orders" },
    { value: "sandbox", label: "sandbox" }
  ]),
  status: choice(OrdersQuery.fields.status, "State", [
    ALL,
    ...OrderStatus.literals.map((value) => ({ value, label: orderStatusText[value] }))
  ]),
  key: choice(Schema.optionalKey(KeyId), "Ordered by", [
    ALL,
    ...keys.map((key) => ({ value: key.keyId, label: credentialText(key) }))
  ]),
  text: text(Schema.optionalKey(textFilter), "Search", {
    hint: "Page, site, anchor, reference or id",
    type: "search",
    maxLength: 200
  }),
  ...periodFields(OrdersQuery.fields.created_from),
  target_domain: text(OrdersQuery.fields.target_domain, "Links to domain")
})

type Filters = Values<ReturnType<typeof filters>>

const decodeFilters = fieldsDecoder(
  schemaOf({ ...filters([]), before: hidden(Schema.optionalKey(OrderId)) }, endsAfterItBegins)
)

const conditionsOf = (filters: Filters, zone: string): OrderConditions => ({
  ...readConditions(filters),
  ...daysIn(filters, zone),
  ...(filters.text === undefined ? {} : { text: filters.text.trim() })
})

const searchOf = ({ accountId, ...member }: Member, filters: Filters): Omit<OrderSearch, "limit" | "beforeId"> => ({
  accountId,
  mode: filters.mode ?? "live",
  conditions: conditionsOf(filters, zoneOf(member)),
  ...(filters.key === undefined ? {} : { keyId: filters.key }),
  ...(filters.status === undefined ? {} : { status: filters.status })
})

/** The conditions of an address, without the place in the list. */
const chosenOf = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name, value]) => name !== "before" && value !== ""))

const filterForm = (state: FormState, keys: ReadonlyArray<ApiKey>): Html =>
  folded(
    html`<form method="get" action="${PATH}" class="filters">
${controlsOf(filters(keys), state)}<div class="field"><button type="submit">Filter</button></div>
</form>`,
    chosenOf(state.values),
    { mode: "live" }
  )

type OrdersFound = Effect.Success<ReturnType<ViewAccount["Service"]["orders"]>>

const NONE_OF_NEW = firstSteps(
  html`No order yet. Connect an assistant that orders for you, <a href="/account/keys">give a program a key</a>, or order in the <a href="/account/shop">Shop</a> yourself: what is ordered appears here.`
)
const NONE = html`<p class="empty">No order yet. What your agents order, and what you order in the <a href="/account/shop">Shop</a>, appears here.</p>`
const NONE_VIEWED = html`<p class="empty">No order yet. What agents and owners order appears here.</p>`

const noneYet = ({ role }: Member, keys: ReadonlyArray<ApiKey>): Html => {
  if (role === "viewer") return NONE_VIEWED
  return keys.every(({ keyId }) => isWebCredential(keyId)) ? NONE_OF_NEW : NONE
}

const NO_MATCH = html`<p class="empty">No order matches. <a href="/account/orders">Show all orders</a>.</p>`

const CORRECT_FILTERS = html`<p class="problem">These filters cannot be read, so that nothing was downloaded. <a href="${PATH}">Choose them again</a>.</p>`

/** What a search has looked at so far, where it has not seen all orders of the account. */
const examinedNote = ({ orders, examinedToMs }: OrdersFound): Html => {
  if (examinedToMs === null) return nothing
  const found = orders.length === 0 ? "No match yet" : "There may be more"
  return html`<p class="note">${found}: the orders back to ${instant(examinedToMs)} were searched. “Search older orders” continues from there; the CSV has the matches of all.</p>`
}

const listOf = (found: OrdersFound, people: People, nowMs: Millis, none: Html): Html => {
  if (found.orders.length > 0) return html`${table(orderColumns(people, nowMs), found.orders)}${examinedNote(found)}`
  if (found.examinedToMs !== null) return examinedNote(found)
  return none
}

/** How the order stands, with days of the member's zone. */
const summaryText = (links: ReadonlyArray<Link>, nowMs: number, member: Member): Html => {
  const days = { dayOf: (atMs: number) => longDay(atMs, zoneOf(member)) }
  return html`${summaryWithDays(links, nowMs, days).map((part) => (typeof part === "string" ? html`${part}` : dayOf(part.atMs)))}`
}

const ordersPage = page("viewer", PATH, { section: "Orders" }, function* ({ who: { account, member }, query }) {
  const accounts = yield* ViewAccount
  const people = yield* peopleOf(account.accountId)
  const { keys } = people
  const decoded = decodeFilters(query)
  if (Result.isFailure(decoded)) {
    const state = { values: query, messages: decoded.failure }
    return titled("Orders", filterForm(state, keys), { status: 422, refused: refusedFilters(PATH, state) })
  }
  const { before = null, ...conditions } = decoded.success
  const search = searchOf(member, conditions)
  const found = yield* accounts.orders({ ...search, limit: PAGE_SIZE, beforeId: before })
  const chosen = chosenOf(query)
  const nowMs = yield* Clock.currentTimeMillis
  const isEmpty = query.size === 0 && found.orders.length === 0 && found.examinedToMs === null
  // Filters find nothing in an account without orders, also without those of the sandbox.
  if (isEmpty && keys.every(({ mode }) => mode === "live")) return noneYet(member, keys)
  return html`${filterForm(fresh(Object.fromEntries(query)), keys)}
${listOf(found, people, nowMs, chosen.size > 0 ? NO_MATCH : noneYet(member, keys))}
${pageLinks(
  { path: PATH, filters: chosen, at: before, next: found.nextBeforeId },
  { first: "Newest orders", next: found.examinedToMs === null ? "Older orders" : "Search older orders" },
  { more: [html`<a href="${addressOf("/account/orders.csv", chosen)}" download>Download as CSV</a>`] }
)}`
})

const orderPage = page("viewer", `${PATH}/:id`, { section: "Orders" }, function* ({ who, params: { id = "" } }) {
  const { account, member } = who
  const accounts = yield* ViewAccount
  const { found, quote, reorder } = yield* accounts.order(account.accountId, OrderId.make(id))
  const { order, links } = found
  const nowMs = yield* Clock.currentTimeMillis
  const people = yield* peopleOf(account.accountId)
  const documents = yield* (yield* ReadInvoices).ofOrder(found)
  const status = orderStatus(links)
  const { links: open, together } = yield* cancelling(who, order.orderId)
  const change = member.role === "owner"
  const sandbox =
    order.mode === "sandbox"
      ? html`<p class="note">It is of the sandbox: nothing here has any real effect.</p>`
      : nothing
  return titled(
    `${isolated(shortPlacerIn(people, order))}: ${linksText(links.map(({ targetUrl }) => targetUrl))}`,
    html`<section class="card pad stack">
<p>${state(orderText(links), orderTone[status])} ${summaryText(links, nowMs, member)}</p>
<p class="screen">${NEXT[status]}</p>
${sandbox}${orderFacts(found, quote, { people, documents })}
<p class="small">Order <code>${order.orderId}</code></p>
</section>
<h2>Links</h2>
${links.map((link) => linkSection(link, nowMs, { change, cancel: open.has(link.linkId) }))}
${together}
<h2>Money</h2>
${moneyOfOrder(found, quote, yield* vatOfOrder(found, documents))}
${member.role === "owner" ? againSection(found, reorder) : nothing}`
  )
})

export const ordersPages = [
  ordersPage,
  download("viewer", "/account/orders.csv", function* ({ who: { account, member }, query }) {
    const { orders } = yield* ViewAccount
    const decoded = decodeFilters(query)
    if (Result.isFailure(decoded)) return titled("Orders", CORRECT_FILTERS, { status: 422 })
    const search = searchOf(member, decoded.success)
    const people = yield* peopleOf(account.accountId)
    return linesCsv(
      (beforeId) => orders({ ...search, limit: 200, beforeId }),
      (order) => placerIn(people, order)
    )
  }),
  orderPage
]
