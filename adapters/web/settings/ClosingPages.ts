// An owner closes the account: what ends and what stays, what has to end before, and the page that a person lands on afterwards.
import { Effect, Schema } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { type Account, owedCentsOf } from "#core/domain/members/Account.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { judgeCancel } from "#core/domain/ordering/Cancelling.ts"
import { isOnline, type Link } from "#core/domain/ordering/Link.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { CloseAccount, type Hindrances } from "#core/usecases/members/CloseAccount.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { smallLines } from "../agents/Placers.ts"
import { text } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { operatorLink } from "../LegalPages.ts"
import { giveUpLink } from "../money/WaitingMoney.ts"
import { page, seeOther, type Visit } from "../Page.ts"
import { actions, type Column, money, named, plainly, table } from "../Tables.ts"
import { state } from "../Wording.ts"
import { linkTo, SETTINGS_PATH } from "./SettingCards.ts"

const CLOSED_PATH = "/account/closed"

const close = form({
  path: `${SETTINGS_PATH}/close`,
  fields: {
    name: text(Schema.String, "Name of the account", {
      hint: "Type it as it stands above, so that no account is closed by mistake.",
      required: true,
      maxLength: 200
    })
  },
  kind: "grave",
  confirms: "action",
  button: "Close the account for good"
})

/** For owners alone. */
export const closingTopic = ({ who: { member } }: Visit<SignedIn>): Html =>
  member.role === "owner"
    ? html`<section class="card pad between row" id="close" aria-labelledby="close-heading">
<div class="stack"><h2 id="close-heading">Close the account</h2><p class="small">Keys, connections and sign-ins end; invoices and records stay. The next page lists what has to end first.</p></div>
${linkTo(close.path, "Close it", "Close it: the account", " danger")}
</section>`
    : nothing

const PATHS = { quotes: "/account/quotes", orders: "/account/orders" } as const

interface Hindrance {
  readonly what: Html
  readonly stands: Html
  readonly cents: number
  readonly end: Html
}

const ofQuote = (who: SignedIn, quote: Quote): Hindrance => {
  const path = `${PATHS.quotes}/${quote.quoteId}`
  const waits = awaitsApproval(quote) ? "awaiting your approval" : "awaiting payment"
  const pending = isPaymentPending(quote)
  return {
    what: html`<a href="${path}">An unpaid order of ${counted(quote.lines.length, "link")}</a>`,
    stands: pending ? html`Its payment is under way, and cannot be stopped` : state(waits, "wait"),
    cents: quote.totalCents,
    end: giveUpLink(who, quote, `the unpaid order for ${formatEur(quote.totalCents)}`)
  }
}

/** "1 of 3 links is not online yet"; what is cancelled counts among neither. */
const notOnlineText = (links: ReadonlyArray<Link>): string => {
  const kept = links.filter(({ status }) => status !== "cancelled")
  const left = kept.filter(({ status }) => !isOnline(status))
  const count =
    left.length === kept.length ? counted(left.length, "link") : `${left.length} of ${counted(kept.length, "link")}`
  return `${count} ${left.length === 1 ? "is" : "are"} not online yet`
}

/** Links that a writer has begun stay, so that the whole order may not go. */
const ofOrder = ({ order, links }: OrderWithLinks): Hindrance => {
  const path = `${PATHS.orders}/${order.orderId}`
  const about = `${counted(links.length, "link")} for ${formatEur(order.totalCents)}`
  const mayCancel = links.some((link) => judgeCancel(link) === "open")
  return {
    what: html`<a href="${path}">An order of ${counted(links.length, "link")}</a>`,
    stands: html`${notOnlineText(links)}${mayCancel ? nothing : smallLines(["Work has begun: wait until it is online."])}`,
    cents: order.totalCents,
    end: mayCancel ? linkTo(`${path}/cancel`, "Cancel", `Cancel what can be cancelled: ${about}`, " danger") : nothing
  }
}

const hindranceColumns: ReadonlyArray<Column<Hindrance>> = [
  named("What is open", ({ what }) => what),
  plainly("State", ({ stands }) => stands),
  money("Amount", ({ cents }) => formatEur(cents)),
  actions(({ end }) => end)
]

/** What an owner ends first, each with the way to end it. */
const openFirst = (who: SignedIn, { quotes, orders, isCut }: Hindrances): Html => {
  const open = [...quotes.map((quote) => ofQuote(who, quote)), ...orders.map(ofOrder)]
  const more = html`<p>There are more: look under <a href="${PATHS.orders}">Orders</a> and <a href="${PATHS.quotes}?state=all">Unpaid orders</a>.</p>`
  return html`<section class="card attention" id="open">
<div class="pad stack"><h2>End these first</h2>
<p>The account can be closed once nothing is open in it. Orders end by themselves as soon as all their links are online; you can cancel links that no writer has begun.</p></div>
${table(hindranceColumns, open)}${isCut ? html`<div class="pad">${more}</div>` : nothing}
</section>`
}

/** How much there is of each thing that ends. */
const whatEnds = Effect.fnUntraced(function* ({ who: { account } }: Visit<SignedIn>) {
  const { accountId } = account
  const views = yield* ViewAccount
  const agents = yield* views.keysToday(accountId)
  const connections = agents.filter(({ key }) => credentialKind(key.keyId) === "connection").length
  const webhooks = (yield* views.webhooks(accountId)).length
  const managed = yield* ManageMembers
  const members = (yield* managed.list(accountId)).length
  const invitations = (yield* managed.invitations(accountId)).length
  const topUps = (yield* (yield* CloseAccount).topUps(accountId)).length
  const keys = agents.length - connections
  const some = (count: number, what: string) => (count === 0 ? [] : [counted(count, what)])
  const callers = [...some(keys, "key"), ...some(connections, "connection")].join(" and ")
  const everyone =
    members === 1
      ? "Your sign-in, everywhere: you are its only member, and cannot sign in again"
      : `The sign-ins of all ${members} members, everywhere: no one can sign in again`
  const ends = [
    ...(callers === "" ? [] : [`${callers}: your agents can neither look nor order`]),
    everyone,
    ...some(webhooks, "webhook").map((what) => `${what}: no program is told of your orders any more`),
    ...some(invitations, "open invitation"),
    ...some(topUps, "unpaid top-up").map(
      (what) =>
        `${what}: ${topUps === 1 ? "its payment page closes" : "their payment pages close"}, so pay nothing there any more`
    ),
    "Everything that is open in the sandbox"
  ]
  return html`${ends.map((one) => html`<li>${one}</li>\n`)}`
})

const creditText = ({ wallet: { balanceCents } }: Account): string =>
  balanceCents === 0 ? "No credit is left in the account." : `${formatEur(balanceCents)} of credit stays on record.`

const whatStays = (account: Account, operator: Html): Html => {
  const owed = owedCentsOf(account)
  const aboutCredit = html` Write to ${operator} about it, before or after.`
  return html`<li>${creditText(account)}${account.wallet.balanceCents === 0 ? nothing : aboutCredit}</li>
${owed === 0 ? nothing : html`<li>${formatEur(owed)} that you owe</li>\n`}<li>Invoices, orders and their records, because the law asks for them: keep a copy of your <a href="/account/invoices">invoices</a> and <a href="/account/orders">orders</a> now, you cannot open them here afterwards</li>
<li>Your links: they stay online as agreed</li>`
}

const closePage = page(
  "owner",
  close.path,
  { section: "Settings", title: "Close the account", help: "closing" },
  function* (visit) {
    const { account } = visit.who
    const hindrances = yield* (yield* CloseAccount).hindrances(account.accountId)
    const isOpen = hindrances.quotes.length > 0 || hindrances.orders.length > 0
    const asks = html`<h2>Close <bdi>${account.name}</bdi></h2>
<p>This cannot be taken back here. All owners are told by mail.</p>
${yield* showForm(close, visit)}`
    return html`${isOpen ? openFirst(visit.who, hindrances) : nothing}
<div class="cards">
<section class="card pad stack"><h2>What ends at once</h2>
<ul>${yield* whatEnds(visit)}</ul></section>
<section class="card pad stack"><h2>What stays</h2>
<ul>${whatStays(account, yield* operatorLink)}</ul></section>
</div>
${isOpen ? nothing : asks}
<p><a href="${SETTINGS_PATH}">Keep the account</a></p>`
  }
)

/** The last page of the person who closed it, who is signed out. */
const closedPage = page("anyone", CLOSED_PATH, { title: "The account is closed" }, function* () {
  const operator = yield* operatorLink
  return html`<p>Its keys, connections and sign-ins have ended. Its invoices, orders and credit stay on record, and all its owners are told by mail.</p>
<section class="card pad stack"><h2>Was this a mistake?</h2>
<p>Write to ${operator} as soon as you can, from the address that you signed in with, and name the account. Nothing of it is lost: they still have its orders, invoices and credit, and can say what happens to credit that is left.</p></section>
<p><a class="btn" href="/">To the start page</a></p>`
})

const IN_USE =
  "The account was not closed: an order is in progress, or one is not paid yet. End it first, as shown below."

const sameName = (typed: string, { name }: Account): boolean => {
  const plain = (one: string) => one.normalize("NFC").trim().replaceAll(/\s+/g, " ")
  return plain(typed) === plain(name)
}

export const closingPages = [
  closePage,
  closedPage,
  submit("owner", close, closePage, function* ({ name: typed }, { who, confirm }) {
    const { account } = who
    if (!sameName(typed, account))
      return yield* refuse({
        name: `This is not the name of the account. Type ${isolated(account.name)}, as it stands above.`
      })
    const { closeOwn } = yield* CloseAccount
    const closed = yield* closeOwn(who, yield* confirm).pipe(Effect.catchTag("AccountInUse", () => refuse(IN_USE, 409)))
    const done = `${isolated(closed.name)} is closed. ${creditText(closed)}`
    return { ...seeOther(CLOSED_PATH, done), session: null }
  })
]
