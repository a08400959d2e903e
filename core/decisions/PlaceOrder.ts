// The one decision that spends an account's money: an order request becomes a quote, and at once an order where credit
// covers it. Replays are recognised first; a refusal writes nothing.
import { Result } from "effect"
import type { Account } from "#core/domain/Account.ts"
import type { ApiKey, Caller } from "#core/domain/ApiKey.ts"
import { cartFaults, linkTarget, type OrderRequest } from "#core/domain/Cart.ts"
import { checkCap } from "#core/domain/DailyCap.ts"
import { type Answer, type Fingerprint, judge } from "#core/domain/Idempotency.ts"
import { type DecisionContext, utcDay } from "#core/domain/DecisionContext.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { Quote } from "#core/domain/Quote.ts"
import {
  AccountNotFound,
  AmountBelowMinimum,
  CartInvalid,
  IdempotencyKeyReused,
  KeyNotFound,
  PriceAboveLimit,
  type Refusal,
  RevokedApiKey
} from "#core/domain/Refusal.ts"
import type { Placement } from "#core/domain/Rendering.ts"
import { type Split, splitPayment } from "#core/domain/Settlement.ts"
import { checkSpend } from "#core/domain/SpendPolicy.ts"
import { availableCents } from "#core/domain/Wallet.ts"
import { cartWarnings, similarRecentOrder, siteAlreadyLinks, type Warning } from "#core/domain/Warning.ts"
import { type Books, bindingId, find, linkedId, tallyOf } from "./Books.ts"
import { begin, type Decide, type Decided, type Draft, enter, unchanged } from "./Draft.ts"
import { type Shop, settle } from "./Fulfil.ts"
import { type PricedCart, priceCart } from "./PriceCart.ts"
import { inSteps, type Steps } from "./Steps.ts"

export interface PlaceOrder extends Shop {
  readonly caller: Caller
  readonly request: OrderRequest
  /** SHA-256 of the canonical items. */
  readonly itemsDigest: string
  /** A quote of the last minutes that asked for the same. */
  readonly lookAlike: string | null
  readonly idempotency: { readonly key: string; readonly fingerprint: Fingerprint } | null
  /** Where the service's own page takes payments in sandbox. */
  readonly sandboxPage: (paymentToken: string) => string
}

export type PlaceOrderReply =
  /** With the answer that its idempotency key has frozen, where there is one already. */
  | { readonly kind: "placed"; readonly placement: Placement; readonly answer: Answer | null }
  | { readonly kind: "replay"; readonly answer: Answer; readonly quoteId: string }
  /** The key is bound to this very request, but the payment link is not stored yet. */
  | { readonly kind: "resume"; readonly quoteId: string }

const known = inSteps(function* (
  books: Books,
  { keyId, accountId }: Caller
): Steps<{ key: ApiKey; account: Account }, Refusal> {
  const key = yield* Result.fromNullishOr(find(books.keys, keyId), () => new KeyNotFound({ keyId }))
  const account = yield* Result.fromNullishOr(find(books.accounts, accountId), () => new AccountNotFound({ accountId }))
  if (key.revokedAtMs !== null) return yield* Result.fail(new RevokedApiKey())
  return { key, account }
})

const earlier = (books: Books, { caller, request, idempotency }: PlaceOrder) => {
  const binding =
    idempotency === null || request.dryRun ? undefined : find(books.bindings, bindingId(caller.keyId, idempotency.key))
  return judge(binding, idempotency?.fingerprint ?? "")
}

const spendableCents = (account: Account, { caller, request }: PlaceOrder): Cents =>
  caller.mode === "sandbox" && request.sandboxCreditCents !== undefined
    ? request.sandboxCreditCents
    : availableCents(account.wallet)

/** Spend policy, price guard, and the part each purse pays. */
const afford = inSteps(function* (
  books: Books,
  nowMs: number,
  { key, account }: { readonly key: ApiKey; readonly account: Account },
  cart: PricedCart,
  input: PlaceOrder
): Steps<Split, Refusal> {
  const { request, terms } = input
  const { totalCents } = cart.price
  const { spentCents } = tallyOf(books, key.keyId, utcDay(nowMs))
  yield* checkSpend(key.limits, request.items, totalCents, spentCents)
  if (request.maxTotalCents !== undefined && totalCents > request.maxTotalCents) {
    return yield* Result.fail(new PriceAboveLimit({ totalCents, limitCents: request.maxTotalCents }))
  }
  const available = spendableCents(account, input)
  return yield* splitPayment(totalCents, available, terms.cardMinimumCents).pipe(
    Result.mapError(
      ({ minimumCents }) => new AmountBelowMinimum({ totalCents, availableCents: available, minimumCents })
    )
  )
})

const advice = ({ linked }: Books, { caller, request, lookAlike }: PlaceOrder): ReadonlyArray<Warning> => [
  ...(lookAlike === null ? [] : [similarRecentOrder(lookAlike)]),
  ...cartWarnings(request.items),
  ...request.items.filter((item) => linked.has(linkedId(caller.accountId, linkTarget(item)))).map(siteAlreadyLinks)
]

const draw = (draft: Draft, input: PlaceOrder, cart: PricedCart, split: Split): Quote => {
  const { caller, terms, idempotency, request } = input
  const { moment } = draft
  const { accountId, keyId, mode } = caller
  const { grossCents, discount, totalCents } = cart.price
  const paymentUrl = mode === "sandbox" && split.cardCents > 0 ? input.sandboxPage(moment.secret) : null
  return {
    quoteId: draft.nextId("q_", mode),
    accountId,
    keyId,
    mode,
    lines: cart.lines,
    itemsDigest: input.itemsDigest,
    grossCents,
    discount,
    totalCents,
    ...split,
    holdId: mode === "live" && split.creditCents > 0 ? draft.nextId("hld_") : null,
    warnings: advice(draft.books, input),
    status: "awaiting_payment",
    abandonedBy: null,
    orderId: null,
    creditedCents: 0,
    idempotencyKey: request.dryRun ? null : (idempotency?.key ?? null),
    paymentToken: moment.secret,
    paymentUrl,
    sessionId: null,
    createdAtMs: moment.nowMs,
    expiresAtMs: moment.nowMs + terms.quoteTtlMs
  }
}

const placeHold = (draft: Draft, quote: Quote): void => {
  const { holdId, accountId, quoteId, creditCents: cents, expiresAtMs } = quote
  if (holdId === null) return
  const entry = enter(draft, accountId, { kind: "hold", cents }, { quoteId })
  const hold = { holdId, accountId, quoteId, cents, state: "open" as const, expiresAtMs }
  draft.record({ _tag: "HoldPlaced", hold, entry })
}

const reserve = (draft: Draft, quote: Quote): void => {
  const { quoteId, accountId, discount, expiresAtMs: untilMs } = quote
  for (const { item } of quote.lines) {
    if (item.articleId === undefined) continue
    draft.record({ _tag: "ArticleReserved", articleId: item.articleId, quoteId, untilMs })
  }
  if (discount.source === "promo" && discount.code !== undefined) {
    draft.record({ _tag: "PromoReserved", code: discount.code, reservation: { quoteId, accountId, untilMs } })
  }
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeReserved", accountId, quoteId, untilMs })
}

/** Binds the idempotency key. The answer freezes here unless a payment link is still to come. */
const bind = (draft: Draft, input: PlaceOrder, placement: Placement): Answer | null => {
  if (input.idempotency === null) return null
  const { key: idempotencyKey, fingerprint } = input.idempotency
  const { quoteId, keyId, cardCents, mode } = placement.quote
  const final = cardCents === 0 || mode === "sandbox"
  const answer = final ? input.render.answer(placement) : null
  const binding = { keyId, idempotencyKey, fingerprint, quoteId, answer, boundAtMs: draft.moment.nowMs }
  draft.record({ _tag: "KeyBound", binding })
  return answer
}

const write = (draft: Draft, input: PlaceOrder, quote: Quote) => {
  const day = utcDay(draft.moment.nowMs)
  draft.record({ _tag: "QuoteOpened", quote })
  draft.record({ _tag: "CapCounted", keyId: quote.keyId, day })
  draft.record({ _tag: "SpendCounted", keyId: quote.keyId, day, cents: quote.totalCents })
  placeHold(draft, quote)
  const placement =
    quote.cardCents === 0
      ? { ...settle(draft, quote, input), dryRun: false }
      : { quote, order: null, links: [], dryRun: false }
  if (placement.order === null && quote.mode === "live") reserve(draft, quote)
  return { placement, answer: bind(draft, input, placement) }
}

const place = inSteps(function* (
  input: PlaceOrder,
  books: Books,
  moment: DecisionContext
): Steps<Decided<PlaceOrderReply>, Refusal> {
  const { request, terms, caller } = input
  const { key, account } = yield* known(books, caller)
  const [fault, ...faults] = cartFaults(request, caller.mode)
  if (fault !== undefined) return yield* Result.fail(new CartInvalid({ faults: [fault, ...faults] }))
  const verdict = earlier(books, input)
  if (verdict.verdict === "replay") {
    return unchanged({ kind: "replay" as const, answer: verdict.answer, quoteId: verdict.quoteId })
  }
  if (verdict.verdict === "resume") return unchanged({ kind: "resume" as const, quoteId: verdict.quoteId })
  if (verdict.verdict === "reused") {
    const idempotencyKey = input.idempotency?.key ?? ""
    return yield* Result.fail(new IdempotencyKeyReused({ idempotencyKey, quoteId: verdict.quoteId }))
  }
  // A dry run makes none of the quotes that are counted: a price can be asked for at any time.
  if (!request.dryRun) {
    const tally = tallyOf(books, key.keyId, utcDay(moment.nowMs))
    yield* checkCap(tally, key.limits.dailyOrderCap ?? terms.dailyOrderCap, moment.nowMs)
  }
  const cart = yield* priceCart(books, moment, { account, mode: caller.mode, request, terms })
  const split = yield* afford(books, moment.nowMs, { key, account }, cart, input)
  const draft = begin(books, moment)
  const quote = draw(draft, input, cart, split)
  if (request.dryRun) {
    const placement = { quote, order: null, links: [], dryRun: true }
    return unchanged({ kind: "placed" as const, placement, answer: null })
  }
  return draft.decided({ kind: "placed" as const, ...write(draft, input, quote) })
})

export const placeOrder =
  (input: PlaceOrder): Decide<PlaceOrderReply> =>
  (books, moment) =>
    place(input, books, moment)
