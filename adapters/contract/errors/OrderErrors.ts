// Wording of refusals about orders, quotes and their money: what happened, and what an agent should do next.

import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { WhoCan } from "#core/domain/ordering/Cancelling.ts"
import { plainEur } from "#core/domain/pricing/Money.ts"
import type { PromoFault } from "#core/domain/pricing/PriceRefusal.ts"
import { topUpFor } from "#core/domain/wallet/TopUp.ts"
import { eurOfCents } from "../schema/Amount.ts"
import { timestamp } from "../schema/Text.ts"
import { credentialNouns } from "./CredentialNouns.ts"
import { paramOf, pathOf, type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

const PROMO_FAULTS: Readonly<Record<PromoFault, string>> = {
  unknown: "does not exist",
  not_started: "is not valid yet",
  expired: "has expired",
  exhausted: "has been used up",
  already_used: "was already used by this account",
  minimum_not_met: "needs a higher total than this order has"
}

/** Whether the order may be sent again whose idempotency key no quote has. */
const UNDER_NO_KEY = {
  once: "No key and no connection of this account has made a live order with this idempotency key. Send the order with this very idempotency key: it will not buy twice, whichever of them sends it.",
  again:
    "No sandbox order of this account has this idempotency key. One that finished weeks ago may have been deleted with it: sent again, it would be made again, which costs nothing.",
  forbidden:
    "No order of this account and mode has this idempotency key. You may not order: tell your user, or let the agent send it again that sent it, with this very idempotency key."
} as const

/** Who besides the operator can cancel what an agent may not. */
const whoCancels = (decidedBy: "another" | "human", whoCan: WhoCan): string => {
  if (whoCan === "operator") return ""
  const owner = "an owner of the account, on the order's page in the member area,"
  return `${decidedBy === "human" ? owner : `the agent that placed it, or ${owner}`} can cancel what is \`to_assign\`, and `
}

export const orderRefusals = {
  AmountAboveMaximum: ({ totalCents, availableCents, maximumCents }) => ({
    code: "price_above_limit",
    message: `The total of ${plainEur(totalCents)}, less the ${plainEur(availableCents)} of available credit, is more than the ${plainEur(maximumCents)} that a card payment can be. Nothing was written.`,
    suggestion: "Split the order into smaller ones, or ask your user to top up the prepaid balance.",
    details: { total_cents: totalCents, available_cents: availableCents, maximum_cents: maximumCents }
  }),
  AmountBelowMinimum: ({ totalCents, availableCents, minimumCents }) => ({
    code: "amount_below_minimum",
    message: `The total of ${plainEur(totalCents)} is more than the ${plainEur(availableCents)} of available credit, and less than the ${plainEur(minimumCents)} that a card payment needs.`,
    suggestion: "Add an item, or ask your user to top up the prepaid balance. Nothing was written.",
    details: { total_cents: totalCents, available_cents: availableCents, minimum_cents: minimumCents }
  }),
  CartInvalid: ({ faults }) => ({
    code: "validation_failed",
    message:
      faults.length === 1 ? faults[0].message : `${faults.length} things are wrong; the first: ${faults[0].message}`,
    param: pathOf(faults[0].path),
    errors: faults.map(({ path, message }) => ({ path: pathOf(path), message })),
    suggestion:
      "Correct every entry of `errors` and send the request again, under the same Idempotency-Key: nothing was bound to it now."
  }),
  DailyCapReached: ({ limit, used, resetsAtMs, retryAfterSeconds }, by) => ({
    code: "daily_order_cap_reached",
    message: `This ${credentialNouns(by).noun} has made ${used} of its ${limit} orders for today (UTC).`,
    suggestion: `Tell your user, and order again after ${timestamp(resetsAtMs)}. Dry runs and replays of earlier orders still work. Nothing was written.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, used, resets_at: timestamp(resetsAtMs) }
  }),
  IdempotencyKeyReused: ({ quoteId, placedBy, label = "" }) => ({
    code: "idempotency_key_reused",
    message: `This Idempotency-Key was already used for an order with a different body${placedBy === undefined ? "" : `, by ${JSON.stringify(safeExcerpt(label))}, a ${credentialKind(placedBy)} of this account`}. Nothing was written.`,
    param: "Idempotency-Key",
    suggestion: `If this is a retry, send exactly the body of the first attempt. If it is another purchase, use a new key. GET /api/v1/agent/quotes/${quoteId} shows what became of the first one.`,
    details: { quote_id: quoteId }
  }),
  InvalidTransition: ({ from, to, reason }) => ({
    code: "invalid_transition",
    message: reason,
    suggestion:
      from === to
        ? "Tell your user: what is being written, online or cancelled is not changed any more. The operator can be asked."
        : "Read the order's current status first; links only move forward.",
    details: { from, to }
  }),
  InvoiceNotFound: ({ invoiceId }) => ({
    code: "invoice_not_found",
    message: `There is no invoice, credit note or receipt ${safeExcerpt(invoiceId)} in this account.`,
    suggestion:
      "List them with GET /api/v1/agent/invoices. An order has its invoice within a minute; the sandbox has none."
  }),
  LinkNotOfOrder: ({ orderId, linkId, position }) => {
    const path = `link_ids[${position}]`
    const message = `Order ${orderId} has no link ${safeExcerpt(linkId)}. Nothing was cancelled.`
    return {
      code: "validation_failed",
      message,
      param: path,
      errors: [{ path, message }],
      suggestion: `Take link_id from GET /api/v1/agent/orders/${orderId}, or leave link_ids out to cancel all links.`
    }
  },
  LinksNotCancellable: ({ orderId, links }) => ({
    code: "not_cancellable",
    message: `Nothing was cancelled: ${links.length === 1 ? "a link" : `${links.length} links`} of those asked for ${links.length === 1 ? "is" : "are"} not \`to_assign\` any more.`,
    suggestion:
      'Send `"only": "cancellable"` to cancel those that are still `to_assign`. For the others tell your user: the operator can cancel what is not online yet, and its price comes back as prepaid credit.',
    details: {
      order_id: orderId,
      links: links.map(({ linkId, status }) => ({ link_id: linkId, status })),
      who_can: "operator"
    }
  }),
  OrderNotCancellable: ({ orderId, decidedBy, whoCan }) => ({
    code: "not_cancellable",
    message:
      decidedBy === "human"
        ? `A human placed, paid for or approved order ${orderId}, so that it is not yours to cancel. Nothing was changed.`
        : `Order ${orderId} was placed by another key or connection of this account. Nothing was changed.`,
    suggestion: `Tell your user: ${whoCancels(decidedBy, whoCan)}the operator can cancel what is not online yet. The price comes back as prepaid credit.`,
    details: {
      order_id: orderId,
      decided_by: decidedBy === "human" ? "human" : "another_credential",
      who_can: whoCan
    }
  }),
  OrderPaymentReversed: ({ orderId }) => ({
    code: "not_cancellable",
    message: `The payment of order ${orderId} was refunded or is disputed, so that its links are not cancelled here. Nothing was changed.`,
    suggestion: "Write to the support contact: the operator knows what is still to be given back.",
    details: { order_id: orderId, who_can: "operator" }
  }),
  OrderNotFound: ({ orderId }, by) => ({
    code: "order_not_found",
    message: `There is no order ${safeExcerpt(orderId)} in this account and mode.`,
    suggestion: `List your orders with GET /api/v1/agent/orders. Sandbox ${credentialNouns(by).noun}s see only sandbox orders, live ${credentialNouns(by).noun}s only live ones. What is not paid for yet is no order: read its quote with GET /api/v1/agent/quotes/{id}.`
  }),
  PaymentUnderWay: ({ quoteId }) => ({
    code: "not_cancellable",
    message: `Quote ${quoteId} cannot be abandoned: its bank debit is under way and cannot be stopped.`,
    suggestion: `Tell your user. The debit takes some days: GET /api/v1/agent/quotes/${quoteId} says payment_pending until then. If the money comes, the order is placed, and its links can still be cancelled, by an owner in the member area or by the operator; if it does not, the quote can be paid in another way or expires, and nothing is charged.`,
    details: { quote_id: quoteId }
  }),
  PriceAboveLimit: ({ totalCents, limitCents }) => ({
    code: "price_above_limit",
    message: `The total is ${plainEur(totalCents)}, above your max_total_eur of ${plainEur(limitCents)}. Nothing was written.`,
    param: "max_total_eur",
    suggestion:
      "Order fewer or cheaper links, or ask your user whether the higher total is all right and raise max_total_eur.",
    details: { total_eur: eurOfCents(totalCents), max_total_eur: eurOfCents(limitCents) }
  }),
  PromoCodeInvalid: ({ code, reason, minimumCents, reservedBy }) => ({
    code: "promo_code_invalid",
    message: `The promo code ${safeExcerpt(code)} ${reservedBy === undefined ? PROMO_FAULTS[reason] : `is reserved by your open quote ${reservedBy}`}. Nothing was written.`,
    param: "promo_code",
    suggestion:
      reservedBy !== undefined
        ? `Tell your user: the code is free again once quote ${reservedBy} is abandoned or expires, and spent once it is paid. Or send the order without promo_code.`
        : minimumCents === undefined
          ? "Tell your user, and send the order without promo_code or with another one."
          : `Tell your user. The code needs a total of at least ${plainEur(minimumCents)}: order more, or leave promo_code out.`,
    details: {
      reason,
      ...(minimumCents === undefined ? {} : { minimum_cents: minimumCents }),
      ...(reservedBy === undefined ? {} : { reserved_by: reservedBy })
    }
  }),
  QuoteOfAnother: ({ quoteId }) => ({
    code: "not_cancellable",
    message: `Quote ${quoteId} was made by another key or connection of this account. Nothing was changed.`,
    suggestion:
      "Tell your user, who can give it up on its payment or approval page or withdraw it in the member area, or let the agent that ordered it do so. It expires by itself at its expires_at.",
    details: { quote_id: quoteId }
  }),
  QuoteNotFound: ({ quoteId, soughtBy }, by) => ({
    code: "quote_not_found",
    // A search by idempotency key has no quote id.
    message: `There is no ${quoteId === "" ? "such quote" : `quote ${safeExcerpt(quoteId)}`} in this account and mode.`,
    ...(soughtBy === undefined ? {} : { details: { order_again: soughtBy } }),
    suggestion:
      soughtBy !== undefined
        ? UNDER_NO_KEY[soughtBy]
        : `Use the quote_id that POST /api/v1/agent/orders answered. Sandbox ${credentialNouns(by).noun}s see only sandbox quotes, live ${credentialNouns(by).noun}s only live ones; /api/v1/agent/sandbox/… serves sandbox ${credentialNouns(by).noun}s alone.`
  }),
  QuoteNotOpen: ({ quoteId, status }) => ({
    code: "quote_not_open",
    message:
      status === "awaiting_approval"
        ? `Quote ${quoteId} waits for approval.`
        : `Quote ${quoteId} is ${status} already.`,
    suggestion:
      status === "awaiting_approval" || status === "awaiting_payment"
        ? `Read GET /api/v1/agent/quotes/${quoteId} for what it waits for, and tell your user.`
        : status === "paid"
          ? `Read GET /api/v1/agent/quotes/${quoteId} for its order_id. If your user has thought better of it: what prepaid credit alone has paid for and is still \`to_assign\`, POST /api/v1/agent/orders/{id}/cancel cancels; an owner cancels whatever is \`to_assign\` in the member area, and the operator can cancel whatever is not online yet. The price comes back as prepaid credit.`
          : `Read GET /api/v1/agent/quotes/${quoteId} for what became of it; to buy after all, place a new order with a new Idempotency-Key, because the old one stays with this quote.`,
    details: { quote_id: quoteId, status }
  }),
  SpendPolicyRefused: ({ rule, limitCents, wouldBeCents, owedCents, host, allowedDomains, path }, by) => ({
    code: "spend_policy_refused",
    ...paramOf(path),
    message:
      rule === "agents_stopped"
        ? "Your user has stopped all agents of this account: no key and no connection may order or add webhooks until they let them order again. Cancelling, abandoning and deleting still work."
        : rule === "paused"
          ? `Your user has paused this ${credentialNouns(by).noun}: it may not order, change links or add webhooks until they resume it. Reading, cancelling, abandoning and deleting still work, and its webhooks go on.`
          : rule === "credit_owed"
            ? `The account owes ${plainEur(owedCents ?? 0)}: a top-up was refunded or disputed after it was spent. Until that is settled, no order is paid from its credit.`
            : rule === "approve_above_cents"
              ? `Your user approves orders of this ${credentialNouns(by).noun}, so that it does not change the host of a target: ${safeExcerpt(host ?? "this host")} is another one.`
              : rule === "allowed_domains"
                ? `Your user does not let this ${credentialNouns(by).noun} order links to ${safeExcerpt(host ?? "this host")}.`
                : `Your user lets this ${credentialNouns(by).noun} spend ${plainEur(limitCents ?? 0)} ${rule === "max_day_cents" ? "a day" : "an order"}; this order would make it ${plainEur(wouldBeCents ?? 0)}.`,
    suggestion:
      rule === "credit_owed"
        ? `Nothing was written. Tell your user to top up ${plainEur(topUpFor(owedCents ?? 0))}: the next credit settles what is owed. Then send the same request again. GET /api/v1/agent/balance shows what is still owed as \`owed_cents\`.`
        : rule === "paused"
          ? "Do not work around it, such as by another key: ask your user to resume this one, where they paused it. Then send the same request again. Nothing was written."
          : "Do not work around this limit: ask your user, who set it, to change it or the order. Nothing was written.",
    details: {
      rule,
      ...(owedCents === undefined ? {} : { owed_cents: owedCents }),
      ...(limitCents === undefined ? {} : { limit_cents: limitCents }),
      ...(wouldBeCents === undefined ? {} : { would_be_cents: wouldBeCents }),
      ...(allowedDomains === undefined ? {} : { allowed_domains: allowedDomains })
    }
  }),
  TooManyReservations: ({ promoCode, limit, reserved, requested, open, untilFirstPayment = false }) => ({
    code: "too_many_reservations",
    ...(promoCode === null ? {} : { param: "promo_code" }),
    message:
      promoCode === null
        ? `The unpaid quotes of this account reserve ${reserved} of at most ${limit} insertion articles; this order would reserve ${requested} more. Nothing was written.`
        : `The unpaid quotes of this account reserve ${reserved} of at most ${limit} uses of the promo code ${safeExcerpt(promoCode)}. Nothing was written.`,
    suggestion: `${open.length === 0 ? "" : "Ask your user to pay the quotes in `details.open`, or abandon those of your own that are not wanted any more with POST /api/v1/agent/quotes/{id}/abandon, then send the order again. "}${promoCode === null ? "Or order fewer insertions" : "Or leave promo_code out"}. An order that prepaid credit covers reserves nothing.${untilFirstPayment ? " The account has not paid yet: its first payment, by card or as a top-up, lifts this limit." : ""}`,
    details: {
      limit,
      reserved,
      requested,
      ...(untilFirstPayment ? { until_first_payment: true } : {}),
      open: open.map(({ quoteId, expiresAtMs, articleIds }) => ({
        quote_id: quoteId,
        expires_at: timestamp(expiresAtMs),
        ...(promoCode === null ? { article_ids: articleIds } : { promo_code: safeExcerpt(promoCode) })
      }))
    }
  })
} satisfies RefusalTexts
