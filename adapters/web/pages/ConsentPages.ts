// The page on which an owner connects a client, and the page from which the browser continues with the answer. A form cannot lead there
// itself, because the policy of the pages lets forms lead to this service alone.
import { Effect, Result, Schema } from "effect"
import { consentPath, resumePath } from "#adapters/contract/access/Consent.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { type Connection, consentLimits } from "#core/domain/access/Connection.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { DecideConsent } from "#core/usecases/access/DecideConsent.ts"
import { chosenConsent, consentReach, reachOf } from "../agents/ConsentReach.ts"
import { amount, choice, seen, tick, under, wasSeen } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { LIMITS_HINT, limitFields, limitValues } from "../KeyLimits.ts"
import { action, page, type Reply, seeOther, titled, type Visit } from "../Page.ts"
import { MODES, SANDBOX } from "../Wording.ts"

type Asked = NonNullable<Effect.Success<ReturnType<DecideConsent["Service"]["find"]>>>

const PATH = "/account/consent/:id"

const KIND = "It works with"

const allow = form({
  path: `${PATH}/allow`,
  fields: {
    may_order: tick(
      "It may also order links, from your credit or with a link for you to pay, cancel what it ordered, and manage webhooks; you choose its limits next"
    ),
    ...consentReach,
    ...under(
      "Limits of what it orders",
      {
        approve_above: amount("Ask me before orders over (EUR)", "Empty: never ask. 0: ask before every order."),
        max_order: limitFields.max_order,
        max_day: limitFields.max_day
      },
      LIMITS_HINT
    ),
    mode: choice(Schema.Literals(["live", "sandbox"]), KIND, MODES)
  },
  note: html`<p class="hint">You can change the limits and revoke the connection at any time.</p>
`,
  confirms: "action",
  kind: "pay",
  button: "Allow"
})

/** A reviewer's account is of the sandbox alone. Who only reads needs no limits. */
const fieldsFor = ({ member }: SignedIn, { scopes }: Asked) => {
  const { mode, ...ordering } = allow.fields
  return {
    ...(scopes.includes("order") ? ordering : {}),
    mode: member.role === "reviewer" ? choice(mode.schema, KIND, [SANDBOX]) : mode
  }
}

/** What is consented to. A passkey's challenge is bound to it. */
const seenOf = ({ client, redirect, scopes }: Asked): Readonly<Record<string, string>> => ({
  client: client.clientId,
  called: client.name,
  answer_to: redirect.host,
  scopes: scopes.join(" ")
})

const loopbackWarning = ({ client, redirect }: Asked): Html =>
  redirect.isLoopback
    ? html`<p class="problem"><strong>The answer goes to a program on this computer.</strong> Any program here could call itself ${client.name}: continue only if you have just begun this yourself.</p>`
    : nothing

const isSameHost = ({ client, redirect }: Asked): boolean => client.host === redirect.host

/** A name is chosen by who asks; an address on this computer belongs to any program. */
const callsItself = (asked: Asked): Html =>
  asked.redirect.isLoopback && isSameHost(asked)
    ? html`It calls itself <strong>${asked.client.name}</strong>. Its address is <strong>${asked.client.host}</strong>, which proves nothing about who it is.`
    : html`It calls itself <strong>${asked.client.name}</strong>. We verified only its address: <strong>${asked.client.host}</strong>.`

const introduction = (asked: Asked, { account }: SignedIn): Html => html`<div class="pad stack">
<h1>Allow ${asked.client.name}?</h1>
<p>${callsItself(asked)}</p>
<p>It asks to work with the account ${account.name}.${isSameHost(asked) ? nothing : html` The answer goes to <strong>${asked.redirect.host}</strong>.`}</p>
</div>`

/** What consent allows that the connection has not been allowed yet. */
const newsOf = ({ scopes, resource }: Asked, present: Connection): Html => {
  const ordersNow = scopes.includes("order") && !present.scopes.includes("order")
  const seesNow = resource === "service" && !present.consent.seesAccount
  if (!ordersNow && !seesNow) return html`It asks for nothing that you have not allowed before.`
  return html`${ordersNow ? html`<strong>New: it asks to order as well.</strong> Until now it may not order. ` : nothing}${seesNow ? html`<strong>New: it may read all orders of the account again;</strong> until now only its own.` : nothing}`
}

/** What consent takes from the connection. */
const lossOf = ({ scopes }: Asked, present: Connection): Html => {
  if (!present.scopes.includes("order")) return nothing
  return scopes.includes("order")
    ? html` It may order now. Leave the tick out, and it may no longer order.`
    : html` It may order now, and does not ask to: if you allow this, it may no longer order.`
}

/** A reviewer has one kind alone. */
const kindNote = ({ member }: SignedIn, { mode }: Connection): Html =>
  member.role === "reviewer"
    ? nothing
    : html`<p class="note">Its present connection is ${mode}. If you choose the other kind, that connection ends with its webhooks and its orders that wait for approval, and a new one begins.</p>`

const stepUp = (asked: Asked, who: SignedIn, present: Connection | undefined): Html =>
  present === undefined
    ? nothing
    : html`<p class="note">You allowed it ${instant(present.consent.atMs)}. ${newsOf(asked, present)}${lossOf(asked, present)}</p>
${kindNote(who, present)}`

/** Both lists are what the service keeps to, whatever is ticked below. */
const permissions = ({ scopes, resource }: Asked): Html => {
  const asksToOrder = scopes.includes("order")
  const spending = asksToOrder
    ? html`<li>Spend anything, unless you tick below that it may order; then never above its limits</li>
<li>Approve its own orders, or change its limits</li>`
    : html`<li>Order or spend anything</li>`
  return html`<div class="pad lined"><div class="cards">
<section class="stack"><h2>It may</h2>
<ul>
<li>Look: the catalogue, prices, credit and invoices</li>
<li>${resource === "service" ? "Read all orders of this account, also those of your other agents and of members" : "Read the orders that it placed itself"}</li>
</ul></section>
<section class="stack"><h2>It may not</h2>
<ul>
${spending}
<li>Pay by card: that is always you, on a page that only you open</li>
<li>Make keys, invite people, sign in, or see how you sign in</li>
</ul></section>
</div></div>`
}

const GONE = titled(
  "This does not wait any more",
  html`<p>The request was decided, has expired, began in another browser, or the application no longer says who it is; nothing was changed. Begin again in your application, and continue in the browser that it opens.</p>`,
  { status: 410 }
)

const continuation = (requestId: string): Reply => {
  const path = resumePath(requestId)
  return titled(
    "Back to the application",
    html`<p>Your answer is on its way. If nothing happens, <a href="${path}">continue to the application</a>.</p>`,
    { head: html`<meta http-equiv="refresh" content="0; url=${path}">` }
  )
}

const STALE = "Nothing was allowed: the request has changed since you opened this page. Check it, and allow it again."

/** The answer to another browser's request would go to that browser. */
const ofPath = ({ params: { id = "" }, consentId }: Visit<SignedIn>) =>
  id !== "" && consentId === id ? DecideConsent.use(({ find }) => find(id)) : Effect.succeed(null)

const presentOf = (who: SignedIn, request: Asked) => DecideConsent.use((consents) => consents.present(who, request))

/** What the client has now, or what is given where nothing else is chosen. */
const givenTo = (present: Connection | undefined): { readonly limits: SpendLimits; readonly mode: Mode } =>
  present ?? { limits: consentLimits, mode: "live" }

const consentPage = page("reviewer", PATH, {}, function* (visit) {
  const { who, consentId } = visit
  const request = yield* ofPath(visit)
  if (request === null) return GONE
  const present = yield* presentOf(who, request)
  const { limits, mode } = givenTo(present)
  const fields = { ...seen(seenOf(request)), ...fieldsFor(who, request) }
  const refusing = html`<button class="btn" type="submit" form="refuse">Refuse</button>`
  const body = html`<section class="card">
${introduction(request, who)}
<div class="pad">${loopbackWarning(request)}${stepUp(request, who, present)}</div>
${permissions(request)}
<div class="pad lined">
${yield* showForm(allow, visit, { fields, values: { ...limitValues(limits), reach: reachOf(limits), mode }, beside: refusing })}
<form id="refuse" method="post" action="${consentPath(consentId)}/refuse"></form>
</div>
</section>`
  return titled(`Allow ${isolated(request.client.name)}?`, body)
})

export const consentPages = [
  consentPage,
  submit("reviewer", allow, consentPage, function* ({ mode, may_order, ...typed }, visit) {
    const { who, consentId: requestId } = visit
    const request = yield* ofPath(visit)
    const answered = seeOther(`${consentPath(requestId)}/continue`)
    // A second press of the button finds the request decided, and continues with the answer to the first.
    if (request === null) return requestId === "" ? GONE : answered
    if (!wasSeen(seenOf(request), visit.form)) return yield* refuse(STALE, 409)
    const { limits } = givenTo(yield* presentOf(who, request))
    const mayOrder = may_order === "on" && request.scopes.includes("order")
    const chosen = mayOrder ? chosenConsent(limits, typed) : Result.succeed(limits)
    if (Result.isFailure(chosen)) return yield* refuse({ reach: chosen.failure })
    const confirmed = yield* visit.confirm
    yield* (yield* DecideConsent).allow({ who, confirmed, requestId, mode, mayOrder, limits: chosen.success })
    return answered
  }),
  action(
    "reviewer",
    `${PATH}/refuse`,
    function* (visit) {
      if ((yield* ofPath(visit)) === null) return GONE
      yield* (yield* DecideConsent).refuse(visit.consentId)
      return seeOther(`${consentPath(visit.consentId)}/continue`)
    },
    "nothing"
  ),
  page("viewer", `${PATH}/continue`, {}, function* ({ consentId, params: { id = "" } }) {
    return id !== "" && consentId === id ? continuation(id) : GONE
  })
]
