// Places orders on books and model, and compares the decision with the expected result.
import { deepStrictEqual, ok } from "node:assert"
import { Result } from "effect"
import { type PlaceOrderReply, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import type { OrderRequest } from "#core/domain/pricing/Cart.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { Placement } from "#core/domain/webhooks/Rendering.ts"
import { known } from "../BookReads.ts"
import { render } from "../Given.ts"
import type { Order } from "./Command.ts"
import { type Priced, priceOf, split } from "./ExpectedPrices.ts"
import { type Bound, dayOf, type Model, type ModelQuote } from "./Model.ts"
import { attempt, type ModelRun, settleInModel } from "./ModelRun.ts"
import {
  articles,
  CAP,
  CARD_MAXIMUM,
  CARD_MINIMUM,
  cartItems,
  type KeyFact,
  keys,
  OPEN_ARTICLES,
  OPEN_USES,
  promos,
  settings,
  sites,
  TTL_MS
} from "./ModelShop.ts"

type Expected =
  | { readonly kind: "refused"; readonly tag: Refusal["_tag"]; readonly reasons?: ReadonlyArray<string> }
  | { readonly kind: "replay"; readonly bound: Bound }
  | { readonly kind: "resume"; readonly bound: Bound }
  | {
      readonly kind: "placed"
      readonly priced: Priced
      readonly credit: number
      readonly card: number
      readonly held: boolean
    }

const refuse = (tag: Refusal["_tag"], reasons?: ReadonlyArray<string>): Expected =>
  reasons === undefined ? { kind: "refused", tag } : { kind: "refused", tag, reasons }

const requestOf = ({ items, code, maxTotal, sandboxCredit, dryRun }: Order, key: KeyFact): OrderRequest => ({
  items: items.flatMap((index) => cartItems[index] ?? []),
  dryRun,
  ...(code === null ? {} : { promoCode: code }),
  ...(maxTotal === null ? {} : { maxTotalCents: maxTotal }),
  ...(sandboxCredit === null || key.mode === "live" ? {} : { sandboxCreditCents: sandboxCredit })
})

/** The refusals of the cart, in the order of the checks: ownership, match, availability. */
const cartRefusal = (model: Model, account: string, { items }: OrderRequest): Expected | undefined => {
  if (items.some(({ siteId }) => !sites.some(({ id }) => id === siteId))) return refuse("SiteNotFound")
  if (account !== "acc_a" && items.some(({ projectId }) => projectId !== undefined)) return refuse("ProjectNotFound")
  const mismatch = items.some(
    ({ siteId, articleId }) => articleId !== undefined && articles.find(({ id }) => id === articleId)?.site !== siteId
  )
  if (mismatch) return refuse("ArticleSiteMismatch")
  for (const { siteId, articleId } of items) {
    if (sites.some(({ id, open }) => id === siteId && !open)) return refuse("SiteUnavailable")
    if (articleId !== undefined && model.articleHolder(articleId) !== undefined) return refuse("ArticleUnavailable")
  }
  return undefined
}

const limitRefusal = (
  model: Model,
  key: KeyFact,
  { items, maxTotalCents }: OrderRequest,
  total: number
): Expected | undefined => {
  const spent = model.day(key.id, dayOf(model.now)).spent
  const broken = [
    ...(key.maxOrder !== null && total > key.maxOrder ? ["max_order_cents"] : []),
    ...(key.maxDay !== null && spent + total > key.maxDay ? ["max_day_cents"] : []),
    ...(key.domain !== null && items.some(({ targetUrl }) => !/[/.]brand\.example\//.test(targetUrl))
      ? ["allowed_domains"]
      : [])
  ]
  if (broken.length > 0) return refuse("SpendPolicyRefused", broken)
  return maxTotalCents !== undefined && total > maxTotalCents ? refuse("PriceAboveLimit") : undefined
}

const reservesTooMuch = (model: Model, account: string, { items }: OrderRequest, { code }: Priced): boolean => {
  const wanted = items.filter(({ articleId }) => articleId !== undefined).length
  const { articles, uses } = model.reservedBy(account, code)
  const isLimited = promos.some((one) => one.code === code && Number.isFinite(one.max))
  return (wanted > 0 && articles + wanted > OPEN_ARTICLES) || (isLimited && uses >= OPEN_USES)
}

const boundId = ({ account, mode }: KeyFact, idempotencyKey: string | null): string =>
  `${account} ${mode} ${idempotencyKey}`

/** The expected result, by the order of checks that the contract prescribes. */
const expectation = (model: Model, key: KeyFact, request: OrderRequest, bound: Bound | undefined): Expected => {
  const { account, id } = key
  if (model.revoked.has(id)) return refuse("RevokedApiKey")
  if (bound !== undefined) {
    if (bound.body !== JSON.stringify(request)) return refuse("IdempotencyKeyReused")
    return bound.answer === null ? { kind: "resume", bound } : { kind: "replay", bound }
  }
  if (model.stopped.has(account)) return refuse("SpendPolicyRefused", ["agents_stopped"])
  // Dry runs do not count.
  const isCapped = !request.dryRun && model.day(id, dayOf(model.now)).quotes >= (key.cap ?? CAP)
  if (isCapped) return refuse("DailyCapReached")
  const wrong = cartRefusal(model, account, request)
  if (wrong !== undefined) return wrong
  const code = request.promoCode?.toUpperCase() ?? null
  const priced = priceOf(request.items, code, model.welcomeFor(key))
  const faults = code === null ? [] : model.codeFaults(code, account, priced.gross)
  if (faults.length > 0) return refuse("PromoCodeInvalid", faults)
  const limited = limitRefusal(model, key, request, priced.total)
  if (limited !== undefined) return limited
  const purses = split(priced.total, request.sandboxCreditCents ?? model.available(account), CARD_MINIMUM)
  if (purses === null) return refuse("AmountBelowMinimum")
  if (purses.card > CARD_MAXIMUM) return refuse("AmountAboveMaximum")
  const held = key.approveAbove === 0 || (key.approveAbove !== null && priced.total > key.approveAbove)
  const hoards = key.mode === "live" && (purses.card > 0 || held) && reservesTooMuch(model, account, request, priced)
  return hoards ? refuse("TooManyReservations") : { kind: "placed", priced, ...purses, held }
}

const compareQuote = ({ quote, order, links }: Placement, expected: Extract<Expected, { kind: "placed" }>): void => {
  const { priced, credit, card } = expected
  deepStrictEqual(
    [
      quote.grossCents,
      quote.discount.source,
      quote.discount.code ?? null,
      quote.discount.amountCents,
      quote.totalCents
    ],
    [priced.gross, priced.source, priced.code, priced.discount, priced.total]
  )
  deepStrictEqual(
    quote.lines.map(({ netCents }) => netCents),
    priced.nets
  )
  deepStrictEqual([quote.creditCents, quote.cardCents], [credit, card])
  if (order === null) deepStrictEqual(links, [])
}

const remember = (
  run: ModelRun,
  key: KeyFact,
  request: OrderRequest,
  idempotencyKey: string | null,
  placement: Placement,
  expected: Extract<Expected, { kind: "placed" }>
): void => {
  const { model } = run
  const { priced, credit, card, held } = expected
  const { id, account, mode } = key
  const quote: ModelQuote = {
    ...priced,
    id: placement.quote.quoteId,
    account,
    key: id,
    mode,
    items: request.items,
    credit,
    card,
    madeAt: model.now,
    endsAt: model.now + TTL_MS,
    status: held ? "awaiting_approval" : "awaiting_payment",
    declined: null,
    by: null,
    credited: 0,
    orderId: null,
    links: [],
    linkIds: [],
    session: null,
    link: null,
    endedSession: null,
    pending: false
  }
  model.quotes.push(quote)
  if (mode === "live" && (card > 0 || held)) model.addEntry(account, "hold", credit)
  deepStrictEqual(placement.order !== null, card === 0 && !held)
  if (placement.order !== null) settleInModel(model, quote, placement.order.orderId, placement.order.linkIds)
  const stored = !held && (card === 0 || mode === "sandbox") ? render.response(placement).body : null
  if (idempotencyKey !== null)
    model.bound.set(boundId(key, idempotencyKey), { body: JSON.stringify(request), quote, answer: stored })
}

const compareRefusal = (run: ModelRun, refusal: Refusal, expected: Expected): void => {
  if (expected.kind !== "refused") throw new Error(`expected ${expected.kind}, got ${refusal._tag}`)
  deepStrictEqual(refusal._tag, expected.tag)
  const reason =
    refusal._tag === "PromoCodeInvalid" ? refusal.reason : refusal._tag === "SpendPolicyRefused" ? refusal.rule : ""
  if (expected.reasons !== undefined) ok(expected.reasons.includes(reason), `${reason} is no reason`)
  run.note(`order: ${refusal._tag} ${reason}`)
}

const compareRepetition = (reply: Exclude<PlaceOrderReply, { kind: "placed" }>, expected: Expected): void => {
  if (expected.kind !== reply.kind) throw new Error(`expected ${expected.kind}, got ${reply.kind}`)
  deepStrictEqual(reply.quoteId, expected.bound.quote.id)
  if (reply.kind === "replay") deepStrictEqual(reply.response.body, expected.bound.answer)
}

/** Places an order, or repeats one, and compares the results. */
export const order = (run: ModelRun, asked: Order): void => {
  const { model } = run
  const key = keys[asked.key % keys.length]
  if (key === undefined) return
  const request = requestOf(asked, key)
  const { idempotencyKey, dryRun } = asked
  // A dry run neither reads nor binds a key.
  const bound = dryRun ? undefined : model.bound.get(boundId(key, idempotencyKey))
  const expected = expectation(model, key, request, bound)
  const before = run.books
  const outcome = attempt(
    run,
    placeOrder({
      caller: callerOf(known(run.books.keys, key.id)),
      request,
      itemsDigest: "",
      lookAlike: null,
      idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: JSON.stringify(request) },
      settings: settings,
      render,
      sandboxPage: (token) => token
    })
  )
  if (Result.isFailure(outcome)) compareRefusal(run, outcome.failure, expected)
  else {
    const { reply } = outcome.success
    run.note(`order: ${dryRun ? "dry run" : reply.kind} ${key.mode}`)
    if (reply.kind !== "placed") {
      compareRepetition(reply, expected)
      ok(run.books === before, "a repetition wrote something")
    } else {
      if (expected.kind !== "placed") throw new Error(`expected ${JSON.stringify(expected)}, got a quote`)
      compareQuote(reply.placement, expected)
      deepStrictEqual(reply.placement.quote.status === "awaiting_approval", expected.held)
      if (expected.held) run.note(`order: held ${key.mode}`)
      run.note(`discount: ${expected.priced.source}`)
      if (dryRun) ok(run.books === before, "a dry run wrote something")
      else remember(run, key, request, idempotencyKey, reply.placement, expected)
    }
  }
}
