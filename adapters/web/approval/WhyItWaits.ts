// Why an order waits for approval, as a person reads it: the rule that stopped it, and others that wait for the same links.
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { ApprovalRule } from "#core/domain/ordering/Approval.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { WhyItWaits } from "#core/usecases/ordering/ViewWaiting.ts"
import { quoteStatusText } from "../Wording.ts"

const linkWord = ({ lines }: Pick<Quote, "lines">): string => (lines.length === 1 ? "the same link" : "the same links")

/** The page on which a person sees how a quote stands, or decides on it. */
const pageOf = (quote: Quote): string => `/account/${awaitsApproval(quote) ? "approvals" : "quotes"}/${quote.quoteId}`

const lookAlikeText = (quote: Quote, similar: Quote | null): Html =>
  similar === null
    ? html`it asks for ${linkWord(quote)} as an order shortly before`
    : html`it asks for ${linkWord(quote)}, with the same target and anchor, as <a href="${pageOf(similar)}">an order of ${instant(similar.createdAtMs)}</a> (${quoteStatusText(similar)})`

/** What the limits allow always for these targets, which this order exceeds. */
const allowedText = ({ allowedCents }: Exclude<ApprovalRule, { readonly _tag: "LookAlike" }>): string =>
  allowedCents === 0 ? "" : `; you always allow such orders up to ${formatEur(allowedCents)} only`

const ruleText = (rule: ApprovalRule, quote: Quote, similar: Quote | null): Html => {
  const kind = credentialKind(quote.keyId) === "connection" ? "connection" : "key"
  switch (rule._tag) {
    case "LookAlike":
      return lookAlikeText(quote, similar)
    case "EveryOrder":
      return html`this ${kind} asks you before every order${allowedText(rule)}`
    case "Above":
      return html`it is over ${formatEur(rule.aboveCents)}, the amount above which this ${kind} asks you${allowedText(rule)}`
  }
}

/** The limits may be others than when it was asked for: then the sentence says what they make of it now. */
export const whyText = ({ rule, isChanged, similar }: WhyItWaits, quote: Quote): Html => {
  if (rule === null) return html`<p>Its limits have changed since it asked: by those of now, it would not wait.</p>`
  const because = html`because ${ruleText(rule, quote, similar)}.`
  return isChanged
    ? html`<p>Its limits have changed since it asked. By those of now, it would wait ${because}</p>`
    : html`<p><strong>It waits ${because}</strong></p>`
}

/** Another order for the same links that waits, too: approving both buys twice. `who`: the agent that asks. */
export const twinNote = ({ twins }: Pick<WhyItWaits, "twins">, quote: Quote, who: string): Html => {
  const [first, ...others] = twins
  if (first === undefined) return nothing
  const isOwn = twins.every(({ keyId }) => keyId === quote.keyId)
  const says = isOwn
    ? html`${isolated(who)} asks for ${linkWord(quote)} ${others.length === 0 ? "twice" : `${twins.length + 1} times`}`
    : html`${linkWord(quote).replace("t", "T")} ${quote.lines.length === 1 ? "is" : "are"} asked for ${others.length === 0 ? "twice" : `${twins.length + 1} times`}`
  const links = twins.map(
    (one, index) =>
      html`${index === 0 ? "" : ", "}<a href="${pageOf(one)}">${twins.length === 1 ? "the other request" : "one"} of ${instant(one.createdAtMs)}</a>`
  )
  return html`<p class="notice">${says}: see ${links}. Approve only one, unless you want ${quote.lines.length === 1 ? "the link" : "the links"} more than once.</p>`
}
