// The overview: credit, what waits for a decision, what each key and connection did, and orders in progress. Also the button of signing out.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { type OrderWithLinks, orderStatus, publishedCount } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Agent, lastActionMs, ViewAgents } from "#core/usecases/members/ViewAgents.ts"
import { ViewLinks } from "#core/usecases/ordering/ViewLinks.ts"
import type { Waiting } from "#core/usecases/ordering/ViewWaiting.ts"
import { agentColumns, togetherText } from "../agents/AgentColumns.ts"
import {
  anchorsText,
  linksText,
  type People,
  peopleWith,
  shortPlacerIn,
  sitesText,
  smallLines,
  targetsOf
} from "../agents/Placers.ts"
import { linksCard } from "../links/LinksCard.ts"
import { action, page, seeOther } from "../Page.ts"
import { whereToPay } from "../payment/PaymentPage.ts"
import { actions, type Column, column, figures, money, named, plainly, table } from "../Tables.ts"
import { orderText, orderTone, quoteStatusText, state } from "../Wording.ts"
import { pauseButton } from "./StopPages.ts"

/** Who asks for how much, and the page where it is decided. */
const asked = (quote: Quote, people: People): Html => {
  const { quoteId, totalCents, cardCents } = quote
  const who = isolated(shortPlacerIn(people, quote))
  const [path, says] = awaitsApproval(quote)
    ? [`/account/approvals/${quoteId}`, `${who} asks to spend ${formatEur(totalCents)}`]
    : [`/account/quotes/${quoteId}`, `${who} waits for a payment of ${formatEur(cardCents)}`]
  return html`<a href="${path}">${says}</a>${smallLines([`${linksText(targetsOf(quote))}: ${anchorsText(quote.lines)}`, sitesText(quote.lines)])}`
}

/** The page of the payment can abandon the quote too, so that viewers have no link to it. */
const toDo = ({ member }: SignedIn, quote: Quote): Html => {
  if (awaitsApproval(quote)) return html`<a class="btn main sm" href="/account/approvals/${quote.quoteId}">Review</a>`
  if (quote.paymentUrl === null || quote.paymentPendingAtMs !== null) return html`${quoteStatusText(quote)}`
  return member.role === "viewer"
    ? html`an owner pays`
    : html`<a class="btn main sm" href="${whereToPay(quote)}">Pay ${formatEur(quote.cardCents)}</a>`
}

const waitingColumns = (who: SignedIn, people: People): ReadonlyArray<Column<Quote>> => [
  named("What", (quote) => asked(quote, people)),
  column("Until", ({ expiresAtMs }) => instant(expiresAtMs)),
  plainly("To do", (quote) => toDo(who, quote))
]

const NOTHING_WAITS =
  "Nothing waits for you. What an agent may not buy without you, and what your credit does not cover, appears here."

const moreWait = (count: number, what: string, path: string): Html =>
  count > 0 ? html`<p><a href="${path}">and ${count} more ${what}</a></p>\n` : nothing

/** Undecided orders come first. */
const waitingSection = (who: SignedIn, { undecided, unpaid, counts }: Waiting, people: People): Html => {
  const { approvals, payments } = counts
  return html`<h2>Waiting for you</h2>
${table(waitingColumns(who, people), [...undecided, ...unpaid], NOTHING_WAITS)}
${moreWait(approvals - undecided.length, "to approve or decline", "/account/approvals")}${moreWait(payments - unpaid.length, "to pay", "/account/quotes?state=payment")}<p><a href="/account/quotes">All unpaid orders, including declined and expired ones</a></p>`
}

const orderState = (links: OrderWithLinks["links"]): Html => {
  return state(orderText(links), orderTone[orderStatus(links)])
}

/** Who ordered how many links to which domains, and below it where they are. */
export const orderColumns = (people: People): ReadonlyArray<Column<OrderWithLinks>> => [
  named("Order", ({ order, links }) => {
    const targets = links.map(({ targetUrl }) => targetUrl)
    return html`<a href="/account/orders/${order.orderId}">${isolated(shortPlacerIn(people, order))}: ${linksText(targets)}</a>${smallLines([sitesText(links), order.reference], order.orderId)}`
  }),
  column("Ordered", ({ order }) => instant(order.createdAtMs)),
  plainly(
    "State",
    ({ links }) =>
      html`${orderState(links)}<br><small>${publishedCount(links)} of ${counted(links.length, "link")} online</small>`
  ),
  money("Total", ({ order }) => formatEur(order.totalCents))
]

const NO_ORDER = html`No order is in progress. Let an agent order with one of <a href="/account/keys">your keys</a> or <a href="/account/connections">connections</a>, or order in the <a href="/account/shop">Shop</a>.`

const NO_KEY = html`No key and no connection yet. <a href="/account/keys">Create a key</a> or <a href="/account/connections">connect an assistant</a> to let it order for you.`

/** Viewers are not told to do what only owners can. */
const VIEWED = {
  noOrder: "No order is in progress. What agents and owners order appears here.",
  noKey: "No key and no connection yet. An owner can create a key, or connect an assistant."
} as const

/** Those that did something last come first; those that never did, last. */
const byLastAction = (agents: ReadonlyArray<Agent>): ReadonlyArray<Agent> =>
  agents.toSorted((one, other) => (lastActionMs(other) ?? 0) - (lastActionMs(one) ?? 0))

const agentsSection = (who: SignedIn, agents: ReadonlyArray<Agent>, dayEndsAtMs: number): Html => {
  const columns = [...agentColumns, actions<Agent>(({ key }) => pauseButton(who, key, "overview"))]
  const together = togetherText(agents)
  return html`<h2>What your agents did</h2>
${together === null ? nothing : html`<p>${together}</p>\n`}${table(columns, byLastAction(agents), who.member.role === "viewer" ? VIEWED.noKey : NO_KEY)}
<p><small>Daily limits reset ${instant(dayEndsAtMs)}. What waits counts against them.</small> <a href="/account/settings/activity">All activity</a></p>`
}

/** What waits for a payment or a decision holds credit. */
const heldNote = ({ counts: { holding } }: Waiting): string =>
  holding === 0 ? "no credit is held" : `for ${counted(holding, "unpaid order")}`

const creditNote = ({ member }: SignedIn): Html =>
  member.role === "owner"
    ? html`available for orders now. <a href="/account/credit/top-ups">Top up</a>`
    : html`available for orders now`

const overviewPage = page("viewer", "/account", { section: "Overview" }, function* ({ who }) {
  const { accountId } = who.account
  const accounts = yield* ViewAccount
  const keys = yield* accounts.keys(accountId)
  const { waiting, ordersUnderWay, ...overview } = yield* accounts.overview(accountId, keys)
  const agents = yield* (yield* ViewAgents).active(keys)
  const people = yield* peopleWith(accountId, keys)
  return html`${figures([
    ["Credit to spend", formatEur(overview.availableCents), creditNote(who)],
    ["Held", formatEur(overview.heldCents), heldNote(waiting)],
    linksCard(yield* (yield* ViewLinks).progress(accountId, keys))
  ])}
${waitingSection(who, waiting, people)}
${agentsSection(who, agents, overview.dayEndsAtMs)}
<h2>In progress</h2>
${table(orderColumns(people), ordersUnderWay, who.member.role === "viewer" ? VIEWED.noOrder : NO_ORDER)}${ordersUnderWay.length === 0 ? nothing : html`<p><a href="/account/orders">All orders</a></p>`}`
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
