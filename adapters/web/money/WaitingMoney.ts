// What waits with money behind it, where money is listed: orders to approve or to pay, and top-ups; an owner can give each of them up.
import { Effect } from "effect"
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { awaitsApproval, awaitsPayment, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import type { Waiting } from "#core/usecases/ordering/ViewWaiting.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { linksText, type People, shortPlacerIn, targetsOf } from "../agents/Placers.ts"
import { button } from "../form/Form.ts"
import { whereToPay } from "../payment/PaymentPage.ts"
import { actions, type Column, money, named, plainly, table } from "../Tables.ts"
import { quoteStatusText, state, topUpStatusText } from "../Wording.ts"

export const TOP_UPS_PATH = "/account/credit/top-ups"

/** Top-ups that are looked through for open ones. */
const LOOKED_AT = 20

interface Row {
  readonly name: Html
  readonly state: string
  readonly heldCents: Cents
  /** What is paid if it is approved or paid: no sign, because nothing has moved. */
  readonly cents: Cents
  readonly untilMs: Millis
  readonly deeds: Html
}

/** "for 2 orders that wait for your approval and 1 that waits for payment", after what is held; empty where nothing waits. */
export const heldForText = ({ member }: SignedIn, { approvalsHolding, paymentsHolding }: Waiting["counts"]): string => {
  const kinds: ReadonlyArray<readonly [count: number, what: string]> = [
    [approvalsHolding, member.role === "viewer" ? "an owner’s approval" : "your approval"],
    [paymentsHolding, "payment"]
  ]
  const held = kinds
    .filter(([count]) => count > 0)
    .map(([count, what], nth) => {
      const orders = nth === 0 ? counted(count, "order") : separated(count)
      return `${orders} that ${count === 1 ? "waits" : "wait"} for ${what}`
    })
  return held.length === 0 ? "" : `for ${held.join(" and ")}`
}

const moreWait = (count: number, what: string, path: string): Html =>
  count > 0 ? html`<p><a href="${path}">and ${count} more ${what}</a></p>\n` : nothing

/** Below a list that shows the first of both kinds. */
export const moreWaiting = ({ undecided, unpaid, counts: { approvals, payments } }: Waiting): Html =>
  html`${moreWait(approvals - undecided.length, "to approve or decline", "/account/approvals")}${moreWait(payments - unpaid.length, "to pay", "/account/quotes?state=payment")}`

/** An owner gives it up, or decides on it: declining an approval is giving it up. */
export const giveUpLink = ({ member }: SignedIn, quote: Quote, about: string): Html => {
  if (member.role !== "owner" || isPaymentPending(quote)) return nothing
  return awaitsApproval(quote)
    ? html`<a class="btn main sm" href="/account/approvals/${quote.quoteId}" aria-label="Review, to approve or decline: ${about}">Review</a>`
    : html`<a class="btn sm" href="/account/quotes/${quote.quoteId}/withdraw" aria-label="Withdraw: ${about}">Withdraw</a>`
}

/** Nothing where nothing can be paid now. */
export const payLink = ({ member }: SignedIn, quote: Quote, about: string): Html =>
  member.role === "owner" && awaitsPayment(quote) && quote.paymentUrl !== null && !isPaymentPending(quote)
    ? html`<a class="btn main sm" href="${whereToPay(quote)}" aria-label="Pay ${formatEur(quote.cardCents)}: ${about}">Pay</a>`
    : nothing

const ofQuote = (who: SignedIn, people: People, quote: Quote): Row => {
  const says = `${isolated(shortPlacerIn(people, quote))}: ${linksText(targetsOf(quote))}`
  const path = `/account/${awaitsApproval(quote) ? "approvals" : "quotes"}/${quote.quoteId}`
  return {
    name: html`<a href="${path}">${says}</a>`,
    state: quoteStatusText(quote),
    heldCents: quote.creditCents,
    cents: quote.totalCents,
    untilMs: quote.expiresAtMs,
    deeds: html`${payLink(who, quote, says)}${giveUpLink(who, quote, says)}`
  }
}

/** An owner pays a top-up that waits to be paid, or gives it up. */
export const topUpDeeds = ({ member }: SignedIn, { topUpId, cents, status }: TopUp): Html => {
  if (status !== "open" || member.role !== "owner") return nothing
  const path = `${TOP_UPS_PATH}/${topUpId}`
  return html`<a class="btn main sm" href="${path}" aria-label="Pay the top-up of ${formatEur(cents)}">Pay</a>${button(
    `${path}/cancel`,
    "Cancel this top-up",
    { kind: "small", about: formatEur(cents) }
  )}`
}

const ofTopUp = (who: SignedIn, topUp: TopUp): Row => {
  const { topUpId, cents, expiresAtMs, status } = topUp
  return {
    name: html`<a href="${TOP_UPS_PATH}/${topUpId}">Top-up</a>`,
    state: topUpStatusText[status],
    heldCents: 0,
    cents,
    untilMs: expiresAtMs,
    deeds: topUpDeeds(who, topUp)
  }
}

const columns: ReadonlyArray<Column<Row>> = [
  named("What", ({ name }) => name),
  plainly("State", ({ state: says, untilMs, heldCents }) => {
    const held = heldCents === 0 ? nothing : html`, ${formatEur(heldCents)} held`
    return html`${state(says, "wait")} <span class="small">until ${instant(untilMs)}${held}</span>`
  }),
  money("Amount", ({ cents }) => formatEur(cents)),
  actions(({ deeds }) => deeds)
]

/** Nothing where nothing waits. */
export const waitingMoney = Effect.fnUntraced(function* (who: SignedIn, people: People, waiting: Waiting) {
  const { topUps } = yield* (yield* TopUpCredit).list(who, { limit: LOOKED_AT, beforeId: null })
  const orders = [...waiting.undecided, ...waiting.unpaid].map((quote) => ofQuote(who, people, quote))
  const unfinished = topUps.filter(({ status }) => status === "open").map((one) => ofTopUp(who, one))
  return html`${orders.length === 0 ? nothing : html`<h2>Waiting</h2>\n${table(columns, orders)}\n${moreWaiting(waiting)}`}${
    unfinished.length === 0 ? nothing : html`<h2>Top-ups not finished</h2>\n${table(columns, unfinished)}\n`
  }`
})
