// What people ask about the service, with its answers. Each figure comes from the setting or the rule that it is about.
import { Option } from "effect"
import { counted, spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { MAX_ACTIVE_KEYS, MAX_ALWAYS_ALLOWED } from "#core/domain/access/ApiKey.ts"
import { MAX_CONNECTIONS } from "#core/domain/access/Connection.ts"
import { MAX_PASSKEYS, RESET_CODE_MS } from "#core/domain/members/Factor.ts"
import { INVITATION_MS } from "#core/domain/members/Invitation.ts"
import { MAX_MEMBERS } from "#core/domain/members/Member.ts"
import { FRESH_SIGN_IN_MS, SESSION_IDLE_MS, SESSION_MAX_MS, SIGN_IN_LINK_MS } from "#core/domain/members/Session.ts"
import { MAX_TEXT_CHANGES } from "#core/domain/ordering/LinkChange.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import { MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS, TOP_UP_TTL_MS } from "#core/domain/wallet/TopUp.ts"
import { operatorOf } from "../LegalPages.ts"
import { linkRelText, withinDays } from "../shop/SiteWording.ts"
import { UNTIL_WHEN } from "../Wording.ts"
import type { HelpTopic } from "./HelpTopics.ts"

/** What the answers depend on. */
export interface HelpSettings {
  readonly terms: ShopSettings
  /** Whether assistants can be connected. */
  readonly connects: boolean
  /** Whether an unknown address may open an account. */
  readonly signUp: boolean
  readonly contact: Option.Option<string>
}

interface Question {
  readonly topic: HelpTopic
  readonly asks: string
  readonly answer: (settings: HelpSettings) => Html
}

const askUs = (contact: Option.Option<string>): Html => html`write to ${operatorOf(Option.getOrNull(contact))}`

const buying: ReadonlyArray<Question> = [
  {
    topic: "prices",
    asks: "What does a link cost?",
    answer: ({ terms: { tier2PricesCents: tier2 } }) =>
      html`<p>Our sites stand on three shelves by their strength, and the shelf sets the price of a link. It is the same for you and for your agents, and includes the text:</p>
<ul>${SHELVES.map(({ shelf, priceCents, criterion }) => html`<li><strong>${shelf}, ${formatEur(priceCents)}</strong>. ${criterion}</li>`)}</ul>
<p>Links that point at your link (tier 2) cost ${formatEur(tier2[1])} for 1, ${formatEur(tier2[3])} for 3 and ${formatEur(tier2[5])} for 5. A link in an article that is online already may have its own price. You see the whole price, with every discount, before anything is bought.</p>`
  },
  {
    topic: "figures",
    asks: "What do the figures of a site mean?",
    answer: () =>
      html`<ul><li>Trust Flow, of 100: how trustworthy the sites are that link to it (Majestic). Citation Flow: how many they are.</li>
<li>Domain Authority, of 100: how well a site can be expected to rank (Moz).</li>
<li>Visits a month: an estimate. Referring domains: sites that link to it. Searches that it ranks for: those with a place on a results page.</li>
<li>${linkRelText.dofollow}. ${linkRelText.nofollow}. ${linkRelText.sponsored}.</li></ul>
<p>Compare sites of one niche and language with each other: the figures say how strong a site is, and a link from a site about your subject says more to your readers.</p>`
  },
  {
    topic: "credit",
    asks: "How does credit work?",
    answer: ({ terms }) =>
      html`<p>You top up once, and orders are paid from your credit at once. What your credit does not cover, you pay by card on a page of the payment provider. No card is ever charged without you.</p>
<p>While an order waits for you, its part of your credit is held: still yours, but not for other orders. If you do nothing for ${spanText(terms.quoteTtlMs)}, the order expires and your credit is released.</p>`
  },
  {
    topic: "top-ups",
    asks: "How do I top up?",
    answer: () =>
      html`<p>Under <a href="/account/credit/top-ups">Credit → Top up</a>, from ${formatEur(MIN_TOP_UP_CENTS)} to ${formatEur(MAX_TOP_UP_CENTS)} at a time. You pay on a page of the payment provider, which stays open for ${spanText(TOP_UP_TTL_MS)}; nothing is charged before you pay there. Your credit is there within a moment of your payment, with a receipt. An owner can cancel a top-up that is not paid.</p>`
  },
  {
    topic: "due-dates",
    asks: "When will my link be online?",
    answer: ({ terms: { turnaroundDays } }) =>
      html`<p>Your order shows a date for each link, counted from the order. Unless a site says otherwise:</p>
<ul>${SHELVES.map(({ shelf }) => html`<li>${shelf}: ${withinDays(turnaroundDays[shelf])}</li>`)}</ul>
<p>A link that is late says so on its order. Until it is online, nothing of it is lost: ask us, and we publish it or cancel it for credit.</p>`
  },
  {
    topic: "changing",
    asks: "Can I still change a link?",
    answer: () =>
      html`<p>${UNTIL_WHEN} To change it, go to its order, choose the link and change the page that it links to, its anchor text or your wishes, up to ${counted(MAX_TEXT_CHANGES, "time")}. The price, the site and the date stay. An agent can do the same for what it ordered without you; one that asks you before orders cannot point a link at another site.</p>`
  },
  {
    topic: "cancelling",
    asks: "Can I cancel?",
    answer: ({ contact }) =>
      html`<p>${UNTIL_WHEN} An owner cancels it on its order, and its price comes back as credit at once, however you paid. Once a writer has begun, ${askUs(contact)}.</p>
<p>An order that waits for approval or payment is not bought yet: decline or withdraw it, and what was held of your credit is free again at once.</p>`
  },
  {
    topic: "refunds",
    asks: "How do I get money back?",
    answer: ({ contact }) =>
      html`<p>A cancelled link comes back as credit, with a credit note. To have money back on your card, ${askUs(contact)}.</p>
<p>If a top-up is refunded or disputed after you have spent it, you owe what is missing. Your next credit pays that first, and until then no order is paid from credit.</p>`
  },
  {
    topic: "lost-links",
    asks: "What if a link goes away?",
    answer: ({ contact }) =>
      html`<p>Your order keeps the address of each link that is online. If the link is no longer there, ${askUs(contact)} and name the order: we look into it. What is cancelled comes back as credit, with a credit note.</p>`
  },
  {
    topic: "invoices",
    asks: "Where are my invoices?",
    answer: () =>
      html`<p>Each order has an invoice within a minute, each cancelled link a credit note, and each top-up a receipt. They are under <a href="/account/invoices">Invoices</a>: to read, to print and as PDF; numbered ones also as an electronic invoice (XML).</p>
<p>Name, address and VAT id come from your <a href="/account/settings/billing">billing details</a>. They are on what is issued from then on; a document that is issued never changes.</p>`
  }
]

const spending: ReadonlyArray<Question> = [
  {
    topic: "agents",
    asks: "How does my agent order?",
    answer: ({ connects }) =>
      html`<p>${connects ? html`<a href="/account/connections">Connect</a> your assistant: it sends you here to allow it, and you choose what it may spend. For a program, ` : "For an assistant or a program, "}<a href="/account/keys">create a key</a>, which you see once. You can have ${connects ? `${MAX_CONNECTIONS} connections and ` : ""}${MAX_ACTIVE_KEYS} keys.</p>
<p>Your agent looks at sites, tells you prices, and orders up to ${MAX_ITEMS} links at a time. You see on the overview what each one did today and this week.</p>`
  },
  {
    topic: "approval",
    asks: "How does approval work?",
    answer: ({ terms }) =>
      html`<p>You set above which amount an agent asks you; 0 means before every order. Such an order, if it is within the limits, waits under <a href="/account/approvals">Approvals</a>, and we mail you. The credit for it is held, and nothing is bought.</p>
<p>Approve, and it is bought at the price that you see; what your credit does not cover, you pay next. Decline, and nothing is bought; your agent reads your word, if you leave one. If you do nothing for ${spanText(terms.quoteTtlMs)}, it expires and your credit is released.</p>
<p>Where you trust it, let an agent order links to a domain of yours up to an amount without asking: for up to ${counted(MAX_ALWAYS_ALLOWED, "domain")}.</p>`
  },
  {
    topic: "limits",
    asks: "Which limits can I set?",
    answer: ({ terms: { dailyOrderCap } }) =>
      html`<p>For each key and connection: a spending limit per order, a daily spending limit, the number of orders a day, and the domains that its links may point to.${dailyOrderCap === 0 ? nothing : ` Unless you set a number, it is ${counted(dailyOrderCap, "order")} a day.`} Daily limits reset at 00:00 UTC. An order above a limit is refused, and the agent is told why; one that is only above the amount at which it asks you waits for you.</p>
<p>An agent can also ask you before it repeats an order with the same links within ${spanText(SIMILAR_ORDER_WINDOW_MS)}. New limits apply to the next order.</p>`
  },
  {
    topic: "stopping",
    asks: "How do I stop my agents?",
    answer: () =>
      html`<p>For an owner, “Stop all agents” is at the top of every page: one press, and no key and no connection orders any more, until an owner allows it again. “Pause”, on the overview and beside each key and connection, does the same for one. Orders that are placed continue: until a writer begins, you can <a href="/account/orders">cancel their links</a>.</p>
<p>To end a key or a connection for good, revoke it: it is refused at once, and its orders that wait for approval end.</p>`
  }
]

const people: ReadonlyArray<Question> = [
  {
    topic: "signing-in",
    asks: "How do I sign in?",
    answer: ({ signUp, contact }) =>
      html`<p>By a mail with a link and a code: either works once, within ${spanText(SIGN_IN_LINK_MS)}, the code only in the browser that asked for it. Or by a passkey, without mail. You stay signed in until you sign out or have been away for ${spanText(SESSION_IDLE_MS)}, and for ${spanText(SESSION_MAX_MS)} at most.</p>
<p>${signUp ? "A new address opens its own account, free and without a card." : html`For an account, ${askUs(contact)}.`}</p>`
  },
  {
    topic: "members",
    asks: "Who may see and do what in my account?",
    answer: () =>
      html`<p>An owner may do everything. A viewer sees everything and changes nothing. Each signs in with their own e-mail address; an account has up to ${MAX_MEMBERS} of them, invitations included. An invitation is valid for ${spanText(INVITATION_MS)}, and all owners are told by mail who was invited and who joined. Add and remove members in the <a href="/account/settings">settings</a>.</p>`
  },
  {
    topic: "second-factors",
    asks: "Why should I add a passkey or an authenticator app?",
    answer: ({ contact }) =>
      html`<p>Anyone who reads your mail, an assistant for example, could open a sign-in link. With a passkey or an authenticator app, only you can order in the Shop, approve an order, create a key, loosen a limit or change members. Looking, stopping and declining never need one.</p>
<p>Add one under <a href="/account/settings/factors">Passkeys and authenticator app</a>, within ${spanText(FRESH_SIGN_IN_MS)} of signing in; up to ${MAX_PASSKEYS} passkeys. You lost yours? Another owner makes you a one-time code, valid for ${spanText(RESET_CODE_MS)}; if there is none, ${askUs(contact)}.</p>`
  },
  {
    topic: "closing",
    asks: "How do I close my account?",
    answer: ({ contact }) =>
      html`<p>In the <a href="/account/settings/close">settings</a>, once no order is open and nothing waits for approval or payment. Keys, connections and sign-ins end at once; invoices and records stay. Credit that is left stays on record: to have it back, ${askUs(contact)}.</p>`
  }
]

export const QUESTIONS: ReadonlyArray<readonly [heading: string, questions: ReadonlyArray<Question>]> = [
  ["Your agents", spending],
  ["Orders and money", buying],
  ["Your account", people]
]

/** A browser unfolds what an address within it names. */
export const answerOf = ({ topic, asks, answer }: Question, settings: HelpSettings): Html =>
  html`<details class="answer"><summary><h3>${asks}</h3></summary>
<div id="${topic}">
${answer(settings)}</div></details>
`
