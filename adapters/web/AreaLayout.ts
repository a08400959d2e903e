// The frame of the member area's pages: navigation, who is signed in, and what the last form did.
import { documentOf } from "#adapters/html/Document.ts"
import { Html, html, nothing } from "#adapters/html/Html.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { topUpFor } from "#core/domain/wallet/TopUp.ts"
import type { PageReply, Section } from "./Page.ts"
import { passkeyScripts } from "./Scripts.ts"

/** In the order of the navigation. */
export const sectionPaths: Readonly<Record<Section, string>> = {
  Overview: "/account",
  Orders: "/account/orders",
  Shop: "/account/shop",
  Keys: "/account/keys",
  Connections: "/account/connections",
  Credit: "/account/credit",
  Invoices: "/account/invoices",
  Webhooks: "/account/webhooks",
  Settings: "/account/settings"
}

const current = new Html(' aria-current="page"')

const navigation = (section: Section | undefined): Html => html`<nav aria-label="Member area"><ul class="links">
${Object.entries(sectionPaths).map(
  ([name, path]) => html`<li><a href="${path}"${name === section ? current : nothing}>${name}</a></li>`
)}
</ul></nav>`

const ROLE_NOTES = {
  owner: "",
  viewer: " (can look, not change)",
  reviewer: " (reviewer, in the sandbox alone)"
} as const

const who = ({ member, account }: SignedIn): Html => html`<div class="who">
<span>${account.name}: ${member.email}${ROLE_NOTES[member.role]}</span>
<form class="inline" method="post" action="/account/sign-out"><button class="small" type="submit">Sign out</button></form>
</div>`

const stopped = ({ account }: SignedIn): Html =>
  account.agentsStoppedAtMs === undefined
    ? nothing
    : html`<p class="problem"><strong>All agents are stopped.</strong> No key or connection can order until an owner <a href="/account/stop">lets them order again</a>; what people order in the Shop goes on.</p>`

/** What is owed, and how it is settled. */
const owes = ({ account }: SignedIn): Html => {
  const owedCents = owedCentsOf(account)
  if (owedCents === 0) return nothing
  return html`<p class="problem"><strong>You owe ${formatEur(owedCents)}.</strong> A top-up was refunded or disputed after it was spent. <a href="/account/credit/top-ups">Top up ${formatEur(topUpFor(owedCents))}</a> to settle it: whatever credit comes in pays this first, and until then no order is paid from your credit.</p>`
}

/** Only markup has such a quote: texts are escaped. */
const asksForPasskey = ({ text }: Html): boolean => text.includes('data-options="')

/** `done`: what the form before this page did. */
export const areaPage = (
  { title, heading = title, section, body, head }: PageReply,
  signedIn: SignedIn | null,
  done: string | null
): string => {
  const message = done === null ? nothing : html`<p class="done" role="status">${done}</p>`
  const scripts = asksForPasskey(body) ? passkeyScripts : nothing
  const options = { title: `${title} – Backlink Ordering Service`, head: html`${head ?? nothing}${scripts}` }
  if (signedIn === null)
    return documentOf(
      { ...options, narrow: true },
      html`<main>${message}<h1>${heading}</h1>
${body}</main>`
    )
  return documentOf(
    options,
    html`<a class="skip" href="#content">Skip to the content</a>
<header class="area">${navigation(section)}${who(signedIn)}</header>
<main id="content" tabindex="-1">${owes(signedIn)}${stopped(signedIn)}${message}<h1>${heading}</h1>
${body}</main>`
  )
}
