// For any cart the amounts add up to the cent: in the response, through payment, and back again when all is cancelled. The expected
// prices and discounts are computed here a second time, from the rules of the contract.
import { Effect } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import { QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { Balance } from "#adapters/contract/wallet/Balance.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { holdsForAll } from "#test/core/ports/StoreProperty.ts"
import { type Buyer, buyer, by, cart, insertion, item } from "./Buyers.ts"
import { definePromo, listArticles, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { BALANCE, ORDERS, placedBy, postOrder, press, QUOTES, read, refusalIn } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const SHELVES = [
  { shelf: "Plancton", cents: 500 },
  { shelf: "Corail", cents: 1_500 },
  { shelf: "Nautilus", cents: 3_000 }
] as const

const PACKS = { 0: 0, 1: 400, 3: 1_000, 5: 1_500 } as const
const CARD_MINIMUM_CENTS = 50

const packs = fc.constantFrom(0, 1, 3, 5)
const line = fc.record({
  shelf: fc.constantFrom(...SHELVES),
  pack: packs,
  /** The price of the article that a link is inserted into; `null` for a new article. */
  articleCents: fc.option(fc.integer({ min: 1, max: 5_000 }), { freq: 2 })
})

/** Near the smallest amount that a card takes. */
const trifle = fc.record({
  shelf: fc.constantFrom(...SHELVES),
  pack: fc.constant(0 as const),
  articleCents: fc.integer({ min: 1, max: 70 })
})

const lines = fc.oneof(
  fc.array(line, { minLength: 1, maxLength: 4 }),
  fc.array(line, { minLength: 1, maxLength: 20 }),
  fc.array(trifle, { minLength: 1, maxLength: 2 })
)

const code = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 10_000 }).map((basisPoints) => ({ kind: "percent" as const, basisPoints })),
    fc.integer({ min: 0, max: 20_000 }).map((cents) => ({ kind: "fixed" as const, cents }))
  )
)

const credit = fc.oneof(...[130, 3_000, 60_000].map((max) => fc.integer({ min: 0, max })))

interface Wish {
  readonly lines: ReadonlyArray<{
    readonly shelf: (typeof SHELVES)[number]
    readonly pack: 0 | 1 | 3 | 5
    readonly articleCents: number | null
  }>
  readonly reduction: Promo["reduction"] | null
  readonly creditCents: number
}

const eur = (cents: number): number => cents / 100

const roundHalfUp = (cents: number, basisPoints: number): number => Math.floor((cents * basisPoints + 5_000) / 10_000)

/** What this order costs by the contract's rules, and how it is paid; `null` if it cannot be paid. */
const expected = ({ lines, reduction, creditCents }: Wish) => {
  const gross = lines.reduce(
    (sum, { shelf, pack, articleCents }) => sum + (articleCents ?? shelf.cents) + PACKS[pack],
    0
  )
  const welcome = roundHalfUp(gross, 2_000)
  const asked = reduction?.kind === "fixed" ? reduction.cents : roundHalfUp(gross, reduction?.basisPoints ?? 0)
  const promo = Math.min(gross, asked)
  const discount = reduction === null ? welcome : Math.max(promo, welcome)
  const total = gross - discount
  if (creditCents >= total) return { gross, discount, total, credit: total, card: 0 }
  if (total < CARD_MINIMUM_CENTS) return null
  const card = Math.max(total - creditCents, CARD_MINIMUM_CENTS)
  return { gross, discount, total, credit: total - card, card }
}

/** One open site of each shelf, for all carts. */
const open = Effect.map(
  Effect.all(SHELVES.map(({ shelf }) => Effect.map(listSite({ shelf }), ({ siteId }) => [shelf, siteId] as const))),
  (sites) => new Map<string, number>(sites)
)

type Sites = Effect.Success<typeof open>

const prepare = Effect.fnUntraced(function* (sites: Sites, wish: Wish) {
  const placed = wish.lines.map((line) => ({ ...line, siteId: sites.get(line.shelf.shelf) ?? 0 }))
  const inserted = placed.filter(({ articleCents }) => articleCents !== null)
  const articles = yield* listArticles(
    inserted.map(({ siteId, articleCents }) => ({ siteId, priceCents: articleCents }))
  )
  const articleOf = new Map(inserted.map((line, nth) => [line, articles[nth]] as const))
  const items = placed.map((line) => {
    const article = articleOf.get(line)
    return { ...(article === undefined ? item(line.siteId) : insertion(article)), tier2_links: line.pack }
  })
  const promo = wish.reduction === null ? undefined : yield* definePromo({ reduction: wish.reduction })
  const who = yield* buyer({ creditCents: wish.creditCents })
  return { who, body: cart(items, promo === undefined ? {} : { promo_code: promo.code }) }
})

const expectRefused = Effect.fnUntraced(function* ({ key }: Buyer, body: OrderRequest, { creditCents }: Wish) {
  expect(refusalIn(yield* postOrder(key, body)).code).toBe("amount_below_minimum")
  const { available_cents, held_cents, orders_today } = yield* read(Balance, key, BALANCE)
  expect([available_cents, held_cents, orders_today.used]).toEqual([creditCents, 0, 0])
})

const check = Effect.fnUntraced(function* (sites: Sites, wish: Wish) {
  const { cancelOrder } = yield* FulfilLinks
  const { who, body } = yield* prepare(sites, wish)
  const sums = expected(wish)
  if (sums === null) return yield* expectRefused(who, body, wish)
  const placed = placedBy(yield* postOrder(who.key, body))
  expect(placed).toMatchObject({
    gross_total_eur: eur(sums.gross),
    discount_eur: eur(sums.discount),
    total_eur: eur(sums.total),
    credit_applied_cents: sums.credit,
    card_amount_cents: sums.card
  })
  if (placed.payment_url !== null) yield* press("pay", placed.payment_url)
  const { order_id } = yield* read(QuoteStatus, who.key, `${QUOTES}/${placed.quote_id}`)
  const { items } = yield* read(OrderDetail, who.key, `${ORDERS}/${order_id}`)
  const inCents = (prices: ReadonlyArray<number>) => prices.reduce((sum, price) => sum + Math.round(price * 100), 0)
  expect(inCents(items.map(({ price_eur }) => price_eur))).toBe(sums.gross)
  expect(inCents(items.map(({ net_price_eur }) => net_price_eur))).toBe(sums.total)
  yield* cancelOrder(order_id ?? OrderId.make(""), "as a test", by)
  const { available_cents, held_cents } = yield* read(Balance, who.key, BALANCE)
  // Everything paid is credit again, the card's part as well.
  expect([available_cents, held_cents]).toEqual([wish.creditCents - sums.credit + sums.total, 0])
})

/** For a thousand orders from placement to cancellation, one after another. */
const TIMEOUT_MS = 600_000

const NAME = "lines − discount = credit + card, the better discount is applied, and cancelling returns what was paid"

export const orderArithmeticSuite = scenarios("order arithmetic", { WELCOME_OFFER_PERCENT: "20" }, (it) => {
  it.effect(
    NAME,
    () =>
      Effect.gen(function* () {
        const sites = yield* open
        const anyWish = fc.record({ lines, reduction: code, creditCents: credit })
        yield* holdsForAll(NAME, anyWish, (wish) => check(sites, wish))
      }),
    TIMEOUT_MS
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
