// The frame of the member area's pages: who is signed in, the button that stops all agents, the navigation, and what the last form did.
import { brand, columnPage, documentOf, footer } from "#adapters/html/Document.ts"
import { type Html, html, inZone, nothing } from "#adapters/html/Html.ts"
import { type Imprint, imprintFoot } from "#adapters/html/Imprint.ts"
import { type Reader, zoneText } from "#adapters/html/Times.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { topUpFor } from "#core/domain/wallet/TopUp.ts"
import { errorSummary, titleWith } from "../form/ErrorSummary.ts"
import { footLinks, headerLinks } from "../front/FrontPage.ts"
import { type HelpTopic, helpLink } from "../help/HelpTopics.ts"
import type { PageReply, Section, Waits } from "../Page.ts"
import { passkeyScripts } from "../Scripts.ts"
import { navigation, SECTION_PATHS } from "./Navigation.ts"

export const NOTHING_WAITS: Waits = { approvals: 0, payments: 0 }

/** What a page stands in. */
export interface Frame {
  readonly serviceName: string
  readonly who: SignedIn | null
  /** What the form before this page did. */
  readonly done: string | null
  readonly waiting: Waits
  /** How who is signed in reads times. */
  readonly reader: Reader | null
  /** Whether there is help for people. */
  readonly help: boolean
  /** Who runs the service. */
  readonly imprint: Imprint
  /** At the end of the header, for those who are not signed in. */
  readonly top: Html
}

/** The frame of visitors who are not signed in. */
export const strangerFrame = ({
  serviceName,
  imprint,
  members,
  publicCatalogue
}: Pick<Frame, "serviceName" | "imprint"> & {
  /** Whether people can sign in. */
  readonly members: boolean
  readonly publicCatalogue: boolean
}): Frame => ({
  ...{ serviceName, imprint, who: null, done: null, waiting: NOTHING_WAITS, reader: null, help: members },
  top: headerLinks({ members, publicCatalogue })
})

/** What is asked most on the pages of a section. */
const TOPICS: Readonly<Partial<Record<Section, HelpTopic>>> = {
  Shop: "prices",
  Cart: "credit",
  Orders: "due-dates",
  "To pay": "credit",
  Approvals: "approval",
  Keys: "limits",
  Connections: "agents",
  Credit: "credit",
  Invoices: "invoices"
}

/** What was asked for is there no more: the page says so, and where to go on. */
const GONE = 410

/** Leads to the answer of the question that arises here. */
const asking = ({ section, status, help = section && TOPICS[section] }: PageReply): Html =>
  help === undefined || help === null || status === GONE ? nothing : html`<p class="ask small">${helpLink(help)}</p>`

export const STOP_PATH = "/account/stop"

const ROLE_NOTES = {
  owner: "",
  viewer: " (can look, not change)",
  reviewer: " (reviewer, in the sandbox alone)"
} as const

/** At the end of the header, and on small screens at the end of the navigation. */
const who = ({ member, account }: SignedIn): Html => html`<div class="who row">
<span class="small">${account.name} · ${member.email}${ROLE_NOTES[member.role]}</span>
<form class="inline" method="post" action="/account/sign-out"><button class="btn sm" type="submit">Sign out</button></form>
</div>`

const RESUME_PATH = `${STOP_PATH}/resume`

/** One that stops them or lets them order again itself, such as the page that asks once more. */
const decidesOnStop = ({ stops = false, body }: PageReply): boolean =>
  stops || body.text.includes(`action="${RESUME_PATH}"`)

/** The next page asks once more. */
const resuming = ({ member }: SignedIn): Html =>
  member.role === "owner"
    ? html`<form class="inline" method="post" action="${RESUME_PATH}"><button class="btn sm" type="submit">Let agents order again</button></form>`
    : nothing

/** One press stops all agents. Once they are stopped, it says so, and the notice of the page has the way back. */
const stopping = (signedIn: SignedIn, reply: PageReply): Html => {
  const { member, account } = signedIn
  if (account.agentsStoppedAtMs !== undefined) return html`<span class="pill bad">Agents are stopped</span>`
  if (decidesOnStop(reply)) return nothing
  return member.role === "owner"
    ? html`<form class="inline" method="post" action="${STOP_PATH}"><button class="btn sm danger" type="submit">Stop all agents</button></form>`
    : nothing
}

/** The page that lets them order again says so itself. */
const stopped = (signedIn: SignedIn, reply: PageReply): Html => {
  if (signedIn.account.agentsStoppedAtMs === undefined || decidesOnStop(reply)) return nothing
  const until = signedIn.member.role === "owner" ? nothing : html` until <a href="${STOP_PATH}">an owner lets them</a>`
  return html`<div class="problem row between"><p><strong>All agents are stopped.</strong> No key or connection can order${until}; what people order in the Shop continues.</p>${resuming(signedIn)}</div>`
}

/** What is owed, and how it is settled. */
const owes = ({ account }: SignedIn): Html => {
  const owedCents = owedCentsOf(account)
  if (owedCents === 0) return nothing
  return html`<p class="problem"><strong>You owe ${formatEur(owedCents)}.</strong> A top-up was refunded or disputed after it was spent. <a href="/account/credit/top-ups">Top up ${formatEur(topUpFor(owedCents))}</a> to settle it: whatever credit comes in pays this first, and until then no order is paid from your credit.</p>`
}

/** Where an inner page belongs. */
const trail = ({ title, section, above = [] }: PageReply): Html => {
  if (section === undefined || title === section) return nothing
  const steps = section === "Overview" ? above : [[section, SECTION_PATHS[section]] as const, ...above]
  return html`<nav class="trail" aria-label="Breadcrumb"><ol>
${steps.map(([name, path]) => html`<li><a href="${path}">${name}</a></li>\n`)}<li><span aria-current="page">${title}</span></li>
</ol></nav>`
}

export const ZONE_PATH = "/account/settings/time-zone"

/** In the button that opens the navigation. */
const menuCount = ({ approvals, payments }: Waits): Html => {
  const count = approvals + payments
  const says = count === 1 ? "waits" : "wait"
  return count === 0 ? nothing : html` <span class="count">${count}<span class="unseen"> ${says}</span></span>`
}

/** Said once for all times of the page. */
const times = (reader: Reader): Html =>
  html`\n<p>Times are in ${zoneText(reader)}. <a href="${ZONE_PATH}">Change the time zone</a></p>`

/** Only markup has such a quote: texts are escaped. */
const asksForPasskey = ({ text }: Html): boolean => text.includes('data-options="')

const beside = (first: Html, question: Html): Html =>
  question === nothing ? first : html`<div class="title">${first}${question}</div>`

/** A page whose first card has the heading says so by its own `h1`. */
const headed = ({ text }: Html): boolean => text.includes("<h1")

export const areaPage = (reply: PageReply, frame: Frame): string => {
  const { serviceName, who: signedIn, done, waiting, reader, help, imprint, top } = frame
  const { title, heading = title, section, body, head, refused } = reply
  const message = done === null ? nothing : html`<p class="done" role="status">${done}</p>`
  const scripts = asksForPasskey(body) ? passkeyScripts : nothing
  const options = { title: titleWith(refused, title), serviceName, head: html`${head ?? nothing}${scripts}` }
  const question = help ? asking(reply) : nothing
  const steps = signedIn === null ? nothing : trail(reply)
  const shown = headed(body)
    ? html`${beside(steps, question)}${message}\n${body}`
    : html`${steps}${message}${beside(html`<h1>${heading}</h1>`, question)}\n${body}`
  const summary = errorSummary(refused, body)
  const links = footLinks(help)
  if (signedIn === null) return columnPage({ ...options, imprint, links }, html`${summary}${shown}`, top)
  const page = html`<a class="skip" href="#content">Skip to the content</a>
<header class="top">${brand(serviceName, "/account")}${stopping(signedIn, reply)}${who(signedIn)}<button class="btn sm menu" type="button" popovertarget="menu">Menu${menuCount(waiting)}</button></header>
<div class="frame">
${navigation(signedIn, section, waiting, who(signedIn))}
<main id="content" tabindex="-1">${owes(signedIn)}${stopped(signedIn, reply)}${summary}${shown}</main>
</div>${footer(html`${imprintFoot(imprint, links)}${reader === null ? nothing : times(reader)}`, "foot area")}`
  return documentOf(options, reader === null ? page : inZone(page, reader))
}
