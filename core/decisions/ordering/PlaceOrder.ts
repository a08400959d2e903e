// Makes a quote from an order request, and at once the order if credit covers it. Replays of an idempotency key come first.
import { Result } from "effect"
import { KeyNotFound, RevokedApiKey } from "#core/domain/access/AccessRefusal.ts"
import { type ApiKey, type Caller, checkEnd } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import { checkOwed, checkSpend, checkStopped } from "#core/domain/access/SpendPolicy.ts"
import type { Account } from "#core/domain/members/Account.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { checkCap, nearLimit } from "#core/domain/ordering/DailyCap.ts"
import { boundScopeOf, type StoredResponse } from "#core/domain/ordering/Idempotency.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { cartWarnings, similarRecentOrder, siteAlreadyLinks, type Warning } from "#core/domain/ordering/Warning.ts"
import { cartFaults, linkTarget, type OrderRequest } from "#core/domain/pricing/Cart.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { type Split, splitPayment } from "#core/domain/pricing/PaymentSplit.ts"
import {
  AmountAboveMaximum,
  AmountBelowMinimum,
  CartInvalid,
  CreditTooLow,
  PriceAboveLimit
} from "#core/domain/pricing/PriceRefusal.ts"
import { welcomeDomainsOf } from "#core/domain/pricing/WelcomeUse.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { type DecisionContext, type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import type { Placement } from "#core/domain/webhooks/Rendering.ts"
import { type Books, dailyUsageOf, find, linkedId } from "../Books.ts"
import { audit, type Decide, type Decided, Draft, unchanged } from "../Draft.ts"
import { type PricedCart, priceCart } from "../pricing/PriceCart.ts"
import { type ResultGenerator, resultFn } from "../ResultFn.ts"
import { raiseQuoteEvent } from "../webhooks/RaiseEvent.ts"
import { judgeOrder, type Verdict } from "./LookAlikes.ts"
import { couldSweepHelp, type Preparation, type Unprepared, unprepared } from "./Preparations.ts"
import { type BoundRequest, judgeRepeat, type RepeatedReply } from "./RepeatedOrder.ts"
import { checkReservations, placeHold, reserve, reserveWelcome } from "./Reservations.ts"
import { type FulfilmentRules, settleQuote } from "./SettleQuote.ts"

export interface PlaceOrder extends FulfilmentRules {
  readonly caller: Caller
  readonly request: OrderRequest
  /** SHA-256 of the canonical items. */
  readonly itemsDigest: string
  /** A recent quote of the key for the same items, where the order has no idempotency key. */
  readonly lookAlike: QuoteId | null
  readonly idempotency: BoundRequest | null
  /** The URL of the service's own payment page, which takes sandbox payments. */
  readonly sandboxPage: (paymentToken: string) => string
}

export type PlaceOrderReply =
  /** `response` is the one stored for the idempotency key, unless the payment link is still missing. */
  { readonly kind: "placed"; readonly placement: Placement; readonly response: StoredResponse | null } | RepeatedReply

const findCaller = resultFn(function* (
  books: Books,
  { keyId, accountId }: Caller,
  nowMs: Millis
): ResultGenerator<{ key: ApiKey; account: Account }, Refusal> {
  const key = yield* Result.fromNullishOr(find(books.keys, keyId), () => new KeyNotFound({ keyId }))
  const account = yield* Result.fromNullishOr(find(books.accounts, accountId), () => new AccountNotFound({ accountId }))
  if (account.closedAtMs !== undefined) return yield* Result.fail(new RevokedApiKey())
  yield* checkEnd(key, nowMs)
  return { key, account }
})

const spendableCents = (account: Account, { caller, request }: PlaceOrder): Cents =>
  caller.mode === "sandbox" && request.sandboxCreditCents !== undefined
    ? request.sandboxCreditCents
    : availableCents(account.wallet)

/** Checks spend policy and price guard, and splits the total between credit and card. `spentCents`: by the key on this day. */
const checkSpendAndSplit = resultFn(function* (
  spentCents: Cents,
  { key, account }: { readonly key: ApiKey; readonly account: Account },
  cart: PricedCart,
  input: PlaceOrder
): ResultGenerator<Split, Refusal> {
  const { request, settings } = input
  const { totalCents } = cart.price
  yield* checkSpend(key.limits, request.items, totalCents, spentCents)
  if (request.maxTotalCents !== undefined && totalCents > request.maxTotalCents) {
    return yield* Result.fail(new PriceAboveLimit({ totalCents, limitCents: request.maxTotalCents }))
  }
  const available = spendableCents(account, input)
  if (request.creditOnly && totalCents > available)
    return yield* Result.fail(new CreditTooLow({ totalCents, availableCents: available }))
  const split = yield* splitPayment(totalCents, available, settings.cardMinimumCents).pipe(
    Result.mapError(
      ({ minimumCents }) => new AmountBelowMinimum({ totalCents, availableCents: available, minimumCents })
    )
  )
  yield* checkOwed(account, { mode: input.caller.mode, ...split })
  const { cardMaximumCents: maximumCents } = settings
  if (split.cardCents > maximumCents) {
    return yield* Result.fail(new AmountAboveMaximum({ totalCents, availableCents: available, maximumCents }))
  }
  return split
})

/** For most orders there is no link yet, so that no URL is parsed. */
const linkWarnings = ({ linked }: Books, { caller, request }: PlaceOrder): ReadonlyArray<Warning> =>
  linked.size === 0
    ? []
    : request.items.filter((item) => linked.has(linkedId(caller.accountId, linkTarget(item)))).map(siteAlreadyLinks)

const warningsFor = (books: Books, input: PlaceOrder, lookAlike: QuoteId | null): ReadonlyArray<Warning> => [
  ...(lookAlike === null ? [] : [similarRecentOrder(lookAlike, input.idempotency !== null)]),
  ...cartWarnings(input.request.items),
  ...linkWarnings(books, input)
]

const makeQuote = (
  draft: Draft,
  input: PlaceOrder,
  cart: PricedCart,
  split: Split,
  { held, lookAlike }: Verdict
): Quote => {
  const { caller, settings, idempotency, request } = input
  const { context } = draft
  const { accountId, keyId, mode, memberId } = caller
  const { grossCents, discount, totalCents } = cart.price
  const paymentUrl = mode === "sandbox" && split.cardCents > 0 && !held ? input.sandboxPage(context.secret) : null
  return {
    quoteId: draft.nextId("q_", mode),
    accountId,
    keyId,
    ...(memberId === undefined ? {} : { memberId }),
    mode,
    lines: cart.lines,
    itemsDigest: input.itemsDigest,
    grossCents,
    discount,
    totalCents,
    creditCents: split.creditCents,
    cardCents: split.cardCents,
    holdId: mode === "live" && split.creditCents > 0 && (held || split.cardCents > 0) ? draft.nextId("hld_") : null,
    warnings: warningsFor(draft.books, input, lookAlike),
    status: held ? "awaiting_approval" : "awaiting_payment",
    abandonedBy: null,
    orderId: null,
    creditedCents: 0,
    idempotencyKey: request.dryRun ? null : (idempotency?.key ?? null),
    paymentToken: context.secret,
    paymentUrl,
    sessionId: null,
    createdAtMs: context.nowMs,
    expiresAtMs: context.nowMs + settings.quoteTtlMs,
    paymentPendingAtMs: null,
    endedSessionId: null,
    approvedBy: null,
    approvedAtMs: null,
    declinedReason: null,
    reference: request.reference ?? null
  }
}

/** Binds the idempotency key, and stores the response unless it still needs an approval or a payment link. */
const bindIdempotencyKey = (draft: Draft, input: PlaceOrder, placement: Placement): StoredResponse | null => {
  if (input.idempotency === null) return null
  const { key: idempotencyKey, fingerprint } = input.idempotency
  const { quoteId, keyId, accountId, cardCents, mode } = placement.quote
  const final = !awaitsApproval(placement.quote) && (cardCents === 0 || mode === "sandbox")
  const response = final ? input.render.response(placement) : null
  const boundScope = boundScopeOf(keyId, idempotencyKey)
  const bound = { keyId, accountId, mode, boundScope, idempotencyKey, fingerprint, quoteId, response }
  draft.record({ _tag: "KeyBound", binding: { ...bound, boundAtMs: draft.context.nowMs } })
  return response
}

/** Owners are told by mail, which the record asks for. The sandbox spends nothing. */
const noteNearLimit = (draft: Draft, { keyId, accountId, label, limits, mode }: ApiKey, defaultCap: number): void => {
  const { nowMs: atMs } = draft.context
  const day = utcDay(atMs)
  const usage = dailyUsageOf(draft.books, keyId, day)
  const { maxDayCents, dailyOrderCap } = limits
  const near = nearLimit(usage, { maxDayCents, dailyOrderCap: dailyOrderCap ?? defaultCap })
  if (near === null || usage.nearLimitAtMs !== undefined || mode === "sandbox") return
  draft.record({ _tag: "NearLimitTold", keyId, day, atMs })
  const action = `${credentialKind(keyId)}.near_limit`
  audit(draft, keyId, { action, subject: keyId, accountId, details: { label, ...near } })
}

const recordQuote = (draft: Draft, input: PlaceOrder, quote: Quote, key: ApiKey) => {
  const day = utcDay(draft.context.nowMs)
  draft.record({ _tag: "QuoteOpened", quote })
  draft.record({ _tag: "DailyOrderCounted", keyId: quote.keyId, day })
  draft.record({ _tag: "DailySpendChanged", keyId: quote.keyId, day, cents: quote.totalCents })
  noteNearLimit(draft, key, input.settings.dailyOrderCap)
  placeHold(draft, quote)
  const taken = welcomeDomainsOf(input.request)
  const isPaid = quote.cardCents === 0 && !awaitsApproval(quote)
  if (isPaid && quote.mode === "live") reserveWelcome(draft, quote, taken)
  const placement = isPaid
    ? { ...settleQuote(draft, quote, input), dryRun: false }
    : { quote, order: null, links: [], dryRun: false }
  if (placement.order === null && quote.mode === "live") reserve(draft, quote, taken)
  if (awaitsApproval(quote)) raiseQuoteEvent(draft, input.render, "quote.approval_requested", { quote })
  return { placement, response: bindIdempotencyKey(draft, input, placement) }
}

const place = resultFn(function* (
  input: PlaceOrder,
  books: Books,
  context: DecisionContext
): ResultGenerator<Decided<PlaceOrderReply>, Refusal> {
  const { request, settings, caller } = input
  const { key, account } = yield* findCaller(books, caller, context.nowMs)
  const [fault, ...faults] = cartFaults(request, caller.mode)
  if (fault !== undefined) return yield* Result.fail(new CartInvalid({ faults: [fault, ...faults] }))
  if (input.idempotency !== null && !request.dryRun) {
    const repeated = yield* judgeRepeat(books, caller, input.idempotency)
    if (repeated !== null) return unchanged(repeated)
  }
  yield* checkStopped(account, key)
  const usage = dailyUsageOf(books, key.keyId, utcDay(context.nowMs))
  // Dry runs do not count: a price can be requested at any time.
  if (!request.dryRun) yield* checkCap(usage, key.limits.dailyOrderCap ?? settings.dailyOrderCap, context.nowMs)
  const cart = yield* priceCart(books, context, { account, mode: caller.mode, request, settings })
  const split = yield* checkSpendAndSplit(usage.spentCents, { key, account }, cart, input)
  const draft = new Draft(books, context)
  const facts = { totalCents: cart.price.totalCents, nowMs: context.nowMs }
  const quote = makeQuote(draft, input, cart, split, judgeOrder(books, key, input, facts))
  yield* checkReservations(books, quote, context.nowMs, settings)
  if (request.dryRun) {
    const placement = { quote, order: null, links: [], dryRun: true }
    return unchanged({ kind: "placed" as const, placement, response: null })
  }
  return draft.decided({ kind: "placed" as const, ...recordQuote(draft, input, quote, key) })
})

export function placeOrder(input: PlaceOrder): Decide<PlaceOrderReply>
/** `undone` may be asked for instead of a decision. */
export function placeOrder(input: PlaceOrder, undone: ReadonlyArray<Preparation>): Decide<PlaceOrderReply | Unprepared>
export function placeOrder(
  input: PlaceOrder,
  undone: ReadonlyArray<Preparation> = []
): Decide<PlaceOrderReply | Unprepared> {
  const { caller } = input
  return (books, context) => {
    const holdsLookAlikes = find(books.keys, caller.keyId)?.limits.holdLookAlikes === true
    if (holdsLookAlikes && undone.includes("look_alikes")) return Result.succeed(unprepared("look_alikes"))
    const outcome = place(input, books, context)
    const byCard = Result.map(outcome, ({ reply }) => (reply.kind === "placed" ? reply.placement.quote.cardCents : 0))
    const isShort = undone.includes("sweep") && couldSweepHelp(byCard, books, caller)
    return isShort ? Result.succeed(unprepared("sweep")) : outcome
  }
}
