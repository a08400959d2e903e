// Quotes as the wire has them: their money, and what became of them.
import type { Link } from "#core/domain/Link.ts"
import { orderStatus } from "#core/domain/Order.ts"
import { payableUrl, type Quote } from "#core/domain/Quote.ts"
import { eurOfCents } from "./Amount.ts"
import type { QuoteStatus } from "./QuoteStatus.ts"
import { timestamp } from "./Text.ts"

export const showMoney = (quote: Quote) => ({
  gross_total_eur: eurOfCents(quote.grossCents),
  total_eur: eurOfCents(quote.totalCents),
  discount_eur: eurOfCents(quote.discount.amountCents),
  credit_applied_cents: quote.creditCents,
  card_amount_cents: quote.cardCents
})

export const showQuote = (report: {
  readonly quote: Quote
  readonly order: { readonly links: ReadonlyArray<Link> } | null
  readonly asOfMs: number
}): QuoteStatus => {
  const { quote, order, asOfMs } = report
  return {
    ok: true,
    quote_id: quote.quoteId,
    status: quote.status,
    paid: quote.status === "paid",
    order_id: quote.orderId,
    order_status: order === null ? null : orderStatus(order.links),
    currency: "EUR",
    ...showMoney(quote),
    payment_url: payableUrl(quote, asOfMs),
    expires_at: timestamp(quote.expiresAtMs),
    items_count: quote.lines.length,
    ...(quote.creditedCents === 0 ? {} : { credited_cents: quote.creditedCents }),
    sandbox: quote.mode === "sandbox"
  }
}
