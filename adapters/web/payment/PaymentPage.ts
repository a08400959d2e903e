// The payment page of a quote, before and after payment: plain HTML without script or cookies.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { columnPage } from "#adapters/html/Document.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { Imprint } from "#adapters/html/Imprint.ts"
import { isWebCredential } from "#core/domain/access/WebCredential.ts"
import { isPaymentPending, type Quote, type QuoteLine } from "#core/domain/ordering/Quote.ts"
import { shownTarget } from "#core/domain/ordering/TargetPolicy.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { vatLine } from "../money/PriceVat.ts"
import { term } from "../Tables.ts"

export const pagePath = (token: string): string => `/pay/${token}`

/** Whose page it is. */
export interface OfService {
  readonly serviceName: string
  readonly imprint: Imprint
}

type Named = (service: OfService) => string

const layout =
  (title: string, body: Html, head: Html = nothing): Named =>
  (service) =>
    columnPage({ title, ...service, head }, body)

const links = (count: number): string => counted(count, "backlink")

const lineRow = ({ item, domain, priceCents }: QuoteLine): Html => {
  const format = item.format === "insertion" ? "inserted into an existing article" : "in a new article"
  const pack =
    item.tier2Links === 0 ? "" : `, with ${item.tier2Links} tier-2 ${item.tier2Links === 1 ? "link" : "links"}`
  return html`<tr>
<th scope="row">${domain}<br><small>${format}${pack}</small></th>
<td>“${item.anchorText}”</td>
<td>${shownTarget(item.targetUrl)}</td>
<td class="money">${formatEur(priceCents)}</td>
</tr>`
}

const linesTable = (quote: Quote): Html => html`<table>
<caption>What is being bought</caption>
<thead><tr><th scope="col">Site</th><th scope="col">Anchor text</th><th scope="col">Links to</th><th scope="col" class="money">Price</th></tr></thead>
<tbody>${quote.lines.map(lineRow)}</tbody>
</table>`

const sums = (quote: Quote): Html => {
  const { grossCents, discount, totalCents, creditCents, cardCents } = quote
  const reduced = discount.source !== "none"
  return html`<dl>
${term("Price", formatEur(grossCents))}
${reduced ? term(discount.label, `−${formatEur(discount.amountCents)}`) : nothing}
${reduced ? term("Total", formatEur(totalCents)) : nothing}
${creditCents > 0 ? term("From your prepaid credit", `−${formatEur(creditCents)}`) : nothing}
${term("Left to pay", formatEur(cardCents), true)}
</dl>`
}

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

const noChargeNote = (quote: Quote): Html => {
  if (processorUrl(quote) !== null) return nothing
  return quote.mode === "sandbox"
    ? html`<p class="note">This is a sandbox order: nothing here has any real effect.</p>`
    : html`<p class="note">Payments are simulated on this server: no card is asked for and none is charged.</p>`
}

const openBody = (quote: Quote, vat: string | null): Html => html`<h1>Pay for ${links(quote.lines.length)}</h1>
<p>${isWebCredential(quote.keyId) ? "You put this order together in the Shop." : "Your assistant prepared this order for you."} Nothing is bought unless you pay. You can pay until ${instant(quote.expiresAtMs)}.</p>
${noChargeNote(quote)}
${linesTable(quote)}
${sums(quote)}${vatLine(vat)}
${forms(quote)}`

const abandonedText = ({ abandonedBy }: Quote): string => {
  switch (abandonedBy) {
    case "human":
      return "You decided not to buy. Nothing was charged, and what was held of your credit is yours again."
    case "agent":
      return "Your assistant withdrew this order. Nothing was charged, and what was held of your credit is yours again."
    default:
      return "This order expired before it was paid. Nothing was charged, and what was held of your credit is yours again."
  }
}

const credited = ({ creditedCents }: Quote): Html =>
  creditedCents === 0
    ? nothing
    : html`<p class="note">A payment of ${formatEur(creditedCents)} arrived when this order could no longer be placed. It was credited to your account.</p>`

/** What can be done about one that was not bought. */
const nextText = (quote: Quote): string => {
  if (quote.creditedCents > 0) return "What you paid is credit now."
  return isWebCredential(quote.keyId)
    ? "If you still want it, order it again in the Shop."
    : "If you still want it, ask your assistant to order it again."
}

/** Strangers have nowhere to go from here. */
const leave = (path: string | null): Html =>
  path === null ? html`<p>You can close this page.</p>` : html`<p><a href="${path}">Back to your account</a></p>`

const closedBody = (quote: Quote, path: string | null): Html =>
  quote.status === "paid"
    ? html`<h1>Paid: thank you</h1>
<p>The order is placed, and ${links(quote.lines.length)} will be published. You can close this page.</p>
${path === null ? nothing : html`<p>Are you a member of the account? <a href="${path}">See the order</a>.</p>`}
${noChargeNote(quote)}
${credited(quote)}
${linesTable(quote)}
<p><small>Order <code>${quote.orderId ?? ""}</code></small></p>`
    : html`<h1>This order was not placed</h1>
<p>This order was for ${links(quote.lines.length)} at ${formatEur(quote.totalCents)}. ${quote.creditedCents === 0 ? abandonedText(quote) : "It can no longer be paid."}</p>
${credited(quote)}<p>${nextText(quote)}</p>
${leave(path)}`

const RELOAD = html`<meta http-equiv="refresh" content="5">`

/** Nothing can be paid meanwhile. */
const waitingPage = (quote: Quote, heading: string, says: string, head: Html = nothing): Named =>
  layout(
    "Your payment",
    html`<h1>${heading}</h1>
<p>${says}</p>
${linesTable(quote)}
${sums(quote)}`,
    head
  )

/** Shown after a return from the processor, until its notice of the payment arrives. */
const CONFIRMING =
  "Please do not pay again. This page looks again by itself. It usually takes a few seconds; with some payment methods it takes days, and you need not wait here."

/** Shown while a bank debit is under way, which takes days. */
const PENDING =
  "Please do not pay again. Your bank needs some days; until then, this order and its prices stay as they are. Your order is placed once the money has come. Should it not come, nothing is bought, or you can pay here in another way."

/** Shown while the processor's page is being made again, after a session that ended unpaid. */
const PREPARING = "This page looks again by itself, in a few seconds."

/** The page of an open quote; `returned`: whether its human comes back from the processor, having paid; `vat`: what is said of its VAT. */
export const openPage = (quote: Quote, returned: boolean, vat: string | null): Named => {
  const { endedSessionId, sessionId, lines } = quote
  if (isPaymentPending(quote)) return waitingPage(quote, "Your payment is under way", PENDING)
  if (endedSessionId !== null && sessionId === null)
    return waitingPage(quote, "Your payment page is being prepared", PREPARING, RELOAD)
  // After a bank debit that failed, the address of the return is still open in a browser.
  if (returned && endedSessionId === null)
    return waitingPage(quote, "Your payment is being confirmed", CONFIRMING, RELOAD)
  return layout(`Pay for ${links(lines.length)}`, openBody(quote, vat))
}

/** The page of a quote that was paid or abandoned. `path`: of its order, where people sign in; of an abandoned one, for members of its account. */
export const closedPage = (quote: Quote, path: string | null): Named => layout("Your order", closedBody(quote, path))

export const messagePage = (title: string, message: string, more: Html = nothing): Named =>
  layout(title, html`<h1>${title}</h1><p>${message}</p>${more}`)
