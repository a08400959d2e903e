// The page of an order that waits for approval, where an owner of the account approves or declines it. Once it is decided, the page of
// the quote says how.
import { Effect, Result } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { DECLINE_REASON_MAX, declineReasonFault } from "#core/domain/ordering/Approval.ts"
import { awaitsApproval, awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { alwaysAllowed, alwaysAllowFields } from "../AlwaysAllow.ts"
import { confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { type FormState, fresh, hidden, input } from "../Fields.ts"
import { leftText, limitsText } from "../KeyLimits.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"
import { quoteMoney } from "../QuoteMoney.ts"

export const approvalRoutes = {
  approval: page("viewer", "/account/approvals/:id"),
  approve: action("reviewer", "/account/approvals/:id/approve"),
  decline: action("reviewer", "/account/approvals/:id/decline")
}

/** What is approved. A passkey's challenge is bound to it. */
const seenOf = ({ quoteId, status, totalCents }: Quote): Readonly<Record<string, string>> => ({
  quote: quoteId,
  state: status,
  total: String(totalCents)
})

const isSeen = (quote: Quote, form: URLSearchParams): boolean =>
  Object.entries(seenOf(quote)).every(([name, value]) => form.get(name) === value)

const STALE = html`<p class="problem" role="alert">Nothing was approved: this is not the order and the price that you saw. Look at it again.</p>`

const toQuote = (quoteId: QuoteId, done: string) => seeOther(`/account/quotes/${quoteId}`, done)

const DECIDED = "Nothing was done: this does not wait for approval any more."

const approvedText = (quote: Quote, always: Partial<SpendLimits> | null): string => {
  const from = always?.approveAboveCents
  const then = from == null ? "" : ` From now on the agent asks for orders over ${formatEur(from)}.`
  if (quote.status === "paid") return `You approved it, and the order is placed.${then}`
  if (awaitsPayment(quote)) return `You approved it. ${formatEur(quote.cardCents)} is left to pay.${then}`
  return "Nothing was approved: its time was over, or its key or connection was revoked."
}

const approveForm = (path: string, quote: Quote, parts: ReadonlyArray<Html>): Html => {
  const { cardCents, totalCents } = quote
  const label =
    cardCents === 0
      ? `Approve: buy for ${formatEur(totalCents)} from credit`
      : `Approve, and go on to pay ${formatEur(cardCents)}`
  return html`<h2>Approve</h2>
<form class="wide" method="post" action="${path}/approve">
${Object.entries(seenOf(quote)).map(([name, value]) => hidden(name, value))}
${parts}
<button class="pay" type="submit">${label}</button>
</form>`
}

/** A key, or the assistant of a connection. */
const whoAsked = ({ label, prefix, lastFour, consent }: ApiKey): Html =>
  consent === undefined
    ? html`The key <strong>${label}</strong> (<code>${prefix}…${lastFour}</code>)`
    : html`The assistant <strong>${label}</strong> of ${consent.clientHost}, which is connected to this account,`

/** Which key asks, when, and within which limits. */
const asks = ({ lines, totalCents, mode, createdAtMs }: Quote, asking: KeyToday | undefined): Html => {
  const order = html`${counted(lines.length, "link")} for ${formatEur(totalCents)}, on ${instant(createdAtMs)}`
  const sandbox = mode === "sandbox" ? html` It is of the sandbox: nothing here has any real effect.` : nothing
  if (asking === undefined) return html`<p>An agent whose access is revoked asked to order ${order}.${sandbox}</p>`
  return html`<p>${whoAsked(asking.key)} asked to order ${order}.${sandbox}</p>
<p>Its limits now: ${limitsText(asking.key.limits)}. It has ${leftText(asking)}; this order is counted already.</p>`
}

/** What the agent was warned of, such as an order like a recent one. */
const advice = ({ warnings }: Quote): Html =>
  warnings.length === 0
    ? nothing
    : html`<ul class="note">${warnings.map(({ message }) => html`<li>${message}</li>`)}</ul>`

const declineForm = (path: string, state: FormState): Html => html`<h2>Decline</h2>
<form class="wide" method="post" action="${path}/decline">
${input(state, { name: "reason", label: "A word to the agent", hint: `Optional, at most ${DECLINE_REASON_MAX} characters. The agent reads it.` })}
<button type="submit">Decline</button>
</form>`

const VIEWER = html`<p class="note">Only an owner of the account can approve or decline it, and you are a viewer.</p>`

/** A reviewer decides in the sandbox, and changes no settings. */
const mayLoosen = ({ member }: SignedIn, asking: KeyToday | undefined): asking is KeyToday =>
  member.role === "owner" && asking !== undefined

interface Shown {
  readonly status?: number
  readonly problem?: Html
  readonly approving?: FormState
  readonly declining?: FormState
}

export const approvalHandlers = Effect.gen(function* () {
  const accounts = yield* ViewAccount
  const approvals = yield* DecideApproval
  const credentials = yield* OwnCredentials
  const confirmation = yield* makeConfirmation

  /** Quotes of other accounts are as unknown as none. */
  const ownQuote = ({ account }: SignedIn, id = "") =>
    Effect.map(accounts.quote(account.accountId, QuoteId.make(id)), ({ quote }) => quote)

  /** The key or connection that asks, with its limits as they are now; `undefined` if it is revoked. */
  const askingKey = ({ account }: SignedIn, { keyId }: Quote) =>
    Effect.map(accounts.keysToday(account.accountId), (keys) => keys.find(({ key }) => key.keyId === keyId))

  const approvalPage = Effect.fnUntraced(function* (who: SignedIn, quote: Quote, shown: Shown = {}) {
    const { status = 200, problem = nothing, approving = fresh(), declining = fresh() } = shown
    const path = `/account/approvals/${quote.quoteId}`
    const asking = yield* askingKey(who, quote)
    const always = mayLoosen(who, asking) ? alwaysAllowFields(asking.key.limits, quote, approving) : nothing
    const confirming = yield* confirmation.fields(who, approving)
    const forms =
      who.member.role !== "viewer"
        ? html`${approveForm(path, quote, [always, confirming])}${declineForm(path, declining)}`
        : VIEWER
    return show(
      "Orders",
      "Approve an order",
      html`<h1>Approve an order</h1>
${problem}
${asks(quote, asking)}
${advice(quote)}
<p>Nothing is bought unless an owner approves it by ${instant(quote.expiresAtMs)}. After that it lapses, and what it holds is free again.</p>
${quoteMoney(quote)}
${forms}`,
      { status }
    )
  })

  const handlers: Handlers<typeof approvalRoutes> = {
    approval: Effect.fnUntraced(function* ({ who, params }) {
      const quote = yield* ownQuote(who, params["id"])
      return awaitsApproval(quote) ? yield* approvalPage(who, quote) : seeOther(`/account/quotes/${quote.quoteId}`)
    }),
    approve: Effect.fnUntraced(function* (visit) {
      const { who, form, params } = visit
      const quote = yield* ownQuote(who, params["id"])
      const { quoteId } = quote
      if (!awaitsApproval(quote)) return toQuote(quoteId, DECIDED)
      if (!isSeen(quote, form)) return yield* approvalPage(who, quote, { status: 409, problem: STALE })
      const asking = yield* askingKey(who, quote)
      const always = mayLoosen(who, asking) ? alwaysAllowed(asking.key.limits, quote, form) : Result.succeed(null)
      if (Result.isFailure(always)) {
        return yield* approvalPage(who, quote, { status: 422, approving: { values: form, messages: always.failure } })
      }
      return yield* confirmation.confirm(visit).pipe(
        Effect.flatMap((confirmed) =>
          Effect.tap(approvals.approve(quoteId, { signedIn: who, confirmed }), (decided) =>
            decided.status === "abandoned" || always.success === null
              ? Effect.void
              : credentials
                  .limit(who, quote.keyId, always.success, Effect.succeed(confirmed))
                  // The key was revoked meanwhile: there is nothing left to allow.
                  .pipe(Effect.catchTag("KeyNotFound", () => Effect.void))
          )
        ),
        Effect.map((decided) => toQuote(quoteId, approvedText(decided, always.success))),
        Effect.catchTag("QuoteNotOpen", () => Effect.succeed(toQuote(quoteId, DECIDED))),
        Effect.catchTag("NotConfirmed", (refusal) =>
          approvalPage(who, quote, { status: 403, approving: { values: form, messages: confirmMessages(refusal) } })
        )
      )
    }),
    decline: Effect.fnUntraced(function* ({ who, form, params }) {
      const quote = yield* ownQuote(who, params["id"])
      const { quoteId } = quote
      if (!awaitsApproval(quote)) return toQuote(quoteId, DECIDED)
      const reason = (form.get("reason") ?? "").trim()
      const fault = declineReasonFault(reason)
      if (fault !== undefined) {
        const declining = { values: form, messages: new Map([["reason", fault]]) }
        return yield* approvalPage(who, quote, { status: 422, declining })
      }
      return yield* approvals.decline(quoteId, who, reason).pipe(
        Effect.map(({ declinedReason }) =>
          toQuote(quoteId, declinedReason === null ? "It had lapsed already." : "You declined it.")
        ),
        Effect.catchTag("QuoteNotOpen", () => Effect.succeed(toQuote(quoteId, DECIDED)))
      )
    })
  }
  return handlers
})
