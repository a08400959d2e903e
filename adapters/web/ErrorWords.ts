// Why something was not done, for people: what happened, and what they can do. The refusals of the member area are written for people
// already; the others speak to programs over the API, and have words here.
import { policyOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { memberRefusals } from "#adapters/contract/errors/MemberErrors.ts"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { PromoFault } from "#core/domain/pricing/PriceRefusal.ts"
import type { UrlFault } from "#core/domain/shared/PublicAddress.ts"
import { topUpFor } from "#core/domain/wallet/TopUp.ts"
import { afterLabel, faultWords } from "./form/FaultWords.ts"

export interface Words {
  readonly says: string
  readonly next?: string
}

type Wording = { readonly [Tag in Failure["_tag"]]?: (failure: Extract<Failure, { readonly _tag: Tag }>) => Words }

const PROMO_FAULTS: Readonly<Record<PromoFault, string>> = {
  unknown: "does not exist",
  not_started: "is not valid yet",
  expired: "has expired",
  exhausted: "has been used up",
  already_used: "was already used by your account",
  minimum_not_met: "needs a higher total"
}

const URL_FAULTS: Readonly<Record<UrlFault, string>> = {
  not_https: "It must begin with https://.",
  has_credentials: "It must not contain a user name or password.",
  port_not_allowed: "Its port must be 443 or 8443.",
  loopback: "It points at the machine itself.",
  private_address: "It does not point at the public internet.",
  unresolvable: "Its host could not be found.",
  redirects: "It redirects to another address.",
  unreachable: "Nothing answered there."
}

const LINK_KEPT: Readonly<Record<string, string>> = {
  another: "Another agent of your account ordered it.",
  human: "It was ordered, paid for or approved by a person.",
  changed_often: "It was changed as often as it can be.",
  welcome_offer: "Its order used the welcome offer, which was for this domain alone."
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600

/** "in 40 seconds", "in 5 minutes", "in 3 hours". */
export const waitText = (seconds: number): string => {
  if (seconds <= 2 * MINUTE_SECONDS) return `in ${counted(Math.max(1, Math.ceil(seconds)), "second")}`
  return seconds <= 2 * HOUR_SECONDS
    ? `in ${Math.ceil(seconds / MINUTE_SECONDS)} minutes`
    : `in ${Math.ceil(seconds / HOUR_SECONDS)} hours`
}

const ordering: Wording = {
  QuoteNotFound: () => ({ says: "Your account has no such order." }),
  OrderNotFound: () => ({ says: "Your account has no such order." }),
  LinkNotFound: () => ({ says: "This order has no such link." }),
  LinkNotOfOrder: () => ({ says: "This order has no such link, and nothing was cancelled." }),
  InvoiceNotFound: () => ({
    says: "Your account has no such document.",
    next: "An invoice is ready within a minute of its order."
  }),
  ProjectNotFound: () => ({ says: "Your account has no such project." }),
  QuoteNotOpen: ({ status }) => ({
    says:
      status === "paid"
        ? "This order was paid before, and nothing was changed now."
        : "This order is not open any more. Nothing was changed."
  }),
  QuoteOfAnother: () => ({ says: "Another agent asked for this order. Nothing was changed." }),
  PaymentUnderWay: () => ({
    says: "A payment for this is under way and cannot be stopped; nothing was changed.",
    next: "It takes some days: once the order is placed, you can still cancel its links."
  }),
  PaymentMismatch: () => ({ says: "This payment does not match what is to be paid. Nothing was booked." }),
  PaymentsAreReal: () => ({ says: "Payments are real here and cannot be simulated. Nothing was charged." }),
  LinkNotChangeable: ({ reason }) => ({
    says: `Nothing was changed, because this link stays as it is. ${LINK_KEPT[reason] ?? ""}`.trim()
  }),
  LinkTextChanged: () => ({
    says: "This link was changed since you opened this page, and your change was not made.",
    next: "Check what it is now, and send it again."
  }),
  LinksNotCancellable: ({ links }) => ({
    says: `Work on ${counted(links.length, "link")} has begun, and nothing was cancelled.`,
    next: "Ask the operator to cancel what is not online yet."
  }),
  OrderNotCancellable: () => ({
    says: "This order cannot be cancelled here, and nothing was changed.",
    next: "Ask the operator to cancel what is not online yet."
  }),
  OrderPaymentReversed: () => ({
    says: "Nothing was cancelled: the payment of this order was refunded or is disputed.",
    next: "Ask the operator what is still to be given back."
  }),
  InvalidTransition: () => ({
    says: "This has gone too far to be changed, and nothing was changed.",
    next: "Load the page again to see where it stands."
  }),
  DailyCapReached: ({ limit }) => ({
    says: `Nothing was ordered: this agent has placed its ${counted(limit, "order")} for today.`,
    next: "It can order again after 00:00 UTC."
  }),
  IdempotencyKeyReused: () => ({
    says: "This form was sent before with other contents, and nothing was ordered now.",
    next: "Load the page again to see what became of the first one."
  }),
  CallKeyReused: () => ({
    says: "This form was sent before with other contents, and nothing was changed now.",
    next: "Load the page again to see what became of the first one."
  })
}

const buying: Wording = {
  SiteNotFound: () => ({ says: "This site is not in the Shop any more.", next: "Choose another one in the Shop." }),
  SiteUnavailable: () => ({
    says: "Nothing was ordered: this site takes no orders at the moment.",
    next: "Choose another one in the Shop."
  }),
  ArticleUnavailable: () => ({
    says: "This article was sold, or another unpaid order reserves it.",
    next: "Choose another one, or a new article."
  }),
  ArticleSiteMismatch: () => ({
    says: "This article is on another site.",
    next: "Choose another one, or a new article."
  }),
  PriceAboveLimit: ({ totalCents, limitCents }) => ({
    says: `The price has changed since you opened this page: it is ${formatEur(totalCents)} now, and was ${formatEur(limitCents)}.`,
    next: "Nothing was ordered: check the price, and order again if it suits you."
  }),
  AmountBelowMinimum: ({ minimumCents }) => ({
    says: `Nothing was ordered: less than ${formatEur(minimumCents)}, the least that a card pays, would be left to pay by card.`,
    next: "Add a link, or top up your credit."
  }),
  AmountAboveMaximum: ({ maximumCents }) => ({
    says: `Nothing was ordered: more than ${formatEur(maximumCents)}, the most that a card pays, would be left to pay by card.`,
    next: "Order in several parts, or top up your credit."
  }),
  CartInvalid: () => ({ says: "This cannot be ordered as it is. Nothing was ordered." }),
  PromoCodeInvalid: ({ code, reason, minimumCents }) => ({
    says: `The code ${code.slice(0, 40)} ${PROMO_FAULTS[reason]}, and nothing was ordered.`,
    next:
      minimumCents === undefined
        ? "Remove it, or enter another one."
        : `It needs a total of at least ${formatEur(minimumCents)}: add links, or remove it.`
  }),
  TooManyReservations: ({ promoCode, limit, reserved }) => ({
    says: `Nothing was ordered: your unpaid orders already reserve ${reserved} of at most ${promoCode === null ? counted(limit, "article") : counted(limit, "use of this code", "uses of this code")}.`,
    next: `Pay or withdraw one of them first, or ${promoCode === null ? "order new articles" : "remove the code"}.`
  }),
  SpendPolicyRefused: ({ rule, owedCents = 0 }) =>
    rule === "credit_owed"
      ? {
          says: `Nothing was ordered: you owe ${formatEur(owedCents)} of a top-up that was refunded or disputed.`,
          next: `Top up ${formatEur(topUpFor(owedCents))}, and your credit pays for orders again.`
        }
      : { says: "Nothing was ordered: the limits of this agent do not allow it.", next: "Change its limits first." },
  KeyLimitReached: ({ limit }) => ({
    says: `No key was created: your account has ${counted(limit, "active key")} already.`,
    next: "Revoke one that is no longer needed."
  }),
  KeyNotFound: () => ({ says: "Your account has no such key or connection." }),
  EmailTaken: () => ({
    says: "This e-mail address cannot be used, and nothing was changed.",
    next: "Enter another one."
  }),
  WebhookNotFound: () => ({ says: "Your account has no such webhook." }),
  DeliveryNotFound: () => ({ says: "This webhook has no such delivery." }),
  WebhookLimitReached: ({ limit }) => ({
    says: `No webhook was added: your account has ${counted(limit, "active webhook")} already.`,
    next: "Remove one that is no longer needed."
  }),
  WebhookUrlRefused: ({ reason }) => ({
    says: `Nothing was changed, because this address cannot be used. ${URL_FAULTS[reason]}`
  }),
  WebhookTestLimitReached: ({ limit, retryAfterSeconds }) => ({
    says: `Nothing was sent: this webhook got ${counted(limit, "test")} within 24 hours.`,
    next: `Try again ${waitText(retryAfterSeconds)}.`
  }),
  RedeliveryLimitReached: ({ limit, retryAfterSeconds }) => ({
    says: `Nothing was sent: deliveries of this webhook were sent again ${counted(limit, "time")} within 24 hours.`,
    next: `Deliveries that are waiting are sent without you; you can send again ${waitText(retryAfterSeconds)}.`
  })
}

const service: Wording = {
  ProcessorUnavailable: () => ({
    says: "The payment provider is not answering, and nothing was charged.",
    next: "Try again in a minute."
  }),
  StoreUnavailable: () => ({ says: "The service is very busy right now.", next: "Try again in a minute." }),
  SchemaTooNew: () => ({ says: "The service is being updated.", next: "Try again in a minute." }),
  InternalError: () => ({
    says: "This is our fault, not yours, and it was recorded.",
    next: "Try again in a minute."
  }),
  RateLimited: ({ retryAfterSeconds }) => ({
    says: "Too many requests came at once, and nothing was changed.",
    next: `Try again ${waitText(retryAfterSeconds)}.`
  }),
  ValidationFailed: ({ errors }) => ({
    says:
      errors.length === 1
        ? "Nothing was changed: a part of what was sent cannot be read."
        : `Nothing was changed: ${errors.length} parts of what was sent cannot be read.`
  })
}

const WORDS: Wording = { ...ordering, ...buying, ...service }

/** An entry takes only failures with its tag, which the type of a look-up does not say. */
const entryOf = ({ _tag }: Failure) => WORDS[_tag] as ((failure: Failure) => Words) | undefined

/** What people are told of a failure that no page is made for. */
const plain = (failure: Failure): Words =>
  policyOf(errorTextOf(failure).code).status < 500
    ? { says: "This cannot be done, and nothing was changed." }
    : { says: "The service is very busy right now.", next: "Try again in a minute." }

export const wordsOf = (failure: Failure): Words => {
  if (failure._tag in memberRefusals) {
    const { message, suggestion } = errorTextOf(failure)
    return { says: message, ...(suggestion === undefined ? {} : { next: suggestion }) }
  }
  return entryOf(failure)?.(failure) ?? plain(failure)
}

/** `items[0].site_id` is "Link 1, site id". */
const fieldName = (path: string): string => {
  const said = path.replace(/^items\[(\d+)\]\.?/, (_, index) => `Link ${Number(index) + 1}, `).replaceAll("_", " ")
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`
}

/** What is wrong with each field. */
export const fieldWords = (failure: Failure): ReadonlyArray<string> =>
  (errorTextOf(failure).errors ?? []).map(
    ({ path, message }) => `${fieldName(path)}${afterLabel(faultWords(message, ""))}`
  )
