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

const ordering: Wording = {
  QuoteNotFound: () => ({ says: "Your account has no such order." }),
  OrderNotFound: () => ({ says: "Your account has no such order.", next: "Look for it under Orders." }),
  LinkNotFound: () => ({ says: "This order has no such link." }),
  LinkNotOfOrder: () => ({ says: "This order has no such link. Nothing was cancelled." }),
  InvoiceNotFound: () => ({
    says: "Your account has no such document.",
    next: "An invoice is there within a minute of its order: look under Invoices."
  }),
  ProjectNotFound: () => ({ says: "Your account has no such project." }),
  QuoteNotOpen: ({ status }) => ({
    says: status === "paid" ? "This was paid for already." : "This order is not open any more. Nothing was changed."
  }),
  QuoteOfAnother: () => ({ says: "Another agent asked for this order. Nothing was changed." }),
  PaymentUnderWay: () => ({
    says: "A payment for this is under way and cannot be stopped. Nothing was done.",
    next: "It takes some days. Once the order is placed, you can still cancel its links."
  }),
  PaymentMismatch: () => ({ says: "The payment does not match what is to be paid. Nothing was booked." }),
  PaymentsAreReal: () => ({ says: "Payments are real here and cannot be simulated. Nothing was done." }),
  LinkNotChangeable: ({ reason }) => ({ says: `This link cannot be changed. ${LINK_KEPT[reason] ?? ""}` }),
  LinkTextChanged: () => ({ says: "This link was changed meanwhile. Nothing was done.", next: "Look at it again." }),
  LinksNotCancellable: ({ links }) => ({
    says: `Work has begun on ${counted(links.length, "link")}. Nothing was cancelled.`,
    next: "Ask the operator to cancel what is not online yet."
  }),
  OrderNotCancellable: () => ({
    says: "This order cannot be cancelled here. Nothing was cancelled.",
    next: "Ask the operator to cancel what is not online yet."
  }),
  OrderPaymentReversed: () => ({
    says: "The payment of this order was refunded or is disputed, so it cannot be cancelled here.",
    next: "Ask the operator, who knows what is still to be given back."
  }),
  InvalidTransition: () => ({
    says: "This is too far along to be changed. Nothing was done.",
    next: "Load the page again."
  }),
  DailyCapReached: ({ limit }) => ({
    says: `This agent has placed its ${limit} orders for today. Nothing was ordered.`,
    next: "It can order again after 00:00 UTC."
  }),
  IdempotencyKeyReused: () => ({
    says: "This form was sent before, with something else in it. Nothing was done now.",
    next: "Load the page again, and look at what became of the first one."
  }),
  CallKeyReused: () => ({
    says: "This form was sent before, with something else in it. Nothing was done now.",
    next: "Load the page again."
  })
}

const buying: Wording = {
  SiteNotFound: () => ({ says: "This site does not exist any more.", next: "Choose another one in the Shop." }),
  SiteUnavailable: () => ({
    says: "This site takes no orders at the moment. Nothing was ordered.",
    next: "Choose another one in the Shop."
  }),
  ArticleUnavailable: () => ({
    says: "This article was sold, or another unpaid order reserves it.",
    next: "Choose another one, or a new article."
  }),
  ArticleSiteMismatch: () => ({
    says: "This article does not belong to the site.",
    next: "Choose another one, or a new article."
  }),
  PriceAboveLimit: ({ totalCents, limitCents }) => ({
    says: `The price has changed since you looked: it is ${formatEur(totalCents)} now, and was ${formatEur(limitCents)}. Nothing was ordered.`,
    next: "Look at it again."
  }),
  AmountBelowMinimum: ({ minimumCents }) => ({
    says: `What is left to pay by card is less than ${formatEur(minimumCents)}, the least that can be paid so. Nothing was ordered.`,
    next: "Add a link, or top up your credit."
  }),
  AmountAboveMaximum: ({ maximumCents }) => ({
    says: `What is left to pay by card is more than ${formatEur(maximumCents)}, the most that can be paid so. Nothing was ordered.`,
    next: "Order in several parts, or top up your credit."
  }),
  CartInvalid: () => ({ says: "This cannot be ordered as it is. Nothing was ordered." }),
  PromoCodeInvalid: ({ code, reason, minimumCents }) => ({
    says: `The code ${code.slice(0, 40)} ${PROMO_FAULTS[reason]}. Nothing was ordered.`,
    next:
      minimumCents === undefined
        ? "Remove it, or enter another one."
        : `It needs a total of at least ${formatEur(minimumCents)}: add links, or remove it.`
  }),
  TooManyReservations: ({ promoCode, limit, reserved }) => ({
    says: `Your unpaid orders already reserve ${reserved} of at most ${promoCode === null ? counted(limit, "article") : counted(limit, "use of this code", "uses of this code")}. Nothing was ordered.`,
    next: `Pay or withdraw one of them first, or ${promoCode === null ? "order new articles" : "remove the code"}.`
  }),
  SpendPolicyRefused: ({ rule, owedCents = 0 }) =>
    rule === "credit_owed"
      ? {
          says: `You owe ${formatEur(owedCents)} of a top-up that was refunded or disputed. Until you top up ${formatEur(topUpFor(owedCents))}, no order is paid from your credit. Nothing was ordered.`
        }
      : { says: "The limits of this agent do not allow it. Nothing was ordered.", next: "Change its limits first." },
  KeyLimitReached: ({ limit }) => ({
    says: `Your account has ${counted(limit, "active key")} already. Nothing was made.`,
    next: "Revoke one that is no longer needed."
  }),
  KeyNotFound: () => ({ says: "Your account has no such key or connection." }),
  EmailTaken: () => ({ says: "This address cannot be used. Nothing was done.", next: "Take another address." }),
  WebhookNotFound: () => ({ says: "Your account has no such webhook." }),
  DeliveryNotFound: () => ({ says: "This webhook has no such delivery." }),
  WebhookLimitReached: ({ limit }) => ({
    says: `Your account has ${counted(limit, "active webhook")} already.`,
    next: "End one that is no longer needed."
  }),
  WebhookUrlRefused: ({ reason }) => ({
    says: `This address cannot be used. ${URL_FAULTS[reason]} Nothing was changed.`
  }),
  WebhookTestLimitReached: ({ limit }) => ({
    says: `This webhook was sent ${counted(limit, "test")} within 24 hours.`,
    next: "Try again tomorrow."
  }),
  RedeliveryLimitReached: ({ limit }) => ({
    says: `Deliveries of this webhook were sent again ${counted(limit, "time")} within 24 hours.`,
    next: "What is waiting is sent by itself."
  })
}

const service: Wording = {
  ProcessorUnavailable: () => ({
    says: "The payment provider is not answering. Nothing was charged.",
    next: "Try again in a minute."
  }),
  StoreUnavailable: () => ({ says: "The service is busy.", next: "Try again in a minute." }),
  SchemaTooNew: () => ({ says: "The service is being updated.", next: "Try again in a minute." }),
  InternalError: () => ({ says: "This is our fault, not yours.", next: "Try again in a minute." }),
  RateLimited: () => ({ says: "That was too often.", next: "Try again in a minute." }),
  ValidationFailed: ({ errors }) => ({
    says:
      errors.length === 1
        ? "Something in the address or form is not as it should be."
        : "Some things are not as they should be."
  })
}

const WORDS: Wording = { ...ordering, ...buying, ...service }

/** An entry takes only failures with its tag, which the type of a look-up does not say. */
const entryOf = ({ _tag }: Failure) => WORDS[_tag] as ((failure: Failure) => Words) | undefined

/** What people are told of a failure that no page is made for. */
const plain = (failure: Failure): Words =>
  policyOf(errorTextOf(failure).code).status < 500
    ? { says: "This cannot be done. Nothing was changed." }
    : { says: "The service is busy.", next: "Try again in a minute." }

export const wordsOf = (failure: Failure): Words => {
  if (failure._tag in memberRefusals) {
    const { message, suggestion } = errorTextOf(failure)
    return { says: message, ...(suggestion === undefined ? {} : { next: suggestion }) }
  }
  return entryOf(failure)?.(failure) ?? plain(failure)
}

/** `items[0].site_id` is "Item 1, site id". */
const fieldName = (path: string): string =>
  path.replace(/^items\[(\d+)\]\.?/, (_, index) => `Item ${Number(index) + 1}, `).replaceAll("_", " ")

/** What is wrong with each field. */
export const fieldWords = (failure: Failure): ReadonlyArray<string> =>
  (errorTextOf(failure).errors ?? []).map(({ path, message }) => `${fieldName(path)}: ${message}`)
