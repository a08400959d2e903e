// The payment page of a quote, before and after payment: plain HTML without script or cookies.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { columnPage } from "#adapters/html/Document.ts"
import { Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { Imprint } from "#adapters/html/Imprint.ts"
import { isOpen, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { linksText, targetsOf } from "../agents/Placers.ts"
import { amounts, BEING_CONFIRMED, heldCredit, linesTable, type Sites } from "../QuoteMoney.ts"

export const pagePath = (token: string): string => `/pay/${token}`

/** Whose page it is. */
export interface OfService {
  readonly serviceName: string
  readonly imprint: Imprint
}

type Named = (service: OfService) => string

const layout =
  (title: string, body: Html | ((serviceName: string) => Html)): Named =>
  (service) =>
    columnPage({ title, ...service }, body instanceof Html ? body : body(service.serviceName))

const links = (count: number): string => counted(count, "backlink")

/** What a page of a payment tells of its quote. */
export interface Told {
  /** The agent that asked for it, by the name that its owners gave it or as `UNNAMED`; `null` for what a person put together in the Shop. */
  readonly agent: string | null
  readonly sites: Sites
  /** What is said of its VAT; `null` for nothing. */
  readonly vat: string | null
}

/** The agent as those know it who are not told its name. */
export const UNNAMED = "your assistant"

const atStart = (agent: string): string => (agent === UNNAMED ? "Your assistant" : isolated(agent))

const linesOf = (quote: Quote, { sites }: Told, heading: string): Html => html`<h2>${heading}</h2>
${linesTable(quote, sites, { isMember: false })}`

/** `isAwaited`: whether the payer has done their part, and only the news of it is missing. */
const sumsOf = (quote: Quote, { vat }: Told, isAwaited = false): Html =>
  amounts(quote, isAwaited ? BEING_CONFIRMED : "Left to pay", vat, heldCredit(quote))

/** The processor's own page for this quote; `null` when it is paid on this page. */
const processorUrl = ({ mode, paymentUrl, paymentToken }: Quote): string | null =>
  mode === "sandbox" || paymentUrl === null || paymentUrl.endsWith(pagePath(paymentToken)) ? null : paymentUrl

/** Where a person who is signed in pays: on the host where they are, as long as it is paid on this page. */
export const whereToPay = (quote: Quote): string => processorUrl(quote) ?? pagePath(quote.paymentToken)

const payButton = (quote: Quote): Html => {
  const url = processorUrl(quote)
  const label = `Pay ${formatEur(quote.cardCents)}`
  return url === null
    ? html`<form class="inline" method="post" action="${pagePath(quote.paymentToken)}/pay"><button class="btn main" type="submit">${label}</button></form>`
    : html`<p><a class="btn main" href="${url}">${label}</a></p>`
}

const forms = (quote: Quote): Html => html`
${payButton(quote)}
<form class="inline" method="post" action="${pagePath(quote.paymentToken)}/abandon"><button type="submit">Do not buy</button></form>`

const simulatedNote = (quote: Quote, isPaid = false): Html => {
  if (processorUrl(quote) !== null) return nothing
  if (quote.mode === "sandbox")
    return html`<p class="note">This is a sandbox order: nothing here has any real effect.</p>`
  return isPaid
    ? html`<p class="note">Payments are simulated on this server: no card was charged.</p>`
    : html`<p class="note">Payments are simulated on this server: no card is asked for and none is charged.</p>`
}

const held = ({ creditCents }: Quote): boolean => creditCents > 0

const untilText = (quote: Quote): Html =>
  html`Nothing is charged before you press Pay${processorUrl(quote) === null ? "" : " and pay on the next page"}. You can pay until ${instant(quote.expiresAtMs)}; after that it expires${held(quote) ? " and your held credit is released" : ""}.`

const openBody =
  (quote: Quote, told: Told, path: string | null) =>
  (serviceName: string): Html =>
    html`<h1>Pay ${formatEur(quote.cardCents)} for ${links(quote.lines.length)}</h1>
<section class="card pad gap">
<p>You pay ${serviceName} for ${linksText(targetsOf(quote))}. ${told.agent === null ? "You put this order together in the Shop." : `${atStart(told.agent)} prepared this order.`}</p>
<div class="stack">${sumsOf(quote, told)}</div>
<div class="row">${forms(quote)}</div>
<p class="small">${untilText(quote)}${path === null ? nothing : html` <a href="${path}">Back to the order in your account</a>`}</p>
</section>
${simulatedNote(quote)}
${linesOf(quote, told, "What you buy")}`

/** What was held of the credit comes back with it. */
const unchargedText = (quote: Quote): string =>
  held(quote) ? "Nothing was charged, and your held credit was released." : "Nothing was charged."

const abandonedText = (quote: Quote, agent: string): string => {
  switch (quote.abandonedBy) {
    case "human":
      return `You decided not to buy. ${unchargedText(quote)}`
    case "agent":
      return `${agent} withdrew this order. ${unchargedText(quote)}`
    default:
      return `This order expired before it was paid. ${unchargedText(quote)}`
  }
}

const credited = ({ creditedCents }: Quote): Html =>
  creditedCents === 0
    ? nothing
    : html`<p class="note">A payment of ${formatEur(creditedCents)} arrived when this order could no longer be placed. It was credited to your account.</p>`

/** What can be done about one that was not bought. */
const nextText = (quote: Quote, { agent }: Told): string => {
  if (quote.creditedCents > 0) return "What you paid is credit now."
  return agent === null
    ? "If you still want it, order it again in the Shop."
    : `If you still want it, ask ${isolated(agent)} to order it again.`
}

/** Where the account shows what became of it, and whether a member of it looks; strangers are not told the id of what was not bought. */
export interface InAccount {
  readonly path: string
  readonly isMember: boolean
}

/** Everyone else closes the page, unless they are a member who is not signed in. */
const leave = (place: InAccount | null): Html => {
  if (place === null) return html`<p>You can close this page.</p>`
  return place.isMember
    ? html`<p><a href="${place.path}">Back to your account</a></p>`
    : html`<p>You can close this page. Are you a member of the account? <a href="/account/quotes?state=ended">See what was not bought</a>.</p>`
}

/** Each part of what was paid, and how. */
const paidText = ({ cardCents, creditCents }: Quote): string => {
  const byCard = `${formatEur(cardCents)} by card`
  return `You paid ${creditCents === 0 ? byCard : `${byCard}, and ${formatEur(creditCents)} came from credit`}.`
}

/** Sandbox orders have no invoice, and no mail tells of them. */
const invoiceText = ({ mode }: Quote): string =>
  mode === "live" ? " Its invoice is there too, and owners who chose receipts by mail are sent one." : ""

const closedBody = (quote: Quote, told: Told, place: InAccount | null): Html =>
  quote.status === "paid"
    ? html`<h1>Paid: thank you</h1>
<p>${paidText(quote)} ${linksText(targetsOf(quote))} ${quote.lines.length === 1 ? "is" : "are"} ordered, and work begins. You can close this page.</p>
${place === null ? nothing : html`<p>Are you a member of the account? <a href="${place.path}">See the order</a>.${invoiceText(quote)}</p>`}
${simulatedNote(quote, true)}
${credited(quote)}
${linesOf(quote, told, "What was bought")}
<p><small>Order <code>${quote.orderId ?? ""}</code></small></p>`
    : html`<h1>This order was not placed</h1>
<p>This order was for ${links(quote.lines.length)} at ${formatEur(quote.totalCents)}. ${quote.creditedCents === 0 ? abandonedText(quote, atStart(told.agent ?? "The Shop")) : "It can no longer be paid."}</p>
${credited(quote)}<p>${nextText(quote, told)}</p>
${leave(place)}`

/** Nothing can be paid meanwhile. `again`: the address at which the page waits once more. `isPaid`: the payer has done their part. */
const waitingPage = (
  quote: Quote,
  told: Told,
  {
    heading,
    says,
    again = null,
    isPaid = true
  }: { readonly heading: string; readonly says: string; readonly again?: string | null; readonly isPaid?: boolean }
): Named =>
  layout(
    "Your payment",
    html`<h1>${heading}</h1>
<p>${says}</p>
${again === null ? nothing : html`<p><a class="btn main" href="${again}">Look again</a></p>`}
<section class="card pad">${sumsOf(quote, told, isPaid)}</section>
${linesOf(quote, told, "What you buy")}`
  )

/** Shown after a return from the processor, until its notice of the payment arrives. */
const CONFIRMING =
  "Please do not pay again. The payment provider has not told us of your payment yet: mostly it does within seconds, with some payment methods within days. You need not wait here. The order is placed once your payment is confirmed."

/** Shown while a bank debit is under way, which takes days. */
const PENDING =
  "Please do not pay again. Your bank needs some days; until then, this order and its prices stay as they are. Your order is placed once the money has come. Should it not come, nothing is bought, or you can pay here in another way."

/** Shown while the processor's page is being made again, after a session that ended unpaid. */
const PREPARING = "Nothing was charged. The payment provider has not answered yet; mostly it does within seconds."

const isBeingPrepared = ({ endedSessionId, sessionId }: Quote): boolean => endedSessionId !== null && sessionId === null

/** After a bank debit that failed, the address of the return is still open in a browser. */
const isBeingConfirmed = ({ endedSessionId }: Quote, returned: boolean): boolean => returned && endedSessionId === null

/** Whether its page has nothing to show yet but that it waits. `returned`: its human comes back from the processor, having paid. */
export const isAwaited = (quote: Quote, returned: boolean): boolean =>
  isOpen(quote) && !isPaymentPending(quote) && (isBeingPrepared(quote) || isBeingConfirmed(quote, returned))

/** The page of an open quote; `returned` as above. `back`: the way back of a member of the account; `null` for others. */
export const openPage = (quote: Quote, told: Told, returned: boolean, back: string | null): Named => {
  const path = pagePath(quote.paymentToken)
  if (isPaymentPending(quote)) return waitingPage(quote, told, { heading: "Your payment is under way", says: PENDING })
  if (isBeingPrepared(quote))
    return waitingPage(quote, told, {
      heading: "Your payment page is being prepared",
      says: PREPARING,
      again: path,
      isPaid: false
    })
  if (isBeingConfirmed(quote, returned)) {
    const again = `${path}?returned=paid`
    return waitingPage(quote, told, { heading: "Your payment is being confirmed", says: CONFIRMING, again })
  }
  return layout(`Pay for ${links(quote.lines.length)}`, openBody(quote, told, back))
}

/** The page of a quote that was paid or abandoned. `place`: `null` where people do not sign in. */
export const closedPage = (quote: Quote, told: Told, place: InAccount | null): Named =>
  layout("Your order", closedBody(quote, told, place))

export const messagePage = (title: string, message: string, more: Html = nothing): Named =>
  layout(title, html`<h1>${title}</h1><p>${message}</p>${more}`)
