// Top-ups: the form that asks for an amount, the state of each, and the payment page of the simulated processor.
import { Effect, Schema } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS, type TopUp } from "#core/domain/wallet/TopUp.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { eurField } from "../form/FieldSchemas.ts"
import { hidden, text } from "../form/Fields.ts"
import { button, form, showForm, submit } from "../form/Form.ts"
import { action, page } from "../Page.ts"
import { plain, seeOther, show, type Visit } from "../PageRoutes.ts"
import { type Column, column, named, plainly, table } from "../Tables.ts"
import { topUpStatusText } from "../Wording.ts"

const PATH = "/account/credit/top-ups"

const LIST_SIZE = 20

const RANGE = `From ${formatEur(MIN_TOP_UP_CENTS)} to ${formatEur(MAX_TOP_UP_CENTS)}.`

const amount = eurField.check(
  Schema.makeFilter((cents: number) => cents >= MIN_TOP_UP_CENTS && cents <= MAX_TOP_UP_CENTS, { message: RANGE })
)

const topUp = form({
  path: PATH,
  fields: {
    /** Makes a double click open one top-up. */
    top_up: hidden(TopUpId),
    amount: text(amount, "Amount, EUR", { hint: RANGE, required: true, inputMode: "decimal", maxLength: 12 })
  },
  button: "Go to payment"
})

const pagePath = (token: string): string => `/account/top-up/${token}`

/** Whether it is paid on the page of the simulated processor, and not on a page of a real one. */
const isSimulated = ({ paymentUrl, paymentToken }: TopUp): boolean =>
  paymentUrl?.endsWith(pagePath(paymentToken)) ?? false

const columns: ReadonlyArray<Column<TopUp>> = [
  named("Amount", ({ topUpId, cents }) => html`<a href="${PATH}/${topUpId}">${formatEur(cents)}</a>`),
  column("When", ({ createdAtMs }) => instant(createdAtMs)),
  plainly("State", ({ status }) => topUpStatusText[status])
]

/** A link and no redirect, because the page's policy lets forms lead nowhere but to this service. */
const payLink = (one: TopUp): Html => {
  const { paymentUrl, paymentToken, cents, expiresAtMs } = one
  if (paymentUrl === null) return html`<p>The payment is being prepared. Load this page again in a moment.</p>`
  const url = isSimulated(one) ? pagePath(paymentToken) : paymentUrl
  return html`<p><a class="pay" href="${url}">Pay ${formatEur(cents)}</a></p>
<p class="note">Nothing is charged before you pay there. It can be paid until ${instant(expiresAtMs)}.</p>`
}

const topUpBody = (one: TopUp): Html => {
  switch (one.status) {
    case "open":
      return html`<h1>Top up by ${formatEur(one.cents)}</h1>
${payLink(one)}
<p>Paid already? Your payment is confirmed within a moment: load this page again.</p>`
    case "paid":
      return html`<h1>${formatEur(one.cents)} paid</h1>
<p>It is credit of your account now. <a href="/account/credit">See your credit</a>.</p>`
    case "ended":
      return html`<h1>Nothing was paid</h1>
<p>This top-up of ${formatEur(one.cents)} has ended, and nothing was charged. <a href="${PATH}">Begin another</a>.</p>`
  }
}

/** Where a real processor sends the payer back to; for the simulated one, the place where it is paid. */
const paymentBody = (one: TopUp): Html => {
  if (one.status !== "open" || !isSimulated(one)) {
    const where = html`<p><a href="${PATH}/${one.topUpId}">See this top-up in the member area</a></p>`
    if (one.status === "paid")
      return html`<h1>Paid: thank you</h1><p>${formatEur(one.cents)} is credit of the account now.</p>${where}`
    return one.status === "ended"
      ? html`<h1>Nothing was paid</h1><p>Nothing was charged.</p>${where}`
      : html`<h1>Your payment is being confirmed</h1><p>This takes a moment.</p>${where}`
  }
  const path = pagePath(one.paymentToken)
  return html`<h1>Pay ${formatEur(one.cents)} of prepaid credit</h1>
<p class="note">Payments are simulated on this server: no card is asked for and none is charged.</p>
${button(`${path}/pay`, `Pay ${formatEur(one.cents)}`, { kind: "pay" })}
${button(`${path}/abandon`, "Do not pay")}`
}

const topUpsPage = Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
  const credit = yield* TopUpCredit
  const { topUps } = yield* credit.list(visit.who, { limit: LIST_SIZE, beforeId: null })
  const isOwner = visit.who.member.role === "owner"
  return show(
    "Credit",
    "Top up",
    html`<h1>Top up</h1>
<p>Credit pays the orders of your agents and your own at once, without a payment for each.</p>
${isOwner ? yield* showForm(topUp, visit, { values: { top_up: yield* credit.newId } }) : nothing}
<h2>Latest top-ups</h2>
${table(columns, topUps, "No top-up yet.")}`
  )
})

/** `topUpPage` of `MemberArea` is the address of these. */
const SIMULATED = "/account/top-up/:token"

export const topUpPages = [
  page("viewer", PATH, topUpsPage),
  submit("owner", topUp, topUpsPage, ({ amount: cents, top_up: topUpId }, { who }) =>
    Effect.map(
      TopUpCredit.use(({ start }) => start(who, { topUpId, cents })),
      (opened) => seeOther(`${PATH}/${opened.topUpId}`)
    )
  ),
  page("viewer", `${PATH}/:id`, ({ who, params: { id = "" } }) =>
    Effect.map(
      TopUpCredit.use(({ view }) => view(who, TopUpId.make(id))),
      (one) => show("Credit", "Top-up", topUpBody(one))
    )
  ),
  page("anyone", SIMULATED, ({ params: { token = "" } }) =>
    Effect.map(
      TopUpCredit.use(({ byToken }) => byToken(token)),
      (one) => plain("Top-up", paymentBody(one))
    )
  ),
  action("anyone", `${SIMULATED}/pay`, ({ params: { token = "" } }) =>
    Effect.as(
      TopUpCredit.use(({ pay }) => pay(token)),
      seeOther(pagePath(token))
    )
  ),
  action("anyone", `${SIMULATED}/abandon`, ({ params: { token = "" } }) =>
    Effect.as(
      TopUpCredit.use(({ abandon }) => abandon(token)),
      seeOther(pagePath(token))
    )
  )
]
