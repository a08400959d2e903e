// The response to an order: what it costs, its outcome, and what to do next. Rendered to text once, because a replay by
// idempotency key repeats it to the byte.
import { Schema } from "effect"
import { orderStatus } from "#core/domain/ordering/Order.ts"
import { awaitsApproval, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { isWithheld } from "#core/domain/pricing/Discount.ts"
import { plainEur } from "#core/domain/pricing/Money.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Placement, Rendering } from "#core/domain/webhooks/Rendering.ts"
import { Discount, showDiscount } from "../pricing/Discounts.ts"
import { Count, Currency } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, timestamp } from "../schema/Text.ts"
import { counted } from "../shared/Counted.ts"
import { NextAction } from "./NextAction.ts"
import { OrderStatus } from "./Orders.ts"
import { approvalFields, moneyFields, PaymentUrl, showApproval, showMoney } from "./Quotes.ts"

export const WarningRecord = Schema.Struct({
  code: Schema.Literals([
    "similar_recent_order",
    "duplicate_target",
    "too_many_exact_anchors",
    "site_already_links",
    "placed_by_other_credential",
    "replayed_without_key",
    "response_not_kept"
  ]).annotate({
    description:
      "`similar_recent_order`: one like it within 10 minutes; `duplicate_target`: a site links to one page twice; `too_many_exact_anchors`: most anchors are `exact`; `site_already_links`: the account has such a link; the others: what kind of replay it is."
  }),
  message: Schema.String.annotate({ description: "The same in a sentence, for the user." })
}).annotate({ identifier: "OrderWarning", description: "Advice; it never stops an order. Tell the user." })

export const QuoteResponse = Schema.Struct({
  ok: Ok,
  quote_id: Schema.NullOr(answerId.quote).annotate({
    description: "Names the quote (`q_…`); `null` for a dry run."
  }),
  status: Schema.Literals([...QuoteStatus.literals, "dry_run"]).annotate({
    description:
      "`paid`: prepaid credit covered it and the order exists. `awaiting_payment`: a human has to pay. `awaiting_approval`: a human has to approve it first. `dry_run`: nothing was ordered, and `outcome` is what the order would be. `abandoned`, and `paid` by a human: only in a replay."
  }),
  dry_run: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "Only a price check: nothing was written. Absent otherwise." })
  ),
  outcome: Schema.optionalKey(
    Schema.Literals(["paid", "awaiting_payment", "awaiting_approval"]).annotate({
      description: "Of a dry run: what the order would be. Absent otherwise."
    })
  ),
  currency: Currency,
  ...moneyFields,
  discount: Discount,
  payment_url: PaymentUrl,
  ...approvalFields,
  items_count: Count.annotate({ description: "Links in the order." }),
  order_id: Schema.optionalKey(
    answerId.order.annotate({ description: "The order, where it exists already. Absent until then." })
  ),
  order_status: Schema.optionalKey(OrderStatus).annotateKey({
    description: "How far that order is, as `order_status` of an order. Absent until there is one."
  }),
  reference: Schema.optionalKey(
    Schema.String.annotate({ description: "The order's own, as it was sent; absent if none was." })
  ),
  payment_pending: Schema.optionalKey(
    Schema.Literal(true).annotate({
      description: "A bank debit is under way, and the quote does not expire. Absent otherwise."
    })
  ),
  expires_at: Schema.optionalKey(
    at("When the quote expires unless it is paid or approved. Absent where it waits for neither.")
  ),
  warnings: Schema.Array(WarningRecord).annotate({ description: "What to tell the user besides; empty as a rule." }),
  summary: Schema.String.annotate({ description: "One sentence with the money in it, to show to the user." }),
  next_action: NextAction,
  sandbox: Sandbox
}).annotate({
  identifier: "QuoteAnswer",
  description:
    "What the order costs and what became of it. A replayed answer shows the state of then: read GET /api/v1/agent/quotes/{id} before showing its payment link."
})
export type QuoteResponse = typeof QuoteResponse.Type

/** How often an agent should check whether a human has paid. */
const POLL_AFTER_SECONDS = 30

/** A bank debit takes days. */
const POLL_PENDING_AFTER_SECONDS = 3_600

const countLinks = (links: number): string => counted(links, "link")

const priceOf = ({ quote }: Placement): string => {
  const { discount, totalCents, lines } = quote
  const saved = discount.source === "none" ? "" : ` after ${plainEur(discount.amountCents)} off (${discount.label})`
  return `${countLinks(lines.length)} for ${plainEur(totalCents)}${saved}`
}

/** A sentence on the larger discount that is withheld; begins with a space. */
const withheldOf = ({ quote: { discount } }: Placement): string => {
  const kept = discount.considered.find((one) => isWithheld(one) && one.amountCents > discount.amountCents)
  if (kept === undefined) return ""
  const why =
    kept.reservedBy === undefined
      ? `another account has used it for ${kept.usedForDomain}`
      : `open quote ${kept.reservedBy} keeps it until it is paid, abandoned or expired`
  return ` The welcome offer (${plainEur(kept.amountCents)} off) is not applied, because ${why}.`
}

/** What became of a quote that was abandoned, with what was paid for it too late. */
const abandonmentOf = ({ quote: { creditedCents, declinedReason } }: Placement): string =>
  declinedReason !== null
    ? `declined by its human${declinedReason === "" ? "" : `, who says: ${declinedReason}`}`
    : creditedCents === 0
      ? "abandoned or expired, and no longer to be paid"
      : `abandoned or expired; ${plainEur(creditedCents)} that was paid for it is prepaid credit`

/** What waits for approval, and what is paid how after it. */
const approvalOf = ({ quote: { creditCents, cardCents }, dryRun }: Placement): string => {
  const waits = dryRun ? "would wait for your approval" : "waits for your approval"
  const parts = [
    ...(creditCents === 0
      ? []
      : [`${plainEur(creditCents)} of prepaid credit ${dryRun ? "would be held" : "is held"}`]),
    ...(cardCents === 0 ? [] : [`${plainEur(cardCents)} would be left to pay after it`])
  ]
  return [waits, ...parts].join("; ")
}

const paymentOf = (placement: Placement): string => {
  const { quote, dryRun, order } = placement
  const { creditCents, cardCents } = quote
  if (quote.status === "abandoned") return abandonmentOf(placement)
  if (awaitsApproval(quote)) return approvalOf(placement)
  if (order !== null && cardCents > 0) return `paid, ${plainEur(cardCents)} of it by a human`
  if (cardCents === 0) {
    if (creditCents === 0) return "nothing to pay"
    return dryRun ? "prepaid credit would cover it" : `paid with ${plainEur(creditCents)} of prepaid credit`
  }
  const held = dryRun ? "would be held" : "is held"
  const credit = creditCents === 0 ? "" : `${plainEur(creditCents)} of prepaid credit ${held}; `
  const left = dryRun ? "would be left for a human to pay" : "is left for a human to pay"
  return `${credit}${plainEur(cardCents)} ${left}`
}

/** Begins every sentence about a sandbox order, so that no user waits for a link that never comes. */
const sandboxPrefix = ({ quote }: Placement): string => (quote.mode === "sandbox" ? "Sandbox, no real effect: " : "")

/** One sentence with the money in it. */
export const summarisePlacement = (placement: Placement): string => {
  const { quote, dryRun, order } = placement
  const what = dryRun
    ? "Dry run, nothing was ordered: "
    : order === null
      ? `Quote ${quote.quoteId}: `
      : `Order ${order.orderId} is placed: `
  return `${sandboxPrefix(placement)}${what}${priceOf(placement)}; ${paymentOf(placement)}.${withheldOf(placement)}`
}

const nextAction = (placement: Placement, approvalUrl: string): QuoteResponse["next_action"] => {
  const { quote, dryRun, order } = placement
  if (dryRun) {
    const tell = `${sandboxPrefix(placement)}This was only a price check: ${priceOf(placement)}; ${paymentOf(placement)}.${withheldOf(placement)} Shall I place the order?`
    return { type: "none", tell_user: tell }
  }
  if (order !== null) {
    const tell = `${sandboxPrefix(placement)}Your order ${order.orderId} is placed and paid for: ${priceOf(placement)}.${withheldOf(placement)} I can follow it until the links are online.`
    return { type: "none", tell_user: tell }
  }
  if (quote.declinedReason !== null) {
    const tell = `${sandboxPrefix(placement)}Quote ${quote.quoteId} was ${abandonmentOf(placement)}. Nothing was bought.`
    return { type: "none", tell_user: tell }
  }
  if (quote.status === "abandoned") {
    const tell = `${sandboxPrefix(placement)}Quote ${quote.quoteId} is ${abandonmentOf(placement)}. Nothing was bought; shall I order again?`
    return { type: "none", tell_user: tell }
  }
  const expires = timestamp(quote.expiresAtMs)
  const poll = { poll_after_seconds: POLL_AFTER_SECONDS, expires_at: expires }
  const { paymentUrl, cardCents } = quote
  if (awaitsApproval(quote)) {
    const tell = `${sandboxPrefix(placement)}Please open ${approvalUrl} and approve or decline this order by ${expires}: ${priceOf(placement)}. Nothing is bought unless you approve.${withheldOf(placement)}`
    return { type: "open_approval_url", url: approvalUrl, ...poll, tell_user: tell }
  }
  if (isPaymentPending(quote)) {
    const tell =
      "Your bank debit is under way, which takes some days. Please do not pay again; the order is placed once the money comes."
    return { type: "poll_quote", poll_after_seconds: POLL_PENDING_AFTER_SECONDS, tell_user: tell }
  }
  if (paymentUrl === null) {
    return { type: "poll_quote", ...poll, tell_user: "The payment link is being prepared; I will look again shortly." }
  }
  const tell = `${sandboxPrefix(placement)}Please open ${paymentUrl} to pay ${plainEur(cardCents)} by ${expires}. Nothing is charged unless you do; the order is placed once you have paid.${withheldOf(placement)}`
  return { type: "open_payment_url", url: paymentUrl, ...poll, tell_user: tell }
}

/** The HTTP status of an order, and that of a dry run, which makes nothing. */
const CREATED = 201
const PRICED = 200

/** What the order of a dry run would be. */
const outcomeOf = ({ status, cardCents }: Quote) => {
  if (status === "awaiting_approval") return status
  return cardCents === 0 ? "paid" : "awaiting_payment"
}

const stateOf = ({ quote, dryRun }: Placement) =>
  dryRun ? ({ status: "dry_run", dry_run: true, outcome: outcomeOf(quote) } as const) : { status: quote.status }

const toQuoteResponse = (placement: Placement, approvalUrl: string): QuoteResponse => {
  const { quote, order, links, dryRun } = placement
  const state = stateOf(placement)
  const open = state.status === "awaiting_payment"
  return {
    ok: true,
    quote_id: dryRun ? null : quote.quoteId,
    ...state,
    currency: "EUR",
    ...showMoney(quote),
    discount: showDiscount(quote.discount),
    payment_url: open && !isPaymentPending(quote) ? quote.paymentUrl : null,
    ...showApproval(quote, dryRun ? null : approvalUrl),
    items_count: quote.lines.length,
    ...(order === null ? {} : { order_id: order.orderId, order_status: orderStatus(links) }),
    ...(quote.reference === null ? {} : { reference: quote.reference }),
    ...(isPaymentPending(quote) ? { payment_pending: true as const } : {}),
    ...(open || state.status === "awaiting_approval" ? { expires_at: timestamp(quote.expiresAtMs) } : {}),
    warnings: quote.warnings.map(({ code, message }) => ({ code, message })),
    summary: summarisePlacement(placement),
    next_action: nextAction(placement, approvalUrl),
    sandbox: quote.mode === "sandbox"
  }
}

/** `approvalPage` is the URL of the page where an owner approves a quote. */
export const renderQuoteResponse =
  (approvalPage: (quoteId: QuoteId) => string): Rendering["response"] =>
  (placement) => ({
    status: placement.dryRun ? PRICED : CREATED,
    body: JSON.stringify(toQuoteResponse(placement, approvalPage(placement.quote.quoteId)))
  })

export const addWarning: Rendering["withWarning"] = ({ status, body }, warning) => {
  // Stored by `renderQuoteResponse`, of this version or an earlier one, so that it has these members.
  const stored: Pick<QuoteResponse, "warnings"> = JSON.parse(body)
  return { status, body: JSON.stringify({ ...stored, warnings: [...stored.warnings, warning] }) }
}
