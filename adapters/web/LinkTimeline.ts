// One bought link on the page of its order: what it is, where it stands, and when it came there.

import { Html, html, instant, nothing } from "#adapters/html/Html.ts"
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
import { linkStatusText, state, type Tone } from "./Wording.ts"

/** Begins with a capital, since it stands alone. */
const titleOf = (status: LinkStatus): string => linkStatusText[status].replace(/^./, (letter) => letter.toUpperCase())

/** `isNow`: where it stands, marked by word and colour. */
const step = (status: LinkStatus, atMs: number | undefined, isNow: boolean): Html => {
  const reached = atMs === undefined ? "" : status === "cancelled" ? "ended" : "reached"
  return html`<li class="${reached}"${isNow ? new Html(' aria-current="step"') : nothing}>${isNow ? `Now: ${linkStatusText[status]}` : titleOf(status)}${atMs === undefined ? nothing : html`<br>${instant(atMs)}`}</li>`
}

export const linkTone = (status: LinkStatus): Tone => {
  if (status === "cancelled") return "off"
  return canCancel(status) ? "info" : "ok"
}

/** The stages that a link passes in any case, and those that it skipped left without a time. */
export const timeline = ({ history, status }: Link): Html => {
  const times = new Map(movesIn(history).map((moved) => [moved.status, moved.atMs]))
  const stages = status === "cancelled" ? STAGES.filter((stage) => times.has(stage)) : STAGES
  const cancelled = times.get("cancelled")
  const since = times.get(status)
  const place = status === "cancelled" ? "" : `Step ${stages.indexOf(status) + 1} of ${stages.length}: `
  return html`<ol class="timeline">
${stages.map((stage) => step(stage, times.get(stage), stage === status))}
${cancelled === undefined ? nothing : step("cancelled", cancelled, true)}
</ol>
<p class="stage small"><strong>${place}${linkStatusText[status]}</strong>${since === undefined ? nothing : html`, since ${instant(since)}`}</p>`
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

/** What who sees a link may do about it. */
export interface LinkDeeds {
  readonly change: boolean
  readonly cancel: boolean
}

const untilText = ({ change, cancel }: LinkDeeds): string => {
  if (change && cancel) return "Until a writer begins, you can cancel it; until its text is written, you can change it."
  return change ? "Until its text is written, you can change it." : "Until a writer begins, you can cancel it."
}

const deedsOf = ({ orderId, linkId, domain, anchorText }: Link, deeds: LinkDeeds): Html => {
  if (!deeds.change && !deeds.cancel) return nothing
  const path = `/account/orders/${orderId}`
  const change = html`<a class="btn sm" href="${path}/links/${linkId}" aria-label="Change the link on ${domain}, ${anchorText}">Change</a>`
  const cancel = html`<a class="btn sm danger" href="${path}/cancel?link=${linkId}" aria-label="Cancel the link on ${domain}, ${anchorText}">Cancel</a>`
  return html`<div class="row screen">${deeds.change ? change : nothing}${deeds.cancel ? cancel : nothing}<span class="small">${untilText(deeds)}</span></div>`
}

const NO_DEEDS: LinkDeeds = { change: false, cancel: false }

/** `deeds`: of an owner, as far as the link can still be changed. */
export const linkSection = (link: Link, nowMs: number, deeds = NO_DEEDS): Html => {
  const { domain, anchorText, targetUrl, format, tier2Links, statusReason, publishedUrl, netCents } = link
  const { brief, reference } = link
  const credited = linkCreditedCents(link)
  return html`<section class="card pad stack">
<div class="row between"><h3>${domain}</h3>${state(linkStatusText[link.status], linkTone(link.status))}</div>
<p>“${anchorText}” to ${webLink(targetUrl)}, ${format === "insertion" ? "inserted into an existing article" : "in a new article"}${tier2Links === 0 ? "" : `, with a tier-2 pack of ${tier2Links}`}, for ${formatEur(netCents)}.</p>
${dueText(link, nowMs)}
${publishedUrl === null ? nothing : html`<p>Online at ${webLink(publishedUrl)}</p>`}
${statusReason === null ? nothing : html`<p>Reason: ${statusReason}</p>`}
${credited === 0 ? nothing : html`<p>${formatEur(credited)} was credited to your account.</p>`}
${reference === null ? nothing : html`<p>Your reference: ${reference}</p>`}
${brief === null ? nothing : html`<p class="hint">Wishes for the writer: ${brief}</p>`}
${timeline(link)}
${changesOf(link)}
${deedsOf(link, { ...deeds, change: deeds.change && canChangeText(link.status) })}
</section>`
}
