// The orders of an account that wait for approval: how much waits and until when, then who asks for what.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type UndecidedPage, ViewWaiting } from "#core/usecases/ordering/ViewWaiting.ts"
import { detailsText, itemsOf, linksText, referenceText, smallLines, targetsOf } from "../agents/Placers.ts"
import { page } from "../Page.ts"
import { actions, type Column, column, money, named, pageLinks, table } from "../Tables.ts"
import { state } from "../Wording.ts"

const LIST = "/account/approvals"
const PAGE_SIZE = 20
const AFTER = "after"

interface Asked {
  readonly quote: Quote
  readonly who: string
  readonly twin: Html
}

/** Where another of those on the page is for the same links. */
export const twinPill = ({ quoteId, itemsDigest }: Quote, among: ReadonlyArray<Quote>): Html =>
  among.some((one) => one.quoteId !== quoteId && one.itemsDigest === itemsDigest)
    ? html`<br>${state("asked for twice", "wait")}`
    : nothing

const aboutOf = ({ who, quote }: Asked): string => `${isolated(who)}: ${linksText(targetsOf(quote))}`

const waitingColumns: ReadonlyArray<Column<Asked>> = [
  named("Who asks for what", (asked) => {
    const { quote, twin } = asked
    return html`<a href="/account/approvals/${quote.quoteId}">${aboutOf(asked)}</a>${smallLines([detailsText(itemsOf(quote)), referenceText(quote), html`asked ${instant(quote.createdAtMs)}`])}${twin}`
  }),
  column("Decide by", ({ quote: { expiresAtMs } }) => instant(expiresAtMs)),
  money("Amount", ({ quote: { totalCents } }) => formatEur(totalCents)),
  actions(
    (asked) =>
      html`<a class="btn sm main" href="/account/approvals/${asked.quote.quoteId}" aria-label="Review ${formatEur(asked.quote.totalCents)} for ${aboutOf(asked)}">Review</a>`
  )
]

const NONE = html`Nothing waits for you. What an agent asks for beyond its limits appears here, and you decide. <a href="/account/orders">Orders</a> lists what was bought.`

const RULE =
  "Nothing is bought until an owner approves it. What is not decided in time expires, and its credit is released."

/** How much waits, and until when, on the first page, whose first order expires first. */
const summary = ({ quotes: [first], counts: { approvals, approvalCents } }: UndecidedPage): Html => {
  if (first === undefined) return nothing
  const until = instant(first.expiresAtMs)
  return approvals === 1
    ? html`<strong>1 order for ${formatEur(approvalCents)} waits</strong>; it expires ${until}. `
    : html`<strong>${counted(approvals, "order")} for ${formatEur(approvalCents)} wait</strong>; the first expires ${until}. `
}

export const approvalsPage = page("viewer", LIST, { section: "Approvals" }, function* ({ who: { account }, query }) {
  const { accountId } = account
  const place = query.get(AFTER)
  const at = place === null ? null : QuoteId.make(place)
  const waiting = yield* (yield* ViewWaiting).undecided({ accountId, limit: PAGE_SIZE, after: at })
  const { quotes, nextAfter, counts } = waiting
  const keys = yield* (yield* ViewAccount).keys(accountId)
  const rows = quotes.map((quote) => ({
    quote,
    who: keys.find(({ key }) => key.keyId === quote.keyId)?.key.label ?? "An agent",
    twin: twinPill(quote, quotes)
  }))
  const more = counts.approvals - quotes.length
  return html`${quotes.length === 0 ? nothing : html`<p>${at === null ? summary(waiting) : nothing}${RULE}</p>`}
${table(waitingColumns, rows, NONE)}
${pageLinks({ path: LIST, at, next: nextAfter }, { first: "Soonest to decide", next: at === null ? `and ${more} more` : "Later ones" }, { name: AFTER })}`
})
