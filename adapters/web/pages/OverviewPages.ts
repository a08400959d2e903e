// The overview: credit, quotes that wait for approval or payment, orders under way and what each key and connection used today. Also the button of signing out.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { type OrderWithLinks, orderStatus, publishedCount } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { action, page, seeOther } from "../Page.ts"
import { type Column, column, figures, money, named, plainly, table } from "../Tables.ts"
import { credentialText, orderStatusText, quoteStatusText, state } from "../Wording.ts"

const domainsOf = (lines: ReadonlyArray<{ readonly domain: string }>): string =>
  [...new Set(lines.map(({ domain }) => domain))].join(", ")

const toDo = (quote: Quote): Html => {
  if (awaitsApproval(quote)) return html`<a href="/account/approvals/${quote.quoteId}">Approve or decline</a>`
  return quote.paymentUrl === null || quote.paymentPendingAtMs !== null
    ? html`${quoteStatusText(quote)}`
    : html`<a href="${quote.paymentUrl}">Pay ${formatEur(quote.cardCents)}</a>`
}

const quoteColumns: ReadonlyArray<Column<Quote>> = [
  named(
    "What",
    (quote) =>
      html`<a href="/account/${awaitsApproval(quote) ? "approvals" : "quotes"}/${quote.quoteId}">${counted(quote.lines.length, "link")}</a><br><small>${domainsOf(quote.lines)}</small>`
  ),
  column("Good until", ({ expiresAtMs }) => instant(expiresAtMs)),
  plainly("To do", toDo),
  money("Total", ({ totalCents }) => formatEur(totalCents))
]

const NOTHING_TO_PAY =
  "Nothing waits for your payment. When an order costs more than your credit covers, the payment link appears here."

/** Undecided orders come first; without one, there is no word of approval. */
const openQuotesSection = (quotes: ReadonlyArray<Quote>): Html => {
  const undecided = quotes.filter(awaitsApproval)
  const approvals =
    undecided.length === 0 ? nothing : html`<h2>Waits for your approval</h2>${table(quoteColumns, undecided)}`
  return html`${approvals}
<h2>Waits for your payment</h2>
${table(quoteColumns, quotes.filter(awaitsPayment), NOTHING_TO_PAY)}`
}

export const orderColumns: ReadonlyArray<Column<OrderWithLinks>> = [
  named(
    "Order",
    ({ order, links }) =>
      html`<a href="/account/orders/${order.orderId}">${order.orderId}</a><br><small>${domainsOf(links)}</small>${order.reference === null ? nothing : html`<br><small>${order.reference}</small>`}`
  ),
  column("Ordered", ({ order }) => instant(order.createdAtMs)),
  plainly(
    "State",
    ({ links }) =>
      html`${state(orderStatusText[orderStatus(links)])} <small>${publishedCount(links)} of ${counted(links.length, "link")} online</small>`
  ),
  money("Total", ({ order }) => formatEur(order.totalCents))
]

const NO_ORDER = html`No order is under way. Let an agent order with one of <a href="/account/keys">your keys</a> or <a href="/account/connections">connections</a>, or order in the <a href="/account/shop">Shop</a>.`

const usageColumns: ReadonlyArray<Column<KeyToday>> = [
  named(
    "Key or connection",
    ({ key }) => html`${credentialText(key)}${key.mode === "sandbox" ? html` <small>sandbox</small>` : nothing}`
  ),
  column(
    "Orders today",
    ({ quotes, dailyOrderCap }) => (dailyOrderCap === 0 ? `${quotes}, no limit` : `${quotes} of ${dailyOrderCap}`),
    "Orders"
  ),
  money("Spent today", ({ key: { limits }, spentCents }) => {
    const { maxDayCents } = limits
    return `${formatEur(spentCents)}${maxDayCents === null ? "" : ` of ${formatEur(maxDayCents)}`}`
  })
]

const NO_KEY = html`No key and no connection yet. <a href="/account/keys">Create a key</a> or <a href="/account/connections">connect an assistant</a> to let it order for you.`

const overviewPage = page("viewer", "/account", { section: "Overview" }, function* ({ who: { account } }) {
  const accounts = yield* ViewAccount
  const { availableCents, heldCents, openQuotes, ordersUnderWay, dayEndsAtMs } = yield* accounts.overview(
    account.accountId
  )
  const keys = yield* accounts.keysToday(account.accountId)
  return html`${figures([
    ["Credit to spend", formatEur(availableCents), "available for orders now"],
    ["Held", formatEur(heldCents), "kept for quotes that wait for approval or payment"]
  ])}
${account.agentsStoppedAtMs === undefined ? html`<p>Something is wrong? <a href="/account/stop">Stop all agents</a>.</p>` : nothing}
${openQuotesSection(openQuotes)}
<h2>Orders under way</h2>
${table(orderColumns, ordersUnderWay, NO_ORDER)}${ordersUnderWay.length === 0 ? nothing : html`<p><a href="/account/orders">All orders</a></p>`}
<h2>Your keys and connections today</h2>
${table(usageColumns, keys, NO_KEY)}
<p><small>Counted until ${instant(dayEndsAtMs)}.</small></p>`
})

export const overviewPages = [
  overviewPage,
  action(
    "member",
    "/account/sign-out",
    function* ({ who }) {
      yield* (yield* MemberSessions).revoke(who, who.session.sessionId)
      return { ...seeOther("/account/sign-in", "You are signed out."), session: null }
    },
    "nothing"
  )
]
