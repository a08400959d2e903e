// The page of an order that waits for approval, where an owner of the account approves or declines it. Once it is decided, the page of the
// quote says how.
import { Effect, Result } from "effect"
import { Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { checkOwed } from "#core/domain/access/SpendPolicy.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { DECLINE_REASON_MAX, declineReasonFault } from "#core/domain/ordering/Approval.ts"
import { awaitsApproval, awaitsPayment, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { topUpFor } from "#core/domain/wallet/TopUp.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Agent, ViewAgents } from "#core/usecases/members/ViewAgents.ts"
import { DecideApproval } from "#core/usecases/ordering/DecideApproval.ts"
import { ViewWaiting } from "#core/usecases/ordering/ViewWaiting.ts"
import { alwaysAllowed, alwaysAllowFields } from "../approval/AlwaysAllow.ts"
import { approvalsPage } from "../approval/ApprovalList.ts"
import { askerName, headOf, mayBeTwin, warningsOf } from "../approval/ApprovalView.ts"
import { limitsNow } from "../approval/LimitsNow.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { controlsOf, seen, text, wasSeen } from "../form/Fields.ts"
import { form, refuse, showForm, stateOf, submit } from "../form/Form.ts"
import { vatOf } from "../money/PriceVat.ts"
import { page, seeOther, titled, type Visit } from "../Page.ts"
import { heldCredit, linesTable, sitesOf, sums } from "../QuoteMoney.ts"

const PATH = "/account/approvals/:id"

const APPROVE = { path: `${PATH}/approve`, fields: {}, confirms: "action", button: "Approve" } as const

const approve = form({ ...APPROVE, kind: "pay" })

/** What may buy twice is approved by a button no louder than the one that declines. */
const approveTwin = form(APPROVE)

const decline = form({
  path: `${PATH}/decline`,
  fields: {
    reason: text(anyText, "Your reason", {
      hint: `Optional, at most ${DECLINE_REASON_MAX} characters. The agent reads it.`
    })
  },
  tightens: true,
  button: "Decline with this reason"
})

/** What is approved. A passkey's challenge is bound to it. */
const seenOf = ({ quoteId, status, totalCents }: Quote): Readonly<Record<string, string>> => ({
  quote: quoteId,
  state: status,
  total: String(totalCents)
})

const STALE =
  "Nothing was approved or charged: the order or its price has changed since you opened this page. Check it, and approve it again."

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
  cardCents === 0 ? `Approve ${formatEur(totalCents)}` : `Approve, then pay ${formatEur(cardCents)}`

const VIEWER = html`<p class="note">Only an owner of the account can approve or decline it, and you are a viewer.</p>`

/** A reviewer decides in the sandbox, and changes no settings. */
const mayLoosen = ({ member }: SignedIn, asking: Agent | undefined): asking is Agent =>
  member.role === "owner" && asking !== undefined

/** Finds no quote of another account. */
const ofPath = ({ who: { account }, params: { id = "" } }: Visit<SignedIn>) =>
  Effect.map(
    ViewAccount.use((accounts) => accounts.quote(account.accountId, QuoteId.make(id))),
    ({ quote }) => quote
  )

/** The key or connection that asks, with its limits as they are now and what it used today; `undefined` if it is revoked. */
const askingKey = Effect.fnUntraced(function* ({ account }: SignedIn, { keyId }: Quote) {
  const keys = yield* (yield* ViewAccount).keys(account.accountId)
  const active = yield* (yield* ViewAgents).active(keys.filter(({ key }) => key.keyId === keyId))
  return active[0]
})

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

/** The two buttons side by side, and how to approve. The second belongs to the form that declines. */
const decisionForms = Effect.fnUntraced(function* (visit: Visit<SignedIn>, quote: Quote, isTwin: boolean) {
  const { account } = visit.who
  const owed = owedFor(visit.who, quote)
  const declining = html`<button class="btn" type="submit" form="decline">Decline</button>`
  const options = { fields: seen(seenOf(quote)), button: approveLabel(quote), id: "approve", beside: declining }
  return html`<div class="pad lined">
${account.agentsStoppedAtMs === undefined ? nothing : STOPPED}${owed === undefined ? yield* showForm(isTwin ? approveTwin : approve, visit, options) : html`${owedNote(owed)}<p>${declining}</p>`}
</div>`
})

/** What becomes of it, and what comes back. */
const declinedText = ({ mode, creditCents }: Quote): string =>
  mode === "live" && creditCents > 0
    ? `Nothing is bought, and ${formatEur(creditCents)} of credit is free again.`
    : "Nothing is bought."

/** What else can be said: fields of the form above, and a reason. */
const furtherOptions = Effect.fnUntraced(function* (visit: Visit<SignedIn>, quote: Quote, asking: Agent | undefined) {
  const mayApprove = owedFor(visit.who, quote) === undefined
  const always = mayApprove && mayLoosen(visit.who, asking) ? alwaysAllowFields(asking.key.limits, quote) : {}
  const state = { ...stateOf(approve, visit), form: "approve" }
  const isOpen = (path: string) => new Html(visit.refused?.path.endsWith(path) ? " open" : "")
  const asksLess = html`<details${isOpen("/approve")}><summary>Ask me less often for these orders</summary>
${controlsOf(always, state)}</details>`
  return html`${Object.keys(always).length === 0 ? nothing : asksLess}
<details${isOpen("/decline")}><summary>Decline with a reason</summary>
<p>${declinedText(quote)} ${isolated(askerName(asking))} is told that you declined, with your reason.</p>
${yield* showForm(decline, visit, { id: "decline" })}</details>`
})

const approvalPage = page("viewer", PATH, { section: "Approvals" }, function* (visit) {
  const { who } = visit
  const quote = yield* ofPath(visit)
  if (!awaitsApproval(quote)) return seeOther(`/account/quotes/${quote.quoteId}`)
  const asking = yield* askingKey(who, quote)
  const why = asking === undefined ? null : yield* (yield* ViewWaiting).why(quote, asking.key.limits)
  const isViewer = who.member.role === "viewer"
  const body = html`<section class="card attention">
${headOf(quote, asking, why)}
${warningsOf(quote, why)}
${isViewer ? html`<div class="pad lined">${VIEWER}</div>` : yield* decisionForms(visit, quote, mayBeTwin(quote, why))}
${linesTable(quote, yield* sitesOf(quote), { isMember: true })}
<div class="pad lined">${sums(quote, "Left to pay", yield* vatOf(quote), heldCredit(quote, who.account.wallet))}</div>
${limitsNow(asking)}
</section>
${isViewer ? nothing : yield* furtherOptions(visit, quote, asking)}`
  return titled(`${isolated(askerName(asking))}, ${formatEur(quote.totalCents)}`, body)
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
const decided = (quoteId: QuoteId) => toQuote(quoteId, "Nothing was changed: this does not wait for approval any more.")

export const approvalPages = [
  approvalsPage,
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
        toQuote(
          quoteId,
          declinedReason === null ? "It had expired already." : `You declined it. ${declinedText(quote)}`
        )
      ),
      Effect.catchTag("QuoteNotOpen", () => Effect.succeed(decided(quoteId)))
    )
  })
]
