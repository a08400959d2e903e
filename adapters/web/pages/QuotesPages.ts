// Quotes that are no order: the list of those that wait for approval or payment, and of those that were declined, withdrawn or expired; and
// the page of one.
import { Effect } from "effect"
import { separated } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { awaitsApproval, awaitsPayment, isOpen, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import {
  detailsText,
  itemsOf,
  linksText,
  type People,
  peopleOf,
  placerIn,
  referenceText,
  shortPlacerIn,
  smallLines,
  targetsOf
} from "../agents/Placers.ts"
import { placeIn } from "../form/FieldSchemas.ts"
import { vatOf } from "../money/PriceVat.ts"
import { giveUpLink, payLink } from "../money/WaitingMoney.ts"
import { page, titled, type Waits } from "../Page.ts"
import { whereToPay } from "../payment/PaymentPage.ts"
import { PaymentWaits } from "../payment/PaymentWaits.ts"
import { BEING_CONFIRMED, heldCredit, linesTable, referenceNote, sitesOf, sums, toPayment } from "../QuoteMoney.ts"
import { actions, addressOf, type Column, money, named, pageLinks, plainly, table } from "../Tables.ts"
import { quoteStatusText, quoteTone, state } from "../Wording.ts"
import { withdrawLink } from "./CancelPages.ts"

const PATH = "/account/quotes"

const PAGE_SIZE = 20

interface Choice {
  readonly says: string
  readonly statuses: ReadonlyArray<QuoteStatus>
  readonly none: Html
  /** How many a person can do something about now. */
  readonly count?: (waits: Waits) => number
}

/** What an address without a `state`, or with an unknown one, shows. */
const FIRST: Choice = {
  says: "To pay",
  statuses: ["awaiting_payment"],
  none: html`Nothing to pay. An order that your credit does not cover appears here until it is paid.`,
  count: ({ payments }) => payments
}

/** The choices by the `state` of an address. */
const CHOICES: ReadonlyMap<string, Choice> = new Map([
  ["payment", FIRST],
  [
    "approval",
    {
      says: "To approve",
      statuses: ["awaiting_approval"],
      none: html`Nothing awaits your approval. What an agent may not buy without you appears here.`,
      count: ({ approvals }) => approvals
    }
  ],
  [
    "ended",
    {
      says: "Ended",
      statuses: ["abandoned"],
      none: html`No order was declined or withdrawn, and none has expired. Nothing is charged for those that are.`
    }
  ],
  [
    "all",
    {
      says: "All",
      statuses: ["awaiting_approval", "awaiting_payment", "abandoned"],
      none: html`No unpaid orders. An order that awaits your approval or payment appears here, and stays when it is declined, withdrawn or expired. What you bought is under <a href="/account/orders">Orders</a>.`
    }
  ]
])

const pageOf = (quote: Quote): string =>
  awaitsApproval(quote) ? `/account/approvals/${quote.quoteId}` : `${PATH}/${quote.quoteId}`

/** A reason is shown as it was written. */
const stateOf = (quote: Quote): Html => {
  const { declinedReason } = quote
  const word = declinedReason === null || declinedReason === "" ? null : `“${isolated(declinedReason)}”`
  const until = isOpen(quote) && !isPaymentPending(quote) ? html`until ${instant(quote.expiresAtMs)}` : null
  return html`${state(quoteStatusText(quote), quoteTone(quote))}${smallLines([until, word])}`
}

const columns = (who: SignedIn, people: People): ReadonlyArray<Column<Quote>> => [
  named("What was asked for", (quote) => {
    const says = `${isolated(shortPlacerIn(people, quote))}: ${linksText(targetsOf(quote))}`
    return html`<a href="${pageOf(quote)}">${says}</a>${smallLines([detailsText(itemsOf(quote)), referenceText(quote), html`asked ${instant(quote.createdAtMs)}`])}`
  }),
  plainly("State", stateOf),
  money("Total", ({ totalCents }) => formatEur(totalCents)),
  actions((quote) => (isOpen(quote) ? deeds(who, quote, linksText(targetsOf(quote))) : nothing))
]

/** What it needs next. Where a viewer looks, an owner does it. */
const deeds = (who: SignedIn, quote: Quote, about: string): Html => {
  if (isPaymentPending(quote)) return nothing
  if (who.member.role === "viewer")
    return html`<small>${awaitsApproval(quote) ? "an owner decides" : "an owner pays"}</small>`
  return html`${payLink(who, quote, about)}${giveUpLink(who, quote, about)}`
}

const choiceAddress = (name: string, mode: Mode): string =>
  addressOf(PATH, new URLSearchParams({ state: name, ...(mode === "live" ? {} : { mode }) }))

/** The counts are of real orders. */
const choices = (
  chosen: Choice,
  mode: Mode,
  waits: Waits
): Html => html`<nav aria-label="Which unpaid orders"><ul class="pages">
${[...CHOICES].map(([name, one]) => {
  const count = mode === "live" ? (one.count?.(waits) ?? 0) : 0
  const current = one === chosen ? html` aria-current="true"` : nothing
  return html`<li><a href="${choiceAddress(name, mode)}"${current}>${one.says}${count === 0 ? "" : ` ${separated(count)}`}</a></li>\n`
})}</ul></nav>`

const quotesPage = page("viewer", PATH, { section: "To pay" }, function* ({ who, query }) {
  const { accountId } = who.account
  const accounts = yield* ViewAccount
  const chosen = CHOICES.get(query.get("state") ?? "") ?? FIRST
  const at = placeIn(query, QuoteId)
  const mode = query.get("mode") === "sandbox" ? "sandbox" : "live"
  const search = { accountId, mode, statuses: chosen.statuses } as const
  const found = yield* accounts.quotes({ ...search, limit: PAGE_SIZE, beforeId: at })
  const waiting = yield* accounts.waitingCounts(accountId)
  const filters = new URLSearchParams([...query].filter(([name]) => name === "state" || name === "mode"))
  const body = html`${choices(chosen, mode, waiting)}
${table(
  columns(who, yield* peopleOf(accountId)),
  found.quotes.map(({ quote }) => quote),
  chosen.none
)}
${pageLinks({ path: PATH, filters, at, next: found.nextBeforeId }, { first: "Newest unpaid orders", next: "Older unpaid orders" })}`
  return titled("To pay", body, { waiting })
})

/** What a person may do about a quote now. */
const nextStep = ({ member }: SignedIn, quote: Quote): Html => {
  const { quoteId, orderId, paymentUrl, paymentPendingAtMs, cardCents } = quote
  if (orderId !== null) return html`<p><a href="/account/orders/${orderId}">To the order</a></p>`
  if (awaitsApproval(quote)) return html`<p><a href="/account/approvals/${quoteId}">Approve or decline it</a></p>`
  if (!awaitsPayment(quote) || paymentPendingAtMs !== null) return nothing
  // The page of the payment can abandon the quote too.
  if (member.role === "viewer") return html`<p class="note">It waits for a payment: an owner pays.</p>`
  return paymentUrl === null
    ? html`<p class="note">The payment provider is not answering. Nothing was charged. We try again by ourselves: the button that pays ${formatEur(cardCents)} appears here.</p>
<p><a class="btn" href="${toPayment(quoteId)}">Look again</a></p>`
    : html`<p><a class="btn main" href="${whereToPay(quote)}">Pay ${formatEur(cardCents)}</a></p>
<p class="hint">After the payment you come back to the order.</p>`
}

/** How it was decided, if it waited for approval. */
const decision = ({ approvedAtMs, declinedReason, abandonedBy }: Quote): Html => {
  if (approvedAtMs !== null) return html`<p>It was approved ${instant(approvedAtMs)}.</p>`
  if (abandonedBy === "agent") return html`<p>The agent withdrew it. Nothing was charged.</p>`
  if (declinedReason === null) return nothing
  return declinedReason === ""
    ? html`<p>It was declined, without a reason. Its credit was released.</p>`
    : html`<p>It was declined, with this reason: “${declinedReason}”. Its credit was released.</p>`
}

/** Whether its payment link is still to come. */
const awaitsLink = (quote: Quote): boolean =>
  awaitsPayment(quote) && !isPaymentPending(quote) && quote.paymentUrl === null

/** From the cart on to the payment: a form leads nowhere but to this service, by the policy of its pages, while a page leads on at once. */
const leadOn = (quote: Quote): Html =>
  awaitsPayment(quote) && !isPaymentPending(quote) && quote.paymentUrl !== null
    ? html`<meta http-equiv="refresh" content="0; url=${whereToPay(quote)}">`
    : nothing

const cardLabel = (quote: Quote): string => {
  if (quote.status === "paid") return "Paid"
  return isPaymentPending(quote) ? BEING_CONFIRMED : "Left to pay"
}

/** Why it is not paid yet. */
const whyCard = (quote: Quote): Html => {
  const { creditCents, cardCents, mode } = quote
  if (mode === "sandbox" || !awaitsPayment(quote) || isPaymentPending(quote)) return nothing
  return creditCents === 0
    ? html`<p>Your credit did not cover it, so it is to be paid by card.</p>`
    : html`<p>Your credit does not cover it: ${formatEur(creditCents)} of it is held for this order, and ${formatEur(cardCents)} is left to pay by card.</p>`
}

const quotePage = page(
  "viewer",
  "/account/quotes/:id",
  { section: "To pay", help: "cancelling" },
  function* ({ who, query, params: { id = "" } }) {
    const { accountId } = who.account
    const { quote: one } = yield* ViewAccount
    const read = Effect.map(one(accountId, QuoteId.make(id)), ({ quote }) => quote)
    const seen = yield* read
    const leads = query.get("to") === "payment" && who.member.role === "owner"
    const quote = leads
      ? yield* (yield* PaymentWaits).settled(seen, { accountId, look: read, isFinal: (now) => !awaitsLink(now) })
      : seen
    const people = yield* peopleOf(accountId)
    const by = placerIn(people, quote)
    return titled(
      `${isolated(shortPlacerIn(people, quote))}: ${linksText(targetsOf(quote))}`,
      html`<section class="card pad stack">
<p>${state(quoteStatusText(quote), quoteTone(quote))} ${formatEur(quote.totalCents)}, asked for ${instant(quote.createdAtMs)} by ${by}${isOpen(quote) ? html`; it expires ${instant(quote.expiresAtMs)}` : nothing}.</p>
${referenceNote(quote)}${decision(quote)}${whyCard(quote)}${nextStep(who, quote)}${withdrawLink(who, quote)}
<p class="small">Id <code>${quote.quoteId}</code></p>
</section>
${linesTable(quote, yield* sitesOf(quote), { isMember: true })}
${sums(quote, cardLabel(quote), isOpen(quote) ? yield* vatOf(quote) : null, heldCredit(quote, who.account.wallet))}`,
      { head: leads ? leadOn(quote) : nothing }
    )
  }
)

export const quotesPages = [quotesPage, quotePage]
