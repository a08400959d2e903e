// An order that waits for approval, as a person decides on it: who asks, how much, for which target; what it was warned of.
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { similarQuoteOf, type Warning } from "#core/domain/ordering/Warning.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { Agent } from "#core/usecases/members/ViewAgents.ts"
import type { WhyItWaits } from "#core/usecases/ordering/ViewWaiting.ts"
import { linksText, targetsOf } from "../agents/Placers.ts"
import { referenceNote } from "../QuoteMoney.ts"
import { twinNote, whyText } from "./WhyItWaits.ts"

export const askerName = (asking: Agent | undefined): string => asking?.key.label ?? "An agent"

/** A key, or the assistant of a connection, and what of it is certain. */
const whoAsks = (asking: Agent | undefined): Html => {
  if (asking === undefined) return html`Its access is revoked`
  const { prefix, lastFour, consent }: ApiKey = asking.key
  return consent === undefined
    ? html`API key <code>${prefix}…${lastFour}</code>`
    : html`Connection; we verified only its address ${consent.clientHost}`
}

const paidText = ({ creditCents, cardCents }: Quote): string => {
  if (cardCents === 0) return creditCents === 0 ? "nothing to pay" : "from your credit"
  return creditCents === 0 ? "you pay it by card" : `you pay ${formatEur(cardCents)} of it by card`
}

/** The account of the sandbox has no credit that could be released. */
const unlessDecided = ({ expiresAtMs, mode, creditCents }: Quote): Html =>
  html`If you do nothing, it expires ${instant(expiresAtMs)}${mode === "live" && creditCents > 0 ? " and your credit is released" : ""}.`

export const headOf = (quote: Quote, asking: Agent | undefined, why: WhyItWaits | null): Html => {
  const { createdAtMs, mode, totalCents } = quote
  const sandbox = mode === "sandbox" ? html` It is of the sandbox: nothing here has any real effect.` : nothing
  const who = askerName(asking)
  return html`<div class="pad stack">
<p class="small">${whoAsks(asking)}</p>
<h1>${who} asks to spend ${formatEur(totalCents)}</h1>
${why === null ? nothing : whyText(why, quote)}
<p>${linksText(targetsOf(quote))}, ${paidText(quote)}. Asked ${instant(createdAtMs)}. ${unlessDecided(quote)}${sandbox}</p>
${referenceNote(quote)}
</div>
${why === null || why.twins.length === 0 ? nothing : html`<div class="pad">${twinNote(why, quote, who)}</div>`}`
}

const CARRIES = /^(.+) already carries a link to (\S+) ordered by this account\.$/

/** Agents are told ids of sites and quotes; people read names and links. */
export const warningText = (warning: Warning, { lines }: Pick<Quote, "lines">): Html => {
  const similar = similarQuoteOf(warning)
  if (similar !== undefined)
    return html`An order for the same links was asked for within 10 minutes before this one: buy only one if both are for one purchase. <a href="/account/quotes/${similar}">Look at the other one</a>`
  const named = warning.message.replace(/\b[Ss]ite (\d+)\b/, (whole, id: string) => {
    const line = lines.find(({ item }) => item.siteId === Number(id))
    return line === undefined ? whole : line.domain
  })
  return html`${named.replace(CARRIES, "This account has already ordered a link to $2 on $1.")}`
}

/** Whether there is another order for the same links, so that approving it may buy twice. */
export const mayBeTwin = (quote: Quote, why: WhyItWaits | null): boolean =>
  quote.warnings.some((one) => similarQuoteOf(one) !== undefined) ||
  (why !== null && (why.rule?._tag === "LookAlike" || why.twins.length > 0))

/** The similar order is not named again where `why` has named it. */
export const warningsOf = (quote: Quote, why: WhyItWaits | null): Html => {
  const isTold = (warning: Warning): boolean =>
    similarQuoteOf(warning) !== undefined &&
    why !== null &&
    (why.rule?._tag === "LookAlike" || why.twins.some(({ quoteId }) => quoteId === similarQuoteOf(warning)))
  const told = quote.warnings.filter((one) => !isTold(one))
  const [first, ...others] = told.map((one) => warningText(one, quote))
  if (first === undefined) return nothing
  return others.length === 0
    ? html`<div class="pad"><p class="notice">${first}</p></div>`
    : html`<div class="pad"><ul class="notice">${[first, ...others].map((one) => html`<li>${one}</li>`)}</ul></div>`
}
