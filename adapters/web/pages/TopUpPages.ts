// Top-ups: the form that asks for an amount, the state of each, and the payment page of the simulated processor.
import { Effect, Result, Schema } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS, type TopUp } from "#core/domain/wallet/TopUp.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { button, type FormState, formProblem, fresh, hidden, input } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { eurField } from "../FormSchemas.ts"
import { action, type Handlers, page, type Reply, seeOther, show } from "../PageRoutes.ts"
import { topUpStatusText } from "../Wording.ts"

const PATH = "/account/credit/top-ups"

/** `topUpPage` of `MemberArea` is the address of the last three. */
export const topUpRoutes = {
  topUps: page("viewer", "/account/credit/top-ups"),
  startTopUp: action("owner", "/account/credit/top-ups"),
  topUp: page("viewer", "/account/credit/top-ups/:id"),
  simulatedPage: page("anyone", "/account/top-up/:token"),
  payTopUp: action("anyone", "/account/top-up/:token/pay"),
  abandonTopUp: action("anyone", "/account/top-up/:token/abandon")
}

const LIST_SIZE = 20

const RANGE = `From ${formatEur(MIN_TOP_UP_CENTS)} to ${formatEur(MAX_TOP_UP_CENTS)}.`

const amount = eurField.check(
  Schema.makeFilter((cents: number) => cents >= MIN_TOP_UP_CENTS && cents <= MAX_TOP_UP_CENTS, { message: RANGE })
)

const decodeTopUp = formDecoder(Schema.Struct({ amount, top_up: TopUpId }))

const pagePath = (token: string): string => `/account/top-up/${token}`

/** Whether it is paid on the page of the simulated processor, and not on a page of a real one. */
const isSimulated = ({ paymentUrl, paymentToken }: TopUp): boolean =>
  paymentUrl?.endsWith(pagePath(paymentToken)) ?? false

const topUpRow = (topUp: TopUp): Html => html`<tr>
<th scope="row"><a href="${PATH}/${topUp.topUpId}">${formatEur(topUp.cents)}</a></th>
<td data-label="When">${instant(topUp.createdAtMs)}</td>
<td>${topUpStatusText[topUp.status]}</td>
</tr>`

const topUpTable = (topUps: ReadonlyArray<TopUp>): Html =>
  topUps.length === 0
    ? html`<p class="empty">No top-up yet.</p>`
    : html`<table>
<thead><tr><th scope="col">Amount</th><th scope="col">When</th><th scope="col">State</th></tr></thead>
<tbody>${topUps.map(topUpRow)}</tbody>
</table>`

/** The hidden id makes a double click open one top-up. */
const amountForm = (state: FormState): Html => html`${formProblem(state)}
<form class="wide" method="post" action="${PATH}">
${hidden("top_up", state.values.get("top_up") ?? "")}
${input(state, { name: "amount", label: "Amount, EUR", hint: RANGE, required: true, inputMode: "decimal", maxLength: 12 })}
<button type="submit">Go to payment</button>
</form>`

/** A link and no redirect, because the page's policy lets forms lead nowhere but to this service. */
const payLink = (topUp: TopUp): Html => {
  const { paymentUrl, paymentToken, cents, expiresAtMs } = topUp
  if (paymentUrl === null) return html`<p>The payment is being prepared. Load this page again in a moment.</p>`
  const url = isSimulated(topUp) ? pagePath(paymentToken) : paymentUrl
  return html`<p><a class="pay" href="${url}">Pay ${formatEur(cents)}</a></p>
<p class="note">Nothing is charged before you pay there. It can be paid until ${instant(expiresAtMs)}.</p>`
}

const topUpBody = (topUp: TopUp): Html => {
  switch (topUp.status) {
    case "open":
      return html`<h1>Top up by ${formatEur(topUp.cents)}</h1>
${payLink(topUp)}
<p>Paid already? Your payment is confirmed within a moment: load this page again.</p>`
    case "paid":
      return html`<h1>${formatEur(topUp.cents)} paid</h1>
<p>It is credit of your account now. <a href="/account/credit">See your credit</a>.</p>`
    case "ended":
      return html`<h1>Nothing was paid</h1>
<p>This top-up of ${formatEur(topUp.cents)} has ended, and nothing was charged. <a href="${PATH}">Begin another</a>.</p>`
  }
}

/** Where a real processor sends the payer back to; for the simulated one, the place where it is paid. */
const paymentBody = (topUp: TopUp): Html => {
  if (topUp.status !== "open" || !isSimulated(topUp)) {
    const where = html`<p><a href="${PATH}/${topUp.topUpId}">See this top-up in the member area</a></p>`
    if (topUp.status === "paid")
      return html`<h1>Paid: thank you</h1><p>${formatEur(topUp.cents)} is credit of the account now.</p>${where}`
    return topUp.status === "ended"
      ? html`<h1>Nothing was paid</h1><p>Nothing was charged.</p>${where}`
      : html`<h1>Your payment is being confirmed</h1><p>This takes a moment.</p>${where}`
  }
  const path = pagePath(topUp.paymentToken)
  return html`<h1>Pay ${formatEur(topUp.cents)} of prepaid credit</h1>
<p class="note">Payments are simulated on this server: no card is asked for and none is charged.</p>
${button(`${path}/pay`, `Pay ${formatEur(topUp.cents)}`, { kind: "pay" })}
${button(`${path}/abandon`, "Do not pay")}`
}

export const topUpHandlers = Effect.gen(function* () {
  const credit = yield* TopUpCredit

  const listPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, status = 200) {
    const { topUps } = yield* credit.list(who, { limit: LIST_SIZE, beforeId: null })
    return show(
      "Credit",
      "Top up",
      html`<h1>Top up</h1>
<p>Credit pays the orders of your agents and your own at once, without a payment for each.</p>
${who.member.role === "owner" ? amountForm(state) : nothing}
<h2>Latest top-ups</h2>
${topUpTable(topUps)}`,
      { status }
    )
  })

  const paymentPage = (topUp: TopUp): Reply => ({
    _tag: "Page",
    status: 200,
    title: "Top-up",
    body: paymentBody(topUp)
  })

  const handlers: Handlers<typeof topUpRoutes> = {
    topUps: Effect.fnUntraced(function* ({ who }) {
      return yield* listPage(who, fresh({ top_up: yield* credit.newId }))
    }),
    startTopUp: Effect.fnUntraced(function* ({ who, form }) {
      const decoded = decodeTopUp(form)
      if (Result.isFailure(decoded)) return yield* listPage(who, { values: form, messages: decoded.failure }, 422)
      const { amount: cents, top_up: topUpId } = decoded.success
      const opened = yield* credit.start(who, { topUpId, cents })
      return seeOther(`${PATH}/${opened.topUpId}`)
    }),
    topUp: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
      return show("Credit", "Top-up", topUpBody(yield* credit.view(who, TopUpId.make(id))))
    }),
    simulatedPage: ({ params: { token = "" } }) => Effect.map(credit.byToken(token), paymentPage),
    payTopUp: ({ params: { token = "" } }) => Effect.as(credit.pay(token), seeOther(pagePath(token))),
    abandonTopUp: ({ params: { token = "" } }) => Effect.as(credit.abandon(token), seeOther(pagePath(token)))
  }
  return handlers
})
