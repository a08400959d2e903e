// Prices a sheet by the rules of an order: each open row by itself, with what keeps it from being bought, and the chosen ones as the orders that
// credit is to pay one after another.
import { Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { type Account, owedCentsOf } from "#core/domain/members/Account.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { cartFaults, type OrderRequest, targetHost } from "#core/domain/pricing/Cart.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { CartInvalid, type PromoCodeInvalid } from "#core/domain/pricing/PriceRefusal.ts"
import type { Price } from "#core/domain/pricing/Pricing.ts"
import { coveredBy, inOrders, type OpenRow, rangesOf, type SheetRow } from "#core/domain/pricing/Sheet.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { type OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { type Books, find } from "../Books.ts"
import { type Decide, type Decided, unchanged } from "../Draft.ts"
import { type ResultGenerator, resultFn } from "../ResultFn.ts"
import { type PricedCart, priceCart } from "./PriceCart.ts"

export interface SheetToPrice {
  readonly caller: Pick<Caller, "accountId" | "mode">
  readonly rows: ReadonlyArray<OpenRow>
  /** For the first order of the sheet; `null` without one, or once that order is made. */
  readonly promoCode: string | null
  /** The registrable domain of a host, by the public suffix list as it is now. */
  readonly domainOf: (host: string) => string
  readonly settings: ShopSettings
}

/** What a row costs before a discount, or why it cannot be bought now. */
export type PricedRow =
  | { readonly _tag: "Priced"; readonly domain: string; readonly priceCents: Cents }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }

export interface SheetOrder {
  readonly rows: ReadonlyArray<OpenRow>
  readonly request: OrderRequest
  readonly price: Price
}

export interface PricedSheet {
  /** The key is a row's number. */
  readonly rows: ReadonlyMap<number, PricedRow>
  /** The chosen rows that can be bought, in the orders that they will be. */
  readonly orders: ReadonlyArray<SheetOrder>
  /** Why the promotion code does not count; the orders are priced without it. */
  readonly promoRefusal: PromoCodeInvalid | null
  readonly availableCents: Cents
  readonly owedCents: Cents
}

interface Pricing {
  readonly books: Books
  readonly context: DecisionContext
  readonly input: SheetToPrice
}

const requestOf = (rows: ReadonlyArray<OpenRow>, { domainOf }: SheetToPrice): OrderRequest => ({
  items: rows.map(({ item }) => item),
  dryRun: false,
  creditOnly: true,
  targetDomains: [...new Set(rows.map(({ item }) => domainOf(targetHost(item))))]
})

const price = ({ books, context, input }: Pricing, account: Account, request: OrderRequest) =>
  priceCart(books, context, { account, mode: input.caller.mode, request, settings: input.settings })

const priceRow = (pricing: Pricing, account: Account, row: OpenRow): PricedRow => {
  const request = requestOf([row], pricing.input)
  const [fault, ...faults] = cartFaults(request, pricing.input.caller.mode)
  if (fault !== undefined) return { _tag: "Refused", refusal: new CartInvalid({ faults: [fault, ...faults] }) }
  return Result.match(price(pricing, account, request), {
    onFailure: (refusal): PricedRow => ({ _tag: "Refused", refusal }),
    onSuccess: ({ lines: [line] }) => ({
      _tag: "Priced",
      domain: line?.domain ?? "",
      priceCents: line?.priceCents ?? 0
    })
  })
}

/** An article takes one link: the first of the chosen rows with one article can be bought, and the others cannot. */
const withoutTakenArticles = (rows: ReadonlyArray<OpenRow>, priced: Map<number, PricedRow>): ReadonlyArray<OpenRow> => {
  const taken = new Map<number, number>()
  return rows.filter(({ number, item: { articleId } }) => {
    if (articleId === undefined) return true
    const earlier = taken.get(articleId)
    if (earlier === undefined) taken.set(articleId, number)
    else {
      const message = `Article ${articleId} is chosen in row ${earlier} already; an article takes one link.`
      const fault = { path: { item: 0, field: "articleId" }, message }
      priced.set(number, { _tag: "Refused", refusal: new CartInvalid({ faults: [fault] }) })
    }
    return earlier === undefined
  })
}

/** The offer is spent by an order of the sheet that is not made yet. */
const SPENT_BY_SHEET = { state: "spent", quoteId: QuoteId.make("") } as const

const isRefusedCode = (refusal: Refusal): refusal is PromoCodeInvalid => refusal._tag === "PromoCodeInvalid"

/** A code counts for the first order alone, and the welcome offer for the first order that takes it. */
const priceOrders = resultFn(function* (
  pricing: Pricing,
  account: Account,
  rows: ReadonlyArray<OpenRow>
): ResultGenerator<Pick<PricedSheet, "orders" | "promoRefusal">, Refusal> {
  let promoRefusal: PromoCodeInvalid | null = null
  let payer = account
  const orders: Array<SheetOrder> = []
  for (const part of inOrders(rows)) {
    const { promoCode } = pricing.input
    const plain = requestOf(part, pricing.input)
    let request: OrderRequest = orders.length === 0 && promoCode !== null ? { ...plain, promoCode } : plain
    let cart: Result.Result<PricedCart, Refusal> = price(pricing, payer, request)
    if (Result.isFailure(cart) && isRefusedCode(cart.failure)) {
      promoRefusal = cart.failure
      request = plain
      cart = price(pricing, payer, request)
    }
    const { price: paid } = yield* cart
    if (paid.discount.source === "welcome") payer = { ...payer, welcome: SPENT_BY_SHEET }
    orders.push({ rows: part, request, price: paid })
  }
  return { orders, promoRefusal }
})

const priceAll = resultFn(function* (pricing: Pricing): ResultGenerator<Decided<PricedSheet>, Refusal> {
  const { books, input } = pricing
  const { accountId } = input.caller
  const account = yield* Result.fromNullishOr(find(books.accounts, accountId), () => new AccountNotFound({ accountId }))
  const rows = new Map(input.rows.map((row) => [row.number, priceRow(pricing, account, row)] as const))
  const buyable = input.rows.filter(({ number, chosen }) => chosen && rows.get(number)?._tag === "Priced")
  const { orders, promoRefusal } = yield* priceOrders(pricing, account, withoutTakenArticles(buyable, rows))
  return unchanged({
    rows,
    orders,
    promoRefusal,
    availableCents: availableCents(account.wallet),
    owedCents: owedCentsOf(account)
  })
})

export const priceSheet =
  (input: SheetToPrice): Decide<PricedSheet> =>
  (books, context) =>
    priceAll({ books, context, input })

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

/** The agreed orders that were made already: by an earlier run of the same form, by another window, or just now. */
export interface MadeOrder {
  readonly orderId: OrderId
  readonly totalCents: Cents
}

/** Whether the orders that were made and those to make are of the agreed rows, and cost no more than was agreed. */
export const isAgreed = (
  wish: { readonly rows: string; readonly totalCents: Cents },
  rows: ReadonlyArray<SheetRow>,
  made: ReadonlyArray<MadeOrder>,
  toMake: ReadonlyArray<SheetOrder>
): boolean => {
  const ids = new Set<OrderId | null>(made.map(({ orderId }) => orderId))
  const bought = rows.filter(({ orderId }) => orderId !== null && ids.has(orderId))
  const numbers = [...bought, ...toMake.flatMap((order) => order.rows)].map(({ number }) => number)
  const costs = [...made.map(({ totalCents }) => totalCents), ...toMake.map(({ price: { totalCents } }) => totalCents)]
  return rangesOf(numbers) === wish.rows && sum(costs) <= wish.totalCents
}

const totalsOf = (orders: ReadonlyArray<SheetOrder>): ReadonlyArray<Cents> =>
  orders.map(({ price }) => price.totalCents)

/** Nothing is paid from credit while something is owed. */
export const coverOf = ({ availableCents, owedCents, orders }: PricedSheet) => {
  const totals = totalsOf(orders)
  if (owedCents === 0) return coveredBy(availableCents, totals)
  const { missingCents } = coveredBy(availableCents - owedCents, totals)
  return { count: 0, cents: 0, missingCents }
}
