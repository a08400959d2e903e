// The page on which an owner connects a client, and the page from which the browser continues with the answer. A form cannot lead there
// itself, because the policy of the pages lets forms lead to this service alone.
import { Effect, Result, Schema } from "effect"
import { consentPath, resumePath } from "#adapters/contract/access/Consent.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Scope, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { consentLimits } from "#core/domain/access/Connection.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { DecideConsent } from "#core/usecases/access/DecideConsent.ts"
import { confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { button, type FormState, formProblem, hidden, input, select } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { eurField } from "../FormSchemas.ts"
import { formOfLimits } from "../KeyLimits.ts"
import { action, type Handlers, page, type Reply, seeOther, type Visit } from "../PageRoutes.ts"

type Asked = NonNullable<Effect.Success<ReturnType<DecideConsent["Service"]["find"]>>>

export const consentRoutes = {
  consent: page("reviewer", "/account/consent/:id"),
  allowConsent: action("reviewer", "/account/consent/:id/allow"),
  refuseConsent: action("reviewer", "/account/consent/:id/refuse"),
  continueConsent: page("viewer", "/account/consent/:id/continue")
}

const Consent = Schema.Struct({
  mode: Schema.Literals(["live", "sandbox"]),
  max_order: Schema.optionalKey(eurField),
  max_day: Schema.optionalKey(eurField),
  approve_above: Schema.optionalKey(eurField)
})
const decodeConsent = formDecoder(Consent)

const plain = (title: string, body: Html, options: { readonly status?: number; readonly head?: Html } = {}): Reply => ({
  _tag: "Page",
  status: 200,
  title,
  body,
  ...options
})

/** What is consented to. A passkey's challenge is bound to it. */
const seenOf = ({ client, redirect, scopes }: Asked): Readonly<Record<string, string>> => ({
  client: client.clientId,
  called: client.name,
  answer_to: redirect.host,
  scopes: scopes.join(" ")
})

const isSeen = (asked: Asked, form: URLSearchParams): boolean =>
  Object.entries(seenOf(asked)).every(([name, value]) => form.get(name) === value)

const MAY: Readonly<Record<Scope, string>> = {
  read: "Look: the catalogue, prices, your orders, credit and invoices.",
  order:
    "Order links within the limits below, from your credit or with a link for you to pay, cancel what it ordered, and manage webhooks."
}

const loopbackWarning = ({ client, redirect }: Asked): Html =>
  redirect.isLoopback
    ? html`<p class="problem"><strong>The answer goes to a program on this computer.</strong> Any program here could call itself ${client.name}: go on only if you have just begun this yourself.</p>`
    : nothing

const isSameHost = ({ client, redirect }: Asked): boolean => client.host === redirect.host

const introduction = (asked: Asked, { account }: SignedIn): Html => html`<h1>Let ${asked.client.name} in?</h1>
<p><strong>${asked.client.name}</strong>, of <strong>${asked.client.host}</strong>, asks to work with the account ${account.name}. The name is its own; the address is checked.${isSameHost(asked) ? nothing : html` The answer goes to <strong>${asked.redirect.host}</strong>.`}</p>
${loopbackWarning(asked)}
<h2>It may</h2>
<ul>${asked.scopes.map((scope) => html`<li>${MAY[scope]}</li>`)}</ul>`

const limitInputs = (state: FormState): Html => html`<fieldset><legend>Limits</legend>
${input(state, { name: "approve_above", label: "Ask me for orders over more than, EUR", hint: "They wait for an owner's approval. 0: always. Empty: never.", inputMode: "decimal" })}
${input(state, { name: "max_order", label: "Most that one order may cost, EUR", hint: "Empty: no limit.", inputMode: "decimal" })}
${input(state, { name: "max_day", label: "Most that the orders of a day may cost, EUR", hint: "Empty: no limit. A day ends at midnight UTC.", inputMode: "decimal" })}
</fieldset>`

const LIVE = { value: "live", label: "live: orders are real" }
const SANDBOX = { value: "sandbox", label: "sandbox: nothing is bought" }

/** A reviewer's account is of the sandbox alone. */
const modeSelect = (state: FormState, { member }: SignedIn): Html =>
  select(state, { name: "mode", label: "Kind", choices: member.role === "reviewer" ? [SANDBOX] : [LIVE, SANDBOX] })

const GONE = plain(
  "This does not wait any more",
  html`<h1>This does not wait any more</h1>
<p>The request was decided, has expired, began in another browser, or the application no longer says who it is; nothing was done here. Begin again in your application, and go on in the browser that it opens.</p>`,
  { status: 410 }
)

const continuePage = (requestId: string): Reply => {
  const path = resumePath(requestId)
  return plain(
    "Back to the application",
    html`<h1>Back to the application</h1>
<p>Your answer is on its way. If nothing happens, <a href="${path}">go on to the application</a>.</p>`,
    { head: html`<meta http-equiv="refresh" content="0; url=${path}">` }
  )
}

const STALE = html`<p class="problem" role="alert">Nothing was done: this is not the request that you saw. Look at it again.</p>`

interface ConsentState {
  readonly requestId: string
  readonly state: FormState
  readonly status?: number
  readonly problem?: Html
}

export const consentHandlers = Effect.gen(function* () {
  const consents = yield* DecideConsent
  const confirmation = yield* makeConfirmation

  /** The answer to another browser's request would go to that browser. */
  const asked = ({ params, consentId }: Visit<SignedIn>) => {
    const { id = "" } = params
    return id !== "" && consentId === id ? consents.find(id) : Effect.succeed(null)
  }

  /** What the client has now, or what is given where nothing else is chosen. */
  const given = (who: SignedIn, request: Asked) =>
    Effect.map(consents.present(who, request), (present): { limits: SpendLimits; mode: Mode } =>
      present === undefined ? { limits: consentLimits, mode: "live" } : { limits: present.limits, mode: present.mode }
    )

  const consentPage = Effect.fnUntraced(function* (
    who: SignedIn,
    request: Asked,
    { requestId, state, status = 200, problem = nothing }: ConsentState
  ) {
    const path = consentPath(requestId)
    return plain(
      `Let ${request.client.name} in?`,
      html`${introduction(request, who)}
${problem}
${formProblem(state)}
<form class="wide" method="post" action="${path}/allow">
${Object.entries(seenOf(request)).map(([name, value]) => hidden(name, value))}
${modeSelect(state, who)}
${limitInputs(state)}
<p class="hint">You can change the limits and revoke the connection at any time.</p>
${yield* confirmation.fields(who, state)}
<button class="pay" type="submit">Let it in</button>
</form>
${button(`${path}/refuse`, "Refuse")}`,
      { status }
    )
  })

  const handlers: Handlers<typeof consentRoutes> = {
    consent: Effect.fnUntraced(function* (visit) {
      const request = yield* asked(visit)
      if (request === null) return GONE
      const { limits, mode } = yield* given(visit.who, request)
      const state = formOfLimits(limits)
      state.values.set("mode", mode)
      return yield* consentPage(visit.who, request, { requestId: visit.consentId, state })
    }),
    allowConsent: Effect.fnUntraced(function* (visit) {
      const { who, form, consentId: requestId } = visit
      const request = yield* asked(visit)
      // A second press of the button finds the request decided, and continues with the answer to the first.
      if (request === null) return requestId === "" ? GONE : seeOther(`${consentPath(requestId)}/continue`)
      const again = (shown: Omit<ConsentState, "requestId">) => consentPage(who, request, { requestId, ...shown })
      if (!isSeen(request, form))
        return yield* again({ state: { values: form, messages: new Map() }, status: 409, problem: STALE })
      const decoded = decodeConsent(form)
      if (Result.isFailure(decoded))
        return yield* again({ state: { values: form, messages: decoded.failure }, status: 422 })
      const { mode, max_order, max_day, approve_above } = decoded.success
      const limits: SpendLimits = {
        ...(yield* given(who, request)).limits,
        maxOrderCents: max_order ?? null,
        maxDayCents: max_day ?? null,
        approveAboveCents: approve_above ?? null
      }
      return yield* confirmation.confirm(visit).pipe(
        Effect.flatMap((confirmed) => consents.allow({ who, confirmed, requestId, mode, limits })),
        Effect.as(seeOther(`${consentPath(requestId)}/continue`)),
        Effect.catchTag("NotConfirmed", (refusal) =>
          again({ state: { values: form, messages: confirmMessages(refusal) }, status: 403 })
        )
      )
    }),
    refuseConsent: Effect.fnUntraced(function* (visit) {
      if ((yield* asked(visit)) === null) return GONE
      yield* consents.refuse(visit.consentId)
      return seeOther(`${consentPath(visit.consentId)}/continue`)
    }),
    continueConsent: ({ consentId, params: { id = "" } }) =>
      Effect.succeed(id !== "" && consentId === id ? continuePage(id) : GONE)
  }
  return handlers
})
