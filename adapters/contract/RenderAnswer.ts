// The answer to an order, to the byte: the same function serves the first answer, what an idempotency key freezes, and dry
// runs.
import { orderStatus } from "#core/domain/Order.ts"
import type { Discount } from "#core/domain/Pricing.ts"
import type { Placement, Rendering } from "#core/domain/Rendering.ts"
import { eurOfCents } from "./Amount.ts"
import { nextAction, summarise } from "./NextSteps.ts"
import type { QuoteAnswer } from "./QuoteAnswer.ts"
import { showMoney } from "./ShowQuote.ts"
import { timestamp } from "./Text.ts"

/** The status of every answer to `POST /orders` that is not an error (contract §5). */
const CREATED = 201

const showDiscount = ({ source, label, considered }: Discount): QuoteAnswer["discount"] => ({
  source,
  label,
  considered: considered.map(({ amountCents, ...rest }) => ({ ...rest, amount_eur: eurOfCents(amountCents) }))
})

const answerOf = (placement: Placement): QuoteAnswer => {
  const { quote, order, links, dryRun } = placement
  const open = quote.cardCents > 0 && order === null
  return {
    ok: true,
    quote_id: dryRun ? null : quote.quoteId,
    status: open ? "awaiting_payment" : "paid",
    currency: "EUR",
    ...showMoney(quote),
    discount: showDiscount(quote.discount),
    payment_url: open && !dryRun ? quote.paymentUrl : null,
    items_count: quote.lines.length,
    ...(order === null ? {} : { order_id: order.orderId, order_status: orderStatus(links) }),
    ...(open && !dryRun ? { expires_at: timestamp(quote.expiresAtMs) } : {}),
    warnings: quote.warnings.map(({ code, message }) => ({ code, message })),
    summary: summarise(placement),
    next_action: nextAction(placement),
    sandbox: quote.mode === "sandbox"
  }
}

export const renderAnswer: Rendering["answer"] = (placement) => ({
  status: CREATED,
  body: JSON.stringify(answerOf(placement))
})
