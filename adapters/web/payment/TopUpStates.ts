// What the pages of a top-up say in each of its states: in the member area, and where it is paid or a processor sends the payer back to.
import { Effect } from "effect"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { type Cents, formatEur } from "#core/domain/pricing/Money.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import { TopUpCredit } from "#core/usecases/wallet/TopUpCredit.ts"
import { button } from "../form/Form.ts"
import { topUpVatText } from "../money/PriceVat.ts"
import { TOP_UPS_PATH as PATH } from "../money/WaitingMoney.ts"
import { type Reply, titled } from "../Page.ts"
import { PaymentWaits } from "./PaymentWaits.ts"

export const pagePath = (token: string): string => `/account/top-up/${token}`

/** Whether it is paid on the page of the simulated processor, and not on a page of a real one. */
export const isSimulated = ({ paymentUrl, paymentToken }: TopUp): boolean =>
  paymentUrl?.endsWith(pagePath(paymentToken)) ?? false

/** The query of an address to which the processor sends the payer back. */
const RETURNED = "?returned=paid"

const CONFIRMING =
  "Please do not pay again. The payment provider has not told us of your payment yet: mostly it does within seconds, with some payment methods within days. You need not wait here: what you paid becomes credit."

/** Waits for the payment page of one that has none yet, and for the payment of one that its owner says to have paid. */
const lookAgain = ({ topUpId, paymentUrl }: TopUp, says = "Look again"): Html =>
  html`<a class="btn" href="${PATH}/${topUpId}${paymentUrl === null ? "" : RETURNED}">${says}</a>`

export const isReturned = (query: URLSearchParams): boolean => query.get("returned") === "paid"

/** Waits where a page has nothing to show yet: until there is a payment page, or for who comes back from it, until the payment is known. */
export const settled = Effect.fnUntraced(function* (seen: TopUp, returned: boolean) {
  const { byToken } = yield* TopUpCredit
  return yield* (yield* PaymentWaits).settled(seen, {
    accountId: seen.accountId,
    // Reads what is stored: a member's page asked the processor when it was opened.
    look: byToken(seen.paymentToken),
    isFinal: ({ status, paymentUrl }) => status !== "open" || (paymentUrl !== null && !returned)
  })
})

/** A link and no redirect, because the page's policy lets forms lead nowhere but to this service. */
const payLink = (one: TopUp): Html => {
  const { paymentUrl, paymentToken, cents } = one
  const url = isSimulated(one) ? pagePath(paymentToken) : (paymentUrl ?? "")
  return html`<a class="btn main" href="${url}">Pay ${formatEur(cents)}</a>`
}

const replyOf = (heading: string, body: Html): Reply => titled("Top-up", body, { heading })

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

const cancelling = ({ topUpId, cents }: TopUp): Html =>
  html`<p class="small">Do you not want it any more? Nothing is charged then.</p>
${button(`${PATH}/${topUpId}/cancel`, `Cancel this top-up of ${formatEur(cents)}`, { kind: "grave" })}`

const openText = (one: TopUp, returned: boolean): Html => {
  const until = instant(one.expiresAtMs)
  const amountText = formatEur(one.cents)
  if (one.paymentUrl === null)
    return html`<p class="notice">The payment provider is not answering. Nothing was charged. We try again by ourselves until ${until}: the button that pays ${amountText} appears here. You can also close this page and come back.</p>
<p>${lookAgain(one)}</p>`
  if (returned)
    return html`<p class="notice">${CONFIRMING}</p>
<p>${lookAgain(one)}</p>`
  return html`<section class="card pad stack">
<p>${payLink(one)}</p>
<p>Nothing is charged before you pay on the next page. You can pay until ${until}.</p>
<p class="hint">${topUpVatText}</p>
</section>
<p class="row">Paid already? ${lookAgain(one, "See whether it has arrived")}</p>`
}

export const topUpReply = (one: TopUp, collectedCents: Cents, { member }: SignedIn, returned: boolean): Reply => {
  const amountText = formatEur(one.cents)
  switch (one.status) {
    case "open":
      return replyOf(
        `Top up by ${amountText}`,
        html`${openText(one, returned)}\n${member.role === "owner" && !returned ? cancelling(one) : nothing}`
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
export const paymentReply = (one: TopUp, collectedCents: Cents, returned: boolean): Reply => {
  const amountText = formatEur(one.cents)
  const where = html`<p><a href="${PATH}/${one.topUpId}">Back to this top-up in the member area</a></p>`
  if (one.status === "open" && isSimulated(one)) {
    const path = pagePath(one.paymentToken)
    return replyOf(
      `Pay ${amountText} for credit`,
      html`<section class="card pad gap">
<p>The amount becomes credit of the account at once. Nothing is charged before you press Pay, and you can pay until ${instant(one.expiresAtMs)}.</p>
<div class="row">${button(`${path}/pay`, `Pay ${amountText}`, { kind: "pay" })}
${button(`${path}/abandon`, "Do not pay")}</div>
<p class="hint">${topUpVatText}</p>
</section>
<p class="note">Payments are simulated on this server: no card is asked for and none is charged.</p>
${where}`
    )
  }
  switch (one.status) {
    case "open":
      return returned
        ? replyOf(
            "Your payment is being confirmed",
            html`<p class="notice">${CONFIRMING}</p>
<p><a class="btn main" href="${pagePath(one.paymentToken)}${RETURNED}">Look again</a></p>${where}`
          )
        : replyOf(
            "Nothing was paid yet",
            html`<p>This top-up of ${amountText} can be paid until ${instant(one.expiresAtMs)}. Nothing is charged before you pay on the next page.</p>
<p>${one.paymentUrl === null ? nothing : payLink(one)}</p>${where}`
          )
    case "paid":
      return replyOf("Paid: thank you", html`<p>${creditedText(one, collectedCents, "the account")}</p>${where}`)
    case "ended":
      return replyOf(
        "This top-up has ended",
        html`<p>Nothing was charged, unless you paid after its end: then it becomes credit of the account, or is given back if the account was closed.</p>${where}`
      )
  }
}
