// The overview: credit, what waits for a decision, what each key and connection did, and orders in progress. Also the button of signing out.
import { Clock } from "effect"
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { type Cents, formatEur, sum } from "#core/domain/pricing/Money.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Agent, lastActionMs, ViewAgents } from "#core/usecases/members/ViewAgents.ts"
import { ViewLinks } from "#core/usecases/ordering/ViewLinks.ts"
import type { Waiting } from "#core/usecases/ordering/ViewWaiting.ts"
import { agentColumns, spentCard } from "../agents/AgentColumns.ts"
import {
  detailsText,
  itemsOf,
  linksText,
  type People,
  peopleWith,
  referenceText,
  shortPlacerIn,
  smallLines,
  targetsOf
} from "../agents/Placers.ts"
import { twinPill } from "../approval/ApprovalList.ts"
import { helpLink } from "../help/HelpTopics.ts"
import { linksCard } from "../links/LinksCard.ts"
import { progressColumns } from "../links/OrderRows.ts"
import { heldForText, moreWaiting } from "../money/WaitingMoney.ts"
import { action, page, seeOther } from "../Page.ts"
import { whereToPay } from "../payment/PaymentPage.ts"
import { actions, type Column, column, figures, named, plainly, table } from "../Tables.ts"
import { quoteStatusText } from "../Wording.ts"
import { pauseButton } from "./StopPages.ts"

/** Who asks for how much, and the page where it is decided. */
const asked = (quote: Quote, people: People, undecided: ReadonlyArray<Quote>): Html => {
  const { quoteId, totalCents, cardCents } = quote
  const who = isolated(shortPlacerIn(people, quote))
  const [path, says] = awaitsApproval(quote)
    ? [`/account/approvals/${quoteId}`, `${who} asks to spend ${formatEur(totalCents)}`]
    : [`/account/quotes/${quoteId}`, `${who} waits for a payment of ${formatEur(cardCents)}`]
  return html`<a href="${path}">${says}</a>${smallLines([`${linksText(targetsOf(quote))}: ${detailsText(itemsOf(quote))}`, referenceText(quote), html`asked ${instant(quote.createdAtMs)}`])}${awaitsApproval(quote) ? twinPill(quote, undecided) : nothing}`
}

/** The page of the payment can abandon the quote too, so that viewers have no link to it. */
const toDo = ({ member }: SignedIn, quote: Quote): Html => {
  if (awaitsApproval(quote)) return html`<a class="btn main sm" href="/account/approvals/${quote.quoteId}">Review</a>`
  if (quote.paymentUrl === null || quote.paymentPendingAtMs !== null) return html`${quoteStatusText(quote)}`
  return member.role === "viewer"
    ? html`an owner pays`
    : html`<a class="btn main sm" href="${whereToPay(quote)}">Pay ${formatEur(quote.cardCents)}</a>`
}

const waitingColumns = (
  who: SignedIn,
  people: People,
  undecided: ReadonlyArray<Quote>
): ReadonlyArray<Column<Quote>> => [
  named("What", (quote) => asked(quote, people, undecided)),
  column("Until", ({ expiresAtMs }) => instant(expiresAtMs)),
  plainly("To do", (quote) => toDo(who, quote))
]

const NOTHING_WAITS =
  "Nothing waits for you. What an agent may not buy without you, and what your credit does not cover, appears here."

/** "4 orders, 310.00 EUR, the first until tomorrow, 12:00"; without the sum where not all of them are shown. */
const waitingSum = ({ undecided, unpaid, counts: { approvals, payments } }: Waiting): Html => {
  const shown = [...undecided, ...unpaid]
  const count = approvals + payments
  if (shown.length === 0) return nothing
  const cents = sum(shown.map((quote) => (awaitsApproval(quote) ? quote.totalCents : quote.cardCents)))
  const first = instant(Math.min(...shown.map(({ expiresAtMs }) => expiresAtMs)))
  return html` <small>${counted(count, "order")}${count === shown.length ? `, ${formatEur(cents)}` : ""}, ${count === 1 ? "" : "the first "}until ${first}</small>`
}

/** Undecided orders come first. */
const waitingSection = (who: SignedIn, waiting: Waiting, people: People): Html => {
  const { undecided, unpaid } = waiting
  return html`<h2>Waiting for you${waitingSum(waiting)}</h2>
${table(waitingColumns(who, people, undecided), [...undecided, ...unpaid], NOTHING_WAITS)}
${moreWaiting(waiting)}${undecided.length + unpaid.length === 0 ? nothing : html`<p><a href="/account/quotes?state=all">All unpaid orders, including declined and expired ones</a></p>`}`
}

const NO_ORDER = html`No order is in progress. What your agents order, and what you order in the <a href="/account/shop">Shop</a>, appears here.`

/** What the owner of a new account does first. */
export const firstSteps = (says: Html | string): Html => html`<div class="empty gap">
<p>${says}</p>
<div class="row"><a class="btn main" href="/account/connections">Connect an assistant</a><a class="btn" href="/account/credit/top-ups">Top up</a></div>
</div>`

const NO_AGENT = firstSteps(
  html`No agent can order yet. Connect your assistant and say how far it may go without you, or <a href="/account/keys">create a key</a> for a program of your own.`
)

/** Viewers are not told to do what only owners can. */
const VIEWED = {
  noOrder: "No order is in progress. What agents and owners order appears here.",
  noAgent: html`<p class="empty">No agent can order yet. An owner can connect an assistant, or create a key.</p>`
} as const

const NO_AGENT_STOPPED = html`<p class="empty">No agent is connected. A new one could not order either until an owner lets agents order again.</p>`

const noAgent = ({ member, account }: SignedIn): Html => {
  if (account.agentsStoppedAtMs !== undefined) return NO_AGENT_STOPPED
  return member.role === "viewer" ? VIEWED.noAgent : NO_AGENT
}

/** Those that did something last come first; those that never did, last. */
const byLastAction = (agents: ReadonlyArray<Agent>): ReadonlyArray<Agent> =>
  agents.toSorted((one, other) => (lastActionMs(other) ?? 0) - (lastActionMs(one) ?? 0))

/** Viewers have no buttons that do it. */
const stopNote = ({ member, account }: SignedIn): Html =>
  member.role === "viewer" && account.agentsStoppedAtMs === undefined
    ? html`<p>An owner can pause one agent, or stop all of them.</p>
`
    : nothing

const agentsSection = (who: SignedIn, agents: ReadonlyArray<Agent>, dayEndsAtMs: number): Html => {
  const columns = [...agentColumns(who), actions<Agent>(({ key }) => pauseButton(who, key, "overview"))]
  if (agents.length === 0)
    return html`<h2>What your agents did</h2>
${noAgent(who)}`
  return html`<h2>What your agents did <small>${helpLink("stopping")}</small></h2>
${stopNote(who)}${table(columns, byLastAction(agents))}
<p><small>Unpaid orders count towards a daily limit unless they are declined, withdrawn or expire. Daily limits start again ${instant(dayEndsAtMs)}.</small> <a href="/account/settings/activity">All activity</a></p>`
}

/** `null`: more than are counted. */
const moreText = (count: number | null): string => {
  if (count === 0) return ""
  return count === null
    ? "More are in progress. "
    : `${separated(count)} more ${count === 1 ? "is" : "are"} in progress. `
}

/** What waits for a payment or a decision holds credit. */
const creditNote = (who: SignedIn, heldCents: Cents, { counts }: Waiting): Html => {
  const held = `${formatEur(heldCents)} more is held ${heldForText(who, counts)}`.trimEnd()
  return html`${heldCents === 0 ? "available for orders now" : held}${who.member.role === "owner" ? html`<br><a class="btn sm" href="/account/credit/top-ups">Top up</a>` : nothing}`
}

const overviewPage = page("viewer", "/account", { section: "Overview" }, function* ({ who }) {
  const { accountId } = who.account
  const accounts = yield* ViewAccount
  const keys = yield* accounts.keys(accountId)
  const { waiting, ordersUnderWay, moreUnderWay, ...overview } = yield* accounts.overview(accountId, keys)
  const agents = yield* (yield* ViewAgents).lately(keys)
  const nowMs = yield* Clock.currentTimeMillis
  const people = yield* peopleWith(accountId, keys)
  return html`${figures([
    ["Credit to spend", formatEur(overview.availableCents), creditNote(who, overview.heldCents, waiting)],
    spentCard(agents),
    linksCard(yield* (yield* ViewLinks).progress(accountId, keys))
  ])}
${waitingSection(who, waiting, people)}
${agentsSection(who, agents.active, overview.dayEndsAtMs)}
<h2>In progress</h2>
${table(progressColumns(people, nowMs), ordersUnderWay, who.member.role === "viewer" ? VIEWED.noOrder : NO_ORDER)}${ordersUnderWay.length === 0 ? nothing : html`<p>${moreText(moreUnderWay)}<a href="/account/orders">All orders</a></p>`}`
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
