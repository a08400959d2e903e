// What agents, members and operators did with the account, newest first.
import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { type Activity, type Doer, ViewActivity } from "#core/usecases/operations/ViewActivity.ts"
import { type Handlers, page, show } from "../PageRoutes.ts"

const PATH = "/account/settings/activity"

export const activityRoutes = {
  activity: page("viewer", "/account/settings/activity")
}

const PAGE_SIZE = 20

const doerText = (by: Doer): string => {
  switch (by._tag) {
    case "Member":
      return by.name
    case "Key": {
      const kind = credentialKind(by.keyId)
      return kind === "web" ? "a member, in the Shop" : `agent with the ${kind} “${by.label}”`
    }
    case "Operator":
      return "the operator"
  }
}

type Details = AuditRecord["details"]

const text = (details: Details, name: string): string => String(details[name] ?? "")
const cents = (details: Details): string => formatEur(Number(details["cents"] ?? 0))

/** What is told of an action. The others are named as the audit names them, without details: these may be the operator's own. */
const actions: Readonly<Record<string, (details: Details) => string>> = {
  "account.open": () => "opened the account",
  "account.email": (details) => `changed the account's address to ${text(details, "to")}`,
  "account.edit": () => "changed what is kept of the account",
  "account.top_up": (details) => `booked a deposit of ${cents(details)}: ${text(details, "reference")}`,
  "account.billing": () => "changed the billing identity",
  "account.debit": (details) => `took back ${cents(details)}: ${text(details, "reason")}`,
  "agents.stop": () => "stopped all agents",
  "agents.resume": () => "let agents order again",
  "connection.consent": (details) =>
    `let the assistant “${text(details, "client")}” of ${text(details, "host")} in (${text(details, "mode")}, ${text(details, "scopes")})`,
  "connection.limit": () => "set the limits of a connection",
  "connection.revoke": () => "revoked a connection",
  "key.issue": (details) => `created the ${text(details, "mode")} key “${text(details, "label")}”`,
  "key.limit": () => "set the limits of a key",
  "key.revoke": () => "revoked a key",
  "link.cancel": (details) => `cancelled a link: ${text(details, "reason")}`,
  "link.correct": () => "corrected the address of a published link",
  "link.move": (details) => `moved a link on: ${text(details, "to")}`,
  "factor.passkey_added": () => "added a passkey",
  "factor.passkey_removed": () => "removed a passkey",
  "factor.totp_added": () => "added an authenticator app",
  "factor.totp_removed": () => "removed an authenticator app",
  "factor.code_issued": () => "made a one-time code for a member, which stands in for a lost passkey or app",
  "member.add": (details) => `let ${text(details, "email")} sign in, as ${text(details, "role")}`,
  "member.remove": (details) => `removed ${text(details, "email")}`,
  "member.role": (details) => `made a member ${text(details, "to")}`,
  "quote.abandon": () => "withdrew a quote",
  "quote.approve": (details) => `approved an order of ${cents(details)}`,
  "quote.decline": (details) =>
    text(details, "reason") === "" ? "declined an order" : `declined an order: ${text(details, "reason")}`,
  "quote.pay": (details) => `recorded a payment of ${cents(details)}`,
  "reviewer.create": (details) => `made the sign-in of the reviewer ${text(details, "name")}`,
  "reviewer.end": (details) => `ended the sign-in of the reviewer ${text(details, "name")}`,
  "topup.open": (details) => `began a top-up of ${cents(details)}`,
  "webhook.add": (details) => `added the webhook ${text(details, "url")}`,
  "webhook.remove": (details) => `removed the webhook ${text(details, "url")}`
}

const paths: ReadonlyArray<readonly [prefix: string, path: string]> = [
  ["ord_", "/account/orders/"],
  ["q_", "/account/quotes/"],
  ["top_", "/account/credit/top-ups/"]
]

const subject = (id: string): Html => {
  const known = paths.find(([prefix]) => id.startsWith(prefix))
  return known === undefined ? html`<code>${id}</code>` : html`<a href="${known[1]}${id}">${id}</a>`
}

const what = (entry: Activity): Html => {
  if (entry._tag === "Ordered") {
    const { order, links } = entry.placed
    return html`ordered ${counted(links.length, "link")} for ${formatEur(order.totalCents)}: ${subject(order.orderId)}`
  }
  const { action, details, subject: id } = entry.record
  const isNamed = !id.startsWith("acc_")
  return html`${actions[action]?.(details) ?? action}${isNamed ? html` (${subject(id)})` : nothing}`
}

const row = (entry: Activity): Html => html`<tr>
<th scope="row">${what(entry)}</th>
<td data-label="Who">${doerText(entry.by)}</td>
<td data-label="When">${instant(entry.atMs)}</td>
</tr>`

export const activityHandlers = Effect.gen(function* () {
  const activity = yield* ViewActivity

  const handlers: Handlers<typeof activityRoutes> = {
    activity: Effect.fnUntraced(function* ({ who: { account }, query }) {
      const before = query.get("before")
      const { accountId } = account
      const { entries, nextBefore } = yield* activity.page({ accountId, limit: PAGE_SIZE, before })
      const table =
        entries.length === 0
          ? html`<p class="empty">${before === null ? "Nothing was done with this account yet." : "Nothing was done before that."}</p>`
          : html`<table>
<thead><tr><th scope="col">What was done</th><th scope="col">Who</th><th scope="col">When</th></tr></thead>
<tbody>${entries.map(row)}</tbody>
</table>`
      return show(
        "Settings",
        "What was done",
        html`<h1>What was done with the account</h1>
<p>By agents, members and the operator, newest first. Orders of the sandbox are under <a href="/account/orders?mode=sandbox">Orders</a>.</p>
${table}
<nav aria-label="Pages"><ul class="pages">
${before === null ? nothing : html`<li><a href="${PATH}">Newest</a></li>`}
${nextBefore === null ? nothing : html`<li><a rel="next" href="${PATH}?before=${nextBefore}">Older</a></li>`}
<li><a href="/account/settings">Settings</a></li>
</ul></nav>`
      )
    })
  }
  return handlers
})
