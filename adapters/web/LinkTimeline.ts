// One bought link on the page of its order: what it is, where it stands, and when it came there.

import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { dueAtMs, isOverdue } from "#core/domain/ordering/DueDate.ts"
import {
  canCancel,
  type Link,
  type LinkStatus,
  linkCreditedCents,
  STAGES,
  type TextChange
} from "#core/domain/ordering/Link.ts"
import { canChangeText, movesIn } from "#core/domain/ordering/LinkChange.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { linkStatusText } from "./Wording.ts"

const step = (status: LinkStatus, atMs: number | undefined): Html => {
  const reached = atMs === undefined ? "" : status === "cancelled" ? "ended" : "reached"
  return html`<li class="${reached}">${linkStatusText[status]}${atMs === undefined ? nothing : html`<br>${instant(atMs)}`}</li>`
}

/** The stages that a link passes in any case, and those that it skipped left without a time. */
export const timeline = ({ history, status }: Link): Html => {
  const times = new Map(movesIn(history).map((moved) => [moved.status, moved.atMs]))
  const stages = status === "cancelled" ? STAGES.filter((stage) => times.has(stage)) : STAGES
  const cancelled = times.get("cancelled")
  return html`<ol class="timeline">
${stages.map((stage) => step(stage, times.get(stage)))}
${cancelled === undefined ? nothing : step("cancelled", cancelled)}
</ol>`
}

/** Only addresses of web pages become links, whatever is stored. */
const webLink = (url: string): Html =>
  /^https?:\/\//i.test(url) ? html`<a href="${url}" rel="noopener noreferrer">${shownTarget(url)}</a>` : html`${url}`

/** When a link that is neither online nor cancelled is due. */
const dueText = (link: Link, nowMs: number): Html => {
  const due = dueAtMs(link)
  if (due === null || !canCancel(link.status)) return nothing
  return isOverdue(link, nowMs)
    ? html`<p class="problem">It should have been online by ${instant(due)}, and is overdue.</p>`
    : html`<p>It will be online by ${instant(due)}.</p>`
}

const FIELDS: Readonly<Record<TextChange["field"], string>> = {
  targetUrl: "the page that it links to",
  anchorText: "the anchor text",
  anchorType: "the kind of anchor text",
  brief: "the wishes for the writer"
}

const shownText = (field: TextChange["field"], text: string): Html =>
  field === "targetUrl" ? webLink(text) : html`“${text}”`

/** "the anchor text from “a” to “b”". */
const changeText = ({ field, from, to }: TextChange): Html => {
  if (from === null) return html`${FIELDS[field]}, now ${shownText(field, to ?? "")}`
  if (to === null) return html`${FIELDS[field]}: none any more, before ${shownText(field, from)}`
  return html`${FIELDS[field]}, from ${shownText(field, from)} to ${shownText(field, to)}`
}

const changesOf = ({ history }: Link): Html => {
  const steps = history.flatMap(({ atMs, changed }) => (changed === undefined ? [] : [{ atMs, changed }]))
  if (steps.length === 0) return nothing
  return html`<ul class="changes">
${steps.map(
  ({ atMs, changed }) =>
    html`<li>Changed ${instant(atMs)}: ${changed.map((one, index) => html`${index === 0 ? "" : "; "}${changeText(one)}`)}.</li>`
)}
</ul>`
}

/** `mayChange`: for who sees it, an owner. */
export const linkSection = (link: Link, nowMs: number, mayChange = false): Html => {
  const { domain, anchorText, targetUrl, format, tier2Links, statusReason, publishedUrl, netCents } = link
  const { brief, reference } = link
  const credited = linkCreditedCents(link)
  return html`<section class="card pad stack">
<h3>${domain}: ${linkStatusText[link.status]}</h3>
<p>“${anchorText}” to ${webLink(targetUrl)}, ${format === "insertion" ? "inserted into an existing article" : "in a new article"}${tier2Links === 0 ? "" : `, with a tier-2 pack of ${tier2Links}`}, for ${formatEur(netCents)}.</p>
${dueText(link, nowMs)}
${publishedUrl === null ? nothing : html`<p>Online at ${webLink(publishedUrl)}</p>`}
${statusReason === null ? nothing : html`<p>Reason: ${statusReason}</p>`}
${credited === 0 ? nothing : html`<p>${formatEur(credited)} was credited to your account.</p>`}
${reference === null ? nothing : html`<p>Your reference: ${reference}</p>`}
${brief === null ? nothing : html`<p class="hint">Wishes for the writer: ${brief}</p>`}
${timeline(link)}
${changesOf(link)}
${mayChange && canChangeText(link.status) ? html`<p class="screen"><a href="/account/orders/${link.orderId}/links/${link.linkId}">Change the link on ${domain}</a></p>` : nothing}
</section>`
}
