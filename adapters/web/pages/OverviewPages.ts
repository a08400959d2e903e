// The overview: credit, quotes that wait for approval or payment, orders under way and what each key and connection used today. Also the button of signing out.
import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { type OrderWithLinks, orderStatus, publishedCount } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"
import { credentialText, orderStatusText, quoteStatusText, state } from "../Wording.ts"

export const overviewRoutes = {
  overview: page("viewer", "/account"),
  signOut: action("member", "/account/sign-out")
}

const figure = (label: string, amount: string, note: string): Html =>
  html`<li class="card">${label}<span class="figure">${amount}</span><small>${note}</small></li>`

const quoteRow = (quote: Quote): Html => {
  const { quoteId } = quote
  const isUndecided = awaitsApproval(quote)
  const toDo = isUndecided
    ? html`<a href="/account/approvals/${quoteId}">Approve or decline</a>`
    : quote.paymentUrl === null || quote.paymentPendingAtMs !== null
      ? html`${quoteStatusText(quote)}`
      : html`<a href="${quote.paymentUrl}">Pay ${formatEur(quote.cardCents)}</a>`
  return html`<tr>
<th scope="row"><a href="/account/${isUndecided ? "approvals" : "quotes"}/${quoteId}">${counted(quote.lines.length, "link")}</a><br><small>${[...new Set(quote.lines.map(({ domain }) => domain))].join(", ")}</small></th>
<td data-label="Good until">${instant(quote.expiresAtMs)}</td>
<td>${toDo}</td>
<td class="money">${formatEur(quote.totalCents)}</td>
</tr>`
}

const NOTHING_TO_PAY = html`<p class="empty">Nothing waits for your payment. When an order costs more than your credit covers, the payment link appears here.</p>`

const quotesTable = (quotes: ReadonlyArray<Quote>): Html => html`<table>
<thead><tr><th scope="col">What</th><th scope="col">Good until</th><th scope="col">To do</th><th scope="col" class="money">Total</th></tr></thead>
<tbody>${quotes.map(quoteRow)}</tbody>
</table>`

/** Undecided orders come first; without one, there is no word of approval. */
const openQuotesSection = (quotes: ReadonlyArray<Quote>): Html => {
  const undecided = quotes.filter(awaitsApproval)
  const toPay = quotes.filter(awaitsPayment)
  const approvals = undecided.length === 0 ? nothing : html`<h2>Waits for your approval</h2>${quotesTable(undecided)}`
  return html`${approvals}
<h2>Waits for your payment</h2>
${toPay.length === 0 ? NOTHING_TO_PAY : quotesTable(toPay)}`
}

export const orderRow = ({ order, links }: OrderWithLinks): Html => html`<tr>
<th scope="row"><a href="/account/orders/${order.orderId}">${order.orderId}</a><br><small>${[...new Set(links.map(({ domain }) => domain))].join(", ")}</small></th>
<td data-label="Ordered">${instant(order.createdAtMs)}</td>
<td>${state(orderStatusText[orderStatus(links)])} <small>${publishedCount(links)} of ${counted(links.length, "link")} online</small></td>
<td class="money">${formatEur(order.totalCents)}</td>
</tr>`

export const ordersTable = (orders: ReadonlyArray<OrderWithLinks>): Html => html`<table>
<thead><tr><th scope="col">Order</th><th scope="col">Ordered</th><th scope="col">State</th><th scope="col" class="money">Total</th></tr></thead>
<tbody>${orders.map(orderRow)}</tbody>
</table>`

const usageRow = ({ key, quotes, spentCents, dailyOrderCap }: KeyToday): Html => {
  const { maxDayCents } = key.limits
  return html`<tr>
<th scope="row">${credentialText(key)}${key.mode === "sandbox" ? html` <small>sandbox</small>` : nothing}</th>
<td data-label="Orders">${dailyOrderCap === 0 ? `${quotes}, no limit` : `${quotes} of ${dailyOrderCap}`}</td>
<td class="money">${formatEur(spentCents)}${maxDayCents === null ? "" : ` of ${formatEur(maxDayCents)}`}</td>
</tr>`
}

const usageTable = (keys: ReadonlyArray<KeyToday>): Html =>
  keys.length === 0
    ? html`<p class="empty">No key and no connection yet. <a href="/account/keys">Create a key</a> or <a href="/account/connections">connect an assistant</a> to let it order for you.</p>`
    : html`<table>
<thead><tr><th scope="col">Key or connection</th><th scope="col">Orders today</th><th scope="col" class="money">Spent today</th></tr></thead>
<tbody>${keys.map(usageRow)}</tbody>
</table>`

export const overviewHandlers = Effect.gen(function* () {
  const accounts = yield* ViewAccount
  const sessions = yield* MemberSessions

  const handlers: Handlers<typeof overviewRoutes> = {
    overview: Effect.fnUntraced(function* ({ who: { account } }) {
      const { availableCents, heldCents, openQuotes, ordersUnderWay, dayEndsAtMs } = yield* accounts.overview(
        account.accountId
      )
      const keys = yield* accounts.keysToday(account.accountId)
      const under =
        ordersUnderWay.length === 0
          ? html`<p class="empty">No order is under way. Let an agent order with one of <a href="/account/keys">your keys</a> or <a href="/account/connections">connections</a>, or order in the <a href="/account/shop">Shop</a>.</p>`
          : html`${ordersTable(ordersUnderWay)}<p><a href="/account/orders">All orders</a></p>`
      return show(
        "Overview",
        "Overview",
        html`<h1>Overview</h1>
<ul class="cards">
${figure("Credit to spend", formatEur(availableCents), "available for orders now")}
${figure("Held", formatEur(heldCents), "kept for quotes that wait for approval or payment")}
</ul>
${openQuotesSection(openQuotes)}
<h2>Orders under way</h2>
${under}
<h2>Your keys and connections today</h2>
${usageTable(keys)}
<p><small>Counted until ${instant(dayEndsAtMs)}.</small></p>`
      )
    }),
    signOut: Effect.fnUntraced(function* ({ who }) {
      yield* sessions.revoke(who, who.session.sessionId)
      return { ...seeOther("/account/sign-in", "You are signed out."), session: null }
    })
  }
  return handlers
})
