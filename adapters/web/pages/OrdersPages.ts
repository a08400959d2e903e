// Orders of the account, by whichever key, connection or the Shop: the list with its filters, one order with the timeline of each link, and a quote.
import { Effect, Result, Schema } from "effect"
import { OrdersQuery, readConditions } from "#adapters/contract/ordering/Orders.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { type OrderConditions, OrderStatus, orderStatus } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { type AccountId, KeyId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type OrderSearch, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type FormState, fresh, input, select } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { linkSection } from "../LinkTimeline.ts"
import { linesCsv } from "../OrdersCsv.ts"
import { type Handlers, page, show } from "../PageRoutes.ts"
import { moneyOfOrder, quoteMoney } from "../QuoteMoney.ts"
import { againSection } from "../shop/OrderAgain.ts"
import { credentialText, orderStatusText, quoteStatusText, state } from "../Wording.ts"
import { ordersTable } from "./OverviewPages.ts"

export const ordersRoutes = {
  orders: page("viewer", "/account/orders"),
  ordersCsv: page("viewer", "/account/orders.csv"),
  order: page("viewer", "/account/orders/:id"),
  quote: page("viewer", "/account/quotes/:id")
}

const PAGE_SIZE = 20

const Filters = Schema.Struct({
  mode: Schema.optionalKey(Schema.Literals(["live", "sandbox"])),
  key: Schema.optionalKey(KeyId),
  text: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200, { message: "Must be at most 200 characters." }))
  ),
  before: Schema.optionalKey(OrderId),
  status: OrdersQuery.fields.status,
  target_domain: OrdersQuery.fields.target_domain,
  created_from: OrdersQuery.fields.created_from,
  created_to: OrdersQuery.fields.created_to
})

const decodeFilters = formDecoder(Filters)

const conditionsOf = (filters: typeof Filters.Type): OrderConditions => ({
  ...readConditions(filters),
  ...(filters.text === undefined ? {} : { text: filters.text.trim() })
})

const searchOf = (accountId: AccountId, filters: typeof Filters.Type): Omit<OrderSearch, "limit" | "beforeId"> => ({
  accountId,
  mode: filters.mode ?? "live",
  conditions: conditionsOf(filters),
  ...(filters.key === undefined ? {} : { keyId: filters.key }),
  ...(filters.status === undefined ? {} : { status: filters.status })
})

const filterForm = (state: FormState, keys: ReadonlyArray<ApiKey>): Html => {
  const every = { value: "", label: "all" }
  const statuses = OrderStatus.literals.map((value) => ({ value, label: orderStatusText[value] }))
  return html`<form method="get" action="/account/orders" class="filters">
${select(state, {
  name: "mode",
  label: "Kind",
  choices: [
    { value: "live", label: "real orders" },
    { value: "sandbox", label: "sandbox" }
  ]
})}
${select(state, { name: "status", label: "State", choices: [every, ...statuses] })}
${select(state, { name: "key", label: "Ordered by", choices: [every, ...keys.map((key) => ({ value: key.keyId, label: credentialText(key) }))] })}
${input(state, { name: "target_domain", label: "Links to domain" })}
${input(state, { name: "created_from", label: "From", type: "date" })}
${input(state, { name: "created_to", label: "Until", type: "date" })}
${input(state, { name: "text", label: "Text", type: "search", maxLength: 200 })}
<div class="field"><button type="submit">Show</button></div>
</form>`
}

const withoutPlace = (query: URLSearchParams): string => {
  const kept = new URLSearchParams([...query].filter(([name, value]) => name !== "before" && value !== ""))
  return kept.size === 0 ? "" : `?${kept}`
}

type OrdersFound = Effect.Success<ReturnType<ViewAccount["Service"]["orders"]>>

const nextLink = (query: URLSearchParams, { nextBeforeId, examinedToMs }: OrdersFound): Html => {
  if (nextBeforeId === null) return nothing
  const next = new URLSearchParams([...query].filter(([name, value]) => name !== "before" && value !== ""))
  next.set("before", nextBeforeId)
  const text = examinedToMs === null ? "Older orders" : "Search older orders"
  return html`<li><a rel="next" href="/account/orders?${next.toString()}">${text}</a></li>`
}

const pagesNav = (query: URLSearchParams, page: OrdersFound): Html => {
  const first = query.has("before")
    ? html`<li><a href="/account/orders${withoutPlace(query)}">Newest orders</a></li>`
    : nothing
  const csv = html`<li><a href="/account/orders.csv${withoutPlace(query)}" download>Download as CSV</a></li>`
  return html`<nav aria-label="Pages"><ul class="pages">${first}${nextLink(query, page)}${csv}</ul></nav>`
}

const NONE = html`<p class="empty">No order yet. <a href="/account/keys">Give an agent a key</a>, <a href="/account/connections">connect an assistant</a>, or <a href="/account/shop">order in the Shop</a>: what is ordered appears here.</p>`
const NO_MATCH = html`<p class="empty">No order matches. <a href="/account/orders">Show all orders</a>.</p>`

/** What a search has looked at so far, where it has not seen all orders of the account. */
const examinedNote = ({ orders, examinedToMs }: OrdersFound): Html => {
  if (examinedToMs === null) return nothing
  const found = orders.length === 0 ? "No match yet" : "There may be more"
  return html`<p class="note">${found}: the orders back to ${instant(examinedToMs)} were searched. “Search older orders” goes on from there; the CSV has the matches of all.</p>`
}

const listOf = (page: OrdersFound, isFiltered: boolean): Html => {
  if (page.orders.length > 0) return html`${ordersTable(page.orders)}${examinedNote(page)}`
  if (page.examinedToMs !== null) return examinedNote(page)
  return isFiltered ? NO_MATCH : NONE
}

/** What a person may do about a quote now. */
const nextStep = (quote: Quote): Html => {
  const { quoteId, orderId, paymentUrl, paymentPendingAtMs, cardCents } = quote
  if (orderId !== null) return html`<p><a href="/account/orders/${orderId}">To the order</a></p>`
  if (awaitsApproval(quote)) return html`<p><a href="/account/approvals/${quoteId}">Approve or decline it</a></p>`
  if (!awaitsPayment(quote) || paymentPendingAtMs !== null) return nothing
  return paymentUrl === null
    ? html`<p class="note">The payment link is being prepared: load this page again in a moment.</p>`
    : html`<p><a class="button pay" href="${paymentUrl}">Pay ${formatEur(cardCents)}</a></p>`
}

/** How it was decided, if it waited for approval. */
const decision = ({ approvedAtMs, declinedReason }: Quote): Html => {
  if (approvedAtMs !== null) return html`<p>It was approved on ${instant(approvedAtMs)}.</p>`
  if (declinedReason === null) return nothing
  return declinedReason === ""
    ? html`<p>It was declined, without a word to the agent. What it held is free again.</p>`
    : html`<p>It was declined, with this word to the agent: “${declinedReason}”. What it held is free again.</p>`
}

export const ordersHandlers = Effect.gen(function* () {
  const accounts = yield* ViewAccount

  const handlers: Handlers<typeof ordersRoutes> = {
    orders: Effect.fnUntraced(function* ({ who: { account }, query }) {
      const keys = (yield* accounts.keys(account.accountId)).map(({ key }) => key)
      const decoded = decodeFilters(query)
      if (Result.isFailure(decoded)) {
        const form = filterForm({ values: query, messages: decoded.failure }, keys)
        return show("Orders", "Orders", html`<h1>Orders</h1>${form}`, { status: 422 })
      }
      const { before, ...filters } = decoded.success
      const search = searchOf(account.accountId, filters)
      const found = yield* accounts.orders({ ...search, limit: PAGE_SIZE, beforeId: before ?? null })
      const isFiltered = withoutPlace(query) !== ""
      return show(
        "Orders",
        "Orders",
        html`<h1>Orders</h1>
${filterForm(fresh(Object.fromEntries(query)), keys)}
${listOf(found, isFiltered)}
${pagesNav(query, found)}`
      )
    }),
    ordersCsv: ({ who: { account }, query }) => {
      const decoded = decodeFilters(query)
      const filters = Result.isSuccess(decoded) ? decoded.success : {}
      const search = searchOf(account.accountId, filters)
      return Effect.succeed({
        _tag: "File",
        name: "orders.csv",
        contentType: "text/csv; charset=utf-8",
        content: linesCsv((beforeId) => accounts.orders({ ...search, limit: 200, beforeId }))
      })
    },
    order: Effect.fnUntraced(function* ({ who: { account, member }, params: { id = "" } }) {
      const { found, quote, reorder } = yield* accounts.order(account.accountId, OrderId.make(id))
      const { order, links } = found
      const by = (yield* accounts.keys(account.accountId)).find(({ key }) => key.keyId === order.keyId)
      return show(
        "Orders",
        `Order ${order.orderId}`,
        html`<h1>Order ${order.orderId}</h1>
<p>${state(orderStatusText[orderStatus(links)])} Ordered on ${instant(order.createdAtMs)}${by === undefined ? "" : `, by ${credentialText(by.key)}`}${order.mode === "sandbox" ? ", in the sandbox: nothing here has any real effect" : ""}.</p>
<h2>Links</h2>
${links.map(linkSection)}
<h2>Money</h2>
${moneyOfOrder(found, quote)}
${member.role === "owner" ? againSection(found, reorder) : nothing}`
      )
    }),
    quote: Effect.fnUntraced(function* ({ who: { account }, params: { id = "" } }) {
      const { quote } = yield* accounts.quote(account.accountId, QuoteId.make(id))
      return show(
        "Orders",
        "Quote",
        html`<h1>Quote</h1>
<p>${state(quoteStatusText(quote))} Made on ${instant(quote.createdAtMs)}, good until ${instant(quote.expiresAtMs)}.</p>
${decision(quote)}${nextStep(quote)}
${quoteMoney(quote)}`
      )
    })
  }
  return handlers
})
