// The page of an order that waits for approval, where an owner of the account approves or declines it. Once it is decided, the page of
// the quote says how.
import { Effect, Result } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { checkOwed } from "#core/domain/access/SpendPolicy.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { DECLINE_REASON_MAX, declineReasonFault } from "#core/domain/ordering/Approval.ts"
import { awaitsApproval, awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { topUpFor } from "#core/domain/wallet/TopUp.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { alwaysAllowed, alwaysAllowFields } from "../AlwaysAllow.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { seen, text, wasSeen } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { leftText, limitsText } from "../KeyLimits.ts"
import { page, seeOther, type Visit } from "../Page.ts"
import { quoteMoney, referenceNote } from "../QuoteMoney.ts"

const PATH = "/account/approvals/:id"

const approve = form({ path: `${PATH}/approve`, fields: {}, confirms: "action", kind: "pay", button: "Approve" })

const decline = form({
  path: `${PATH}/decline`,
  fields: {
    reason: text(anyText, "A word to the agent", {
      hint: `Optional, at most ${DECLINE_REASON_MAX} characters. The agent reads it.`
    })
  },
  tightens: true,
  button: "Decline"
})

/** What is approved. A passkey's challenge is bound to it. */
const seenOf = ({ quoteId, status, totalCents }: Quote): Readonly<Record<string, string>> => ({
  quote: quoteId,
  state: status,
  total: String(totalCents)
})

const STALE = "Nothing was approved: this is not the order and the price that you saw. Look at it again."

const toQuote = (quoteId: QuoteId, done: string) => seeOther(`/account/quotes/${quoteId}`, done)

const approvedText = (quote: Quote, always: Partial<SpendLimits> | null): string => {
  const allowed = always?.alwaysAllow?.at(-1)
  const then =
    allowed === undefined
      ? ""
      : ` From now on it does not ask for orders up to ${formatEur(allowed.upToCents)} that link only to ${allowed.domain}.`
  if (quote.status === "paid") return `You approved it, and the order is placed.${then}`
  if (awaitsPayment(quote)) return `You approved it. ${formatEur(quote.cardCents)} is left to pay.${then}`
  return "Nothing was approved: its time was over, or its key or connection was revoked."
}

const approveLabel = ({ cardCents, totalCents }: Quote): string =>
  cardCents === 0
    ? `Approve: buy for ${formatEur(totalCents)} from credit`
    : `Approve, and go on to pay ${formatEur(cardCents)}`

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

const VIEWER = html`<p class="note">Only an owner of the account can approve or decline it, and you are a viewer.</p>`

/** A reviewer decides in the sandbox, and changes no settings. */
const mayLoosen = ({ member }: SignedIn, asking: KeyToday | undefined): asking is KeyToday =>
  member.role === "owner" && asking !== undefined

/** Quotes of other accounts are as unknown as none. */
const ofPath = ({ who: { account }, params: { id = "" } }: Visit<SignedIn>) =>
  Effect.map(
    ViewAccount.use((accounts) => accounts.quote(account.accountId, QuoteId.make(id))),
    ({ quote }) => quote
  )

/** The key or connection that asks, with its limits as they are now; `undefined` if it is revoked. */
const askingKey = ({ account }: SignedIn, { keyId }: Quote) =>
  Effect.map(
    ViewAccount.use(({ keysToday }) => keysToday(account.accountId)),
    (keys) => keys.find(({ key }) => key.keyId === keyId)
  )

/** Approving still orders: the owner decides on this one, and the agent may not ask for another. */
const STOPPED = html`<p class="note"><strong>All agents are stopped.</strong> This order was asked for before: approving it still orders. The agent cannot ask for another until you let it order again.</p>`

/** What is held for this order pays none while the account owes something. */
const owedNote = (owedCents: number): Html =>
  html`<p class="note">It cannot be approved now: you owe ${formatEur(owedCents)} of a top-up that was refunded or disputed, and until that is settled no order is paid from your credit. <a href="/account/credit/top-ups">Top up ${formatEur(topUpFor(owedCents))}</a>, then approve it.</p>`

/** `undefined`: an order that takes no credit is approved whatever is owed. */
const owedFor = ({ account }: SignedIn, { mode, creditCents }: Quote): number | undefined =>
  Result.match(checkOwed(account, { mode, creditCents }), {
    onSuccess: () => undefined,
    onFailure: ({ owedCents }) => owedCents
  })

const decisionForms = Effect.fnUntraced(function* (visit: Visit<SignedIn>, quote: Quote, asking: KeyToday | undefined) {
  const { account } = visit.who
  const owed = owedFor(visit.who, quote)
  const always = mayLoosen(visit.who, asking) ? alwaysAllowFields(asking.key.limits, quote) : {}
  const fields = { ...seen(seenOf(quote)), ...always }
  return html`<h2>Approve</h2>
${account.agentsStoppedAtMs === undefined ? nothing : STOPPED}${owed === undefined ? yield* showForm(approve, visit, { fields, button: approveLabel(quote) }) : owedNote(owed)}
<h2>Decline</h2>
${yield* showForm(decline, visit)}`
})

const approvalPage = page("viewer", PATH, { section: "Orders", title: "Approve an order" }, function* (visit) {
  const { who } = visit
  const quote = yield* ofPath(visit)
  if (!awaitsApproval(quote)) return seeOther(`/account/quotes/${quote.quoteId}`)
  const asking = yield* askingKey(who, quote)
  return html`${asks(quote, asking)}
${advice(quote)}
<p>Nothing is bought unless an owner approves it by ${instant(quote.expiresAtMs)}. After that it lapses, and what it holds is free again.</p>
${referenceNote(quote)}${quoteMoney(quote)}
${who.member.role === "viewer" ? VIEWER : yield* decisionForms(visit, quote, asking)}`
})

/** Gives the key or connection that asks these limits. */
const loosen = Effect.fnUntraced(function* (
  { who }: Visit<SignedIn>,
  { keyId }: Quote,
  limits: Partial<SpendLimits>,
  confirmed: Confirmed
) {
  const { limit } = yield* OwnCredentials
  yield* limit(who, keyId, limits, Effect.succeed(confirmed)).pipe(
    // The key was revoked meanwhile: there is nothing left to allow.
    Effect.catchTag("KeyNotFound", () => Effect.void)
  )
})

/** What became of it, where it waits no more. */
const decided = (quoteId: QuoteId) => toQuote(quoteId, "Nothing was done: this does not wait for approval any more.")

export const approvalPages = [
  approvalPage,
  submit("reviewer", approve, approvalPage, function* (_, visit) {
    const { who, form: typed } = visit
    const quote = yield* ofPath(visit)
    const { quoteId } = quote
    if (!awaitsApproval(quote)) return decided(quoteId)
    if (!wasSeen(seenOf(quote), typed)) return yield* refuse(STALE, 409)
    const asking = yield* askingKey(who, quote)
    const always = mayLoosen(who, asking) ? alwaysAllowed(asking.key.limits, quote, typed) : Result.succeed(null)
    if (Result.isFailure(always)) return yield* refuse(always.failure)
    const confirmed = yield* visit.confirm
    const approvals = yield* DecideApproval
    return yield* approvals.approve(quoteId, { signedIn: who, confirmed }).pipe(
      Effect.tap(({ status }) =>
        status === "abandoned" || always.success === null
          ? Effect.void
          : loosen(visit, quote, always.success, confirmed)
      ),
      Effect.map((approved) => toQuote(quoteId, approvedText(approved, always.success))),
      Effect.catchTag("QuoteNotOpen", () => Effect.succeed(decided(quoteId))),
      Effect.catchTag("SpendPolicyRefused", ({ owedCents = 0 }) =>
        refuse(
          `Nothing was approved: you owe ${formatEur(owedCents)}. Top up ${formatEur(topUpFor(owedCents))} first.`,
          409
        )
      )
    )
  }),
  submit("reviewer", decline, approvalPage, function* ({ reason: typed }, visit) {
    const quote = yield* ofPath(visit)
    const { quoteId } = quote
    if (!awaitsApproval(quote)) return decided(quoteId)
    const reason = typed.trim()
    const fault = declineReasonFault(reason)
    if (fault !== undefined) return yield* refuse({ reason: fault })
    const approvals = yield* DecideApproval
    return yield* approvals.decline(quoteId, visit.who, reason).pipe(
      Effect.map(({ declinedReason }) =>
        toQuote(quoteId, declinedReason === null ? "It had lapsed already." : "You declined it.")
      ),
      Effect.catchTag("QuoteNotOpen", () => Effect.succeed(decided(quoteId)))
    )
  })
]
