// Top-ups: the form that asks for an amount, the state of each, and the payment page of the simulated processor.
import { Option, Schema } from "effect"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { MAX_TOP_UP_CENTS, MIN_TOP_UP_CENTS, type TopUp, topUpFor } from "#core/domain/wallet/TopUp.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { eurField } from "../form/FieldSchemas.ts"
import { hidden, text } from "../form/Fields.ts"
import { button, form, showForm, submit } from "../form/Form.ts"
import { topUpVatText, vatLine } from "../money/PriceVat.ts"
import { giveUpTopUp, TOP_UPS_PATH as PATH } from "../money/WaitingMoney.ts"
import { action, page, type Reply, repeatable, seeOther, titled } from "../Page.ts"
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
    amount: text(amount, "Amount, EUR", { hint: RANGE, required: true, inputMode: "decimal", maxLength: 12 })
  },
  button: "Go to payment"
})

const pagePath = (token: string): string => `/account/top-up/${token}`

/** Whether it is paid on the page of the simulated processor, and not on a page of a real one. */
const isSimulated = ({ paymentUrl, paymentToken }: TopUp): boolean =>
  paymentUrl?.endsWith(pagePath(paymentToken)) ?? false

const TONES = { open: "wait", paid: "ok", ended: "off" } as const

const columns = (who: SignedIn): ReadonlyArray<Column<TopUp>> => [
  named("Amount", ({ topUpId, cents }) => html`<a href="${PATH}/${topUpId}">${formatEur(cents)}</a>`),
  column("When", ({ createdAtMs }) => instant(createdAtMs)),
  plainly("State", ({ status }) => state(topUpStatusText[status], TONES[status])),
  actions((topUp) => giveUpTopUp(who, topUp))
]

/** A link and no redirect, because the page's policy lets forms lead nowhere but to this service. */
const payLink = (one: TopUp): Html => {
  const { topUpId, paymentUrl, paymentToken, cents, expiresAtMs } = one
  if (paymentUrl === null)
    return html`<p class="notice">The payment provider is not answering. Nothing was charged. We try again by ourselves until ${instant(expiresAtMs)}: the button that pays ${formatEur(cents)} appears on this page, which looks again every ${LOOK_AGAIN_SECONDS} seconds. You can also close it and come back.</p>
<p><a class="btn" href="${PATH}/${topUpId}">Look again now</a></p>`
  const url = isSimulated(one) ? pagePath(paymentToken) : paymentUrl
  return html`<p><a class="btn main" href="${url}">Pay ${formatEur(cents)}</a></p>
<p class="note">Nothing is charged before you pay there. It can be paid until ${instant(expiresAtMs)}.</p>
${vatLine(topUpVatText)}`
}

const LOOK_AGAIN_SECONDS = 10

const RELOAD = html`<meta http-equiv="refresh" content="${LOOK_AGAIN_SECONDS}">`

const replyOf = (heading: string, body: Html, head: Html = nothing): Reply => titled("Top-up", body, { heading, head })

/** What became of a paid one. `collectedCents`: what of it was taken at once for what was owed. */
const creditedText = ({ cents, reversedCents = 0 }: TopUp, collectedCents: Cents, whose: string): string => {
  const left = cents - collectedCents
  const credited =
    collectedCents === 0
      ? `It became credit of ${whose}.`
      : left === 0
        ? `All of it paid what ${whose} owed.`
        : `${formatEur(collectedCents)} of it paid what ${whose} owed; ${formatEur(left)} became credit.`
  return reversedCents === 0
    ? credited
    : `${credited} Since then, ${formatEur(reversedCents)} were taken back after a refund or a dispute.`
}

const topUpReply = (one: TopUp, collectedCents: Cents, { member }: SignedIn): Reply => {
  const amountText = formatEur(one.cents)
  switch (one.status) {
    case "open":
      return replyOf(
        `Top up by ${amountText}`,
        html`${payLink(one)}
${one.paymentUrl === null ? nothing : html`<p>Paid already? Your payment is confirmed within a moment: load this page again.</p>`}
${member.role === "owner" ? button(`${PATH}/${one.topUpId}/cancel`, `Withdraw this top-up of ${amountText}`, { kind: "grave" }) : nothing}`,
        one.paymentUrl === null ? RELOAD : nothing
      )
    case "paid":
      return replyOf(
        `${amountText} paid`,
        html`<p>${creditedText(one, collectedCents, "your account")} <a href="/account/credit">See your credit</a>.</p>`
      )
    case "ended":
      return replyOf(
        "Nothing was paid",
        html`<p>This top-up of ${amountText} has ended, and nothing was charged. <a href="${PATH}">Begin another</a>.</p>`
      )
  }
}

/** Where a real processor sends the payer back to; for the simulated one, the place where it is paid. */
const paymentReply = (one: TopUp, collectedCents: Cents): Reply => {
  const amountText = formatEur(one.cents)
  if (one.status === "open" && isSimulated(one)) {
    const path = pagePath(one.paymentToken)
    return replyOf(
      `Pay ${amountText} for credit`,
      html`<p class="note">Payments are simulated on this server: no card is asked for and none is charged.</p>
${button(`${path}/pay`, `Pay ${amountText}`, { kind: "pay" })}
${button(`${path}/abandon`, "Do not pay")}`
    )
  }
  const where = html`<p><a href="${PATH}/${one.topUpId}">See this top-up in the member area</a></p>`
  switch (one.status) {
    case "open":
      return replyOf("Your payment is being confirmed", html`<p>This takes a moment.</p>${where}`)
    case "paid":
      return replyOf("Paid: thank you", html`<p>${creditedText(one, collectedCents, "the account")}</p>${where}`)
    case "ended":
      return replyOf(
        "This top-up has ended",
        html`<p>Nothing was charged, unless you paid after its end: then it becomes credit of the account, or is given back if the account was closed.</p>${where}`
      )
  }
}

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

/** What a person is told who withdraws a top-up, for each state that it is in afterwards. */
const WITHDRAWN: Readonly<Record<TopUp["status"], string>> = {
  ended: "Nothing was charged: this top-up has ended.",
  paid: "Nothing was withdrawn: it was paid just before.",
  open: "Nothing was done: a payment for it is on its way, and cannot be stopped."
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
  page("viewer", `${PATH}/:id`, { section: "Credit", help: "top-ups" }, function* ({ who, params: { id = "" } }) {
    const { view, collectedOf } = yield* TopUpCredit
    const one = yield* view(who, TopUpId.make(id))
    return topUpReply(one, yield* collectedOf(one), who)
  }),
  action("owner", `${PATH}/:id/cancel`, function* ({ who, params: { id = "" } }) {
    const one = yield* (yield* TopUpCredit).cancel(who, TopUpId.make(id))
    return seeOther(`${PATH}/${one.topUpId}`, WITHDRAWN[one.status])
  }),
  page("anyone", SIMULATED, {}, function* ({ params: { token = "" } }) {
    const { byToken, collectedOf } = yield* TopUpCredit
    const one = yield* byToken(token)
    return paymentReply(one, yield* collectedOf(one))
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
