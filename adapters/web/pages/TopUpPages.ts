// Top-ups: the form that asks for an amount, the state of each, and the payment page of the simulated processor.
import { Option, Schema } from "effect"
import { html, instant, nothing } from "#adapters/html/Html.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS, type TopUp, topUpFor } from "#core/domain/wallet/TopUp.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { eurField } from "../form/FieldSchemas.ts"
import { hidden, text } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { TOP_UPS_PATH as PATH, topUpDeeds } from "../money/WaitingMoney.ts"
import { action, page, repeatable, seeOther } from "../Page.ts"
import { isReturned, isSimulated, pagePath, paymentReply, settled, topUpReply } from "../payment/TopUpStates.ts"
import { actions, type Column, column, named, plainly, table } from "../Tables.ts"
import { state, topUpStatusText } from "../Wording.ts"

const LIST_SIZE = 20

const RANGE = `From ${formatEur(MIN_TOP_UP_CENTS)} to ${formatEur(MAX_TOP_UP_CENTS)}.`

const amount = eurField.check(
  Schema.makeFilter((cents: number) => {
    if (cents < MIN_TOP_UP_CENTS)
      return `${formatEur(cents)} is less than the smallest top-up, ${formatEur(MIN_TOP_UP_CENTS)}.`
    return (
      cents <= MAX_TOP_UP_CENTS ||
      `${formatEur(cents)} is more than the largest top-up, ${formatEur(MAX_TOP_UP_CENTS)}.`
    )
  })
)

const decodeAmount = Schema.decodeOption(amount)

/** `topUpForm` of `MemberArea` is the address with it; any other amount is left for the member to fill in. */
const askedIn = (query: URLSearchParams): number | undefined =>
  Option.getOrUndefined(decodeAmount(query.get("amount_eur") ?? ""))

const topUp = form({
  path: PATH,
  fields: {
    /** Makes a double click open one top-up. */
    top_up: hidden(TopUpId),
    amount: text(amount, "Amount (EUR)", { hint: RANGE, required: true, inputMode: "decimal", maxLength: 12 })
  },
  kind: "pay",
  button: "Go to payment"
})

const TONES = { open: "wait", paid: "ok", ended: "off" } as const

const columns = (who: SignedIn): ReadonlyArray<Column<TopUp>> => [
  named("Amount", ({ topUpId, cents }) => html`<a href="${PATH}/${topUpId}">${formatEur(cents)}</a>`),
  plainly("State", ({ status }) => state(topUpStatusText[status], TONES[status])),
  column("When", ({ createdAtMs }) => instant(createdAtMs)),
  actions((topUp) => topUpDeeds(who, topUp))
]

const topUpsPage = page("viewer", PATH, { section: "Credit", title: "Top up", help: "top-ups" }, function* (visit) {
  const credit = yield* TopUpCredit
  const { topUps } = yield* credit.list(visit.who, { limit: LIST_SIZE, beforeId: null })
  const isOwner = visit.who.member.role === "owner"
  const owed = owedCentsOf(visit.who.account)
  // What an agent asks for, or what settles a debt, as far as one top-up can.
  const wanted = askedIn(visit.query) ?? (owed === 0 ? undefined : topUpFor(owed))
  const values = { top_up: yield* credit.newId, ...(wanted === undefined ? {} : { amount: (wanted / 100).toFixed(2) }) }
  return html`<p>Credit pays the orders of your agents and your own at once, without a payment for each.</p>
${isOwner ? yield* showForm(topUp, visit, { values }) : nothing}
<h2>Latest top-ups</h2>
${table(columns(visit.who), topUps, "No top-up yet.")}`
})

/** What a person is told who cancels a top-up, for each state that it is in afterwards. */
const CANCELLING: Readonly<Record<TopUp["status"], string>> = {
  ended: "This top-up is cancelled: nothing was charged.",
  paid: "Nothing was cancelled: it was paid just before.",
  open: "Nothing was changed: a payment for it is on its way, and cannot be stopped."
}

/** `topUpPage` of `MemberArea` is the address of these. */
const SIMULATED = "/account/top-up/:token"

export const topUpPages = [
  topUpsPage,
  repeatable(
    submit("owner", topUp, topUpsPage, function* ({ amount: cents, top_up: topUpId }, { who }) {
      const opened = yield* (yield* TopUpCredit).start(who, { topUpId, cents })
      return seeOther(`${PATH}/${opened.topUpId}`)
    })
  ),
  page(
    "viewer",
    `${PATH}/:id`,
    { section: "Credit", help: "top-ups" },
    function* ({ who, query, params: { id = "" } }) {
      const { view, collectedOf } = yield* TopUpCredit
      const returned = isReturned(query)
      const one = yield* settled(yield* view(who, TopUpId.make(id)), returned)
      return topUpReply(one, yield* collectedOf(one), who, returned)
    }
  ),
  action("owner", `${PATH}/:id/cancel`, function* ({ who, params: { id = "" } }) {
    const one = yield* (yield* TopUpCredit).cancel(who, TopUpId.make(id))
    return seeOther(`${PATH}/${one.topUpId}`, CANCELLING[one.status])
  }),
  page("anyone", SIMULATED, {}, function* ({ query, params: { token = "" } }) {
    const { byToken, collectedOf } = yield* TopUpCredit
    const seen = yield* byToken(token)
    const returned = isReturned(query) && !isSimulated(seen)
    const one = returned ? yield* settled(seen, returned) : seen
    return paymentReply(one, yield* collectedOf(one), returned)
  }),
  action("anyone", `${SIMULATED}/pay`, function* ({ params: { token = "" } }) {
    yield* (yield* TopUpCredit).pay(token)
    return seeOther(pagePath(token))
  }),
  action("anyone", `${SIMULATED}/abandon`, function* ({ params: { token = "" } }) {
    yield* (yield* TopUpCredit).abandon(token)
    return seeOther(pagePath(token))
  })
]
