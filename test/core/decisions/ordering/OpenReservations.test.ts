// What the open unpaid quotes of one account may reserve: articles, and uses of one limited code.
import { HashMap } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { abandonQuote } from "#core/decisions/ordering/AbandonQuote.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import type { OrderRequest } from "#core/domain/pricing/Cart.ts"
import { defaultShopSettings, type ShopSettings } from "#core/domain/ShopSettings.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import {
  account,
  article,
  given,
  insertion,
  item,
  key,
  NOON,
  orderBy,
  promo,
  QUOTE_TTL_MS,
  stock,
  welcomeSpent
} from "#test/core/Given.ts"
import { decide, placed, refused, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const ARTICLES = [11, 12, 14, 15, 16, 17]

const second = key("key_second", "acc_rich")

const shop = (creditCents = 0): Books =>
  given({
    accounts: [account("acc_rich", creditCents, welcomeSpent), account("acc_poor", 0, welcomeSpent)],
    keys: [...stock.keys, second],
    articles: ARTICLES.map((id) => article(id)),
    promos: [promo("TEN"), promo("MANY", { maxRedemptions: 50 }), promo("ONCE", { oncePerAccount: true })]
  })

const order = (
  keyId: string,
  articles: ReadonlyArray<number>,
  limits: Partial<ShopSettings> = {},
  asked: Partial<OrderRequest> = {}
) => {
  const settings = { ...defaultShopSettings, openArticlesMax: 3, openCodeUsesMax: 2, ...limits }
  const items = articles.length === 0 ? [item()] : articles.map((id) => insertion(id))
  const request = { items, ...asked }
  return keyId === second.keyId
    ? orderBy("key_rich", request, { settings, caller: callerOf(second) })
    : orderBy(keyId, request, { settings })
}

const withCode = (keyId: string, promoCode: string, limits: Partial<ShopSettings> = {}) =>
  order(keyId, [], limits, { promoCode })

const abandoned = (books: Books, quoteId: QuoteId): Books => when(books, abandonQuote(quoteId, "agent")).books

describe("open articles of one account", () => {
  const first = placed(shop(), order("key_rich", [11, 12]))

  it("are bounded over all its keys; the refusal names the quotes that hold them", () => {
    const second = placed(first.books, order("key_rich", [14]), NOON + 1)
    const refusal = {
      _tag: "TooManyReservations",
      promoCode: null,
      limit: 3,
      reserved: 3,
      requested: 1,
      open: [
        { quoteId: first.quoteId, expiresAtMs: NOON + QUOTE_TTL_MS, articleIds: [11, 12] },
        { quoteId: second.quoteId, expiresAtMs: NOON + 1 + QUOTE_TTL_MS, articleIds: [14] }
      ]
    }
    expect(refused(second.books, placeOrder(order("key_rich", [15])), NOON + 2)).toEqual(refusal)
    const dryRun = order("key_rich", [15], {}, { dryRun: true })
    expect(refused(second.books, placeOrder(dryRun), NOON + 2)).toEqual(refusal)
  })

  it("count with those of the order itself", () => {
    expect(refused(first.books, placeOrder(order("key_rich", [14, 15])))).toMatchObject({ reserved: 2, requested: 2 })
    expect(refused(shop(), placeOrder(order("key_rich", [11, 12, 14, 15])))).toMatchObject({ reserved: 0, open: [] })
  })

  it("do not affect new articles, other accounts, the sandbox, or an order that credit covers", () => {
    const full = placed(first.books, order("key_rich", [14])).books
    for (const [books, input] of [
      [full, order("key_rich", [])],
      [full, order("key_poor", [15, 16])],
      [full, order("key_rich_test", [15, 16])]
    ] as const) {
      expect(placed(books, input).reply.quote.status).not.toBe("abandoned")
    }
    const covered = order("key_rich", ARTICLES, { openArticlesMax: 1 })
    expect(placed(shop(100_000), covered).reply.quote.status).toBe("paid")
  })

  it("are free again once a quote is abandoned or has expired, swept or not", () => {
    expect(placed(abandoned(first.books, first.quoteId), order("key_rich", [11, 14, 15])).written).toContain(
      "ArticleReserved"
    )
    expect(placed(first.books, order("key_rich", [11, 14, 15]), NOON + QUOTE_TTL_MS).written).toContain(
      "ArticleReserved"
    )
  })

  it("are unbounded with 0", () => {
    expect(placed(shop(), order("key_rich", ARTICLES, { openArticlesMax: 0 })).reply.quote.lines).toHaveLength(6)
  })

  it("are reconsidered after a sweep if credit that quotes hold could pay for the order", () => {
    const held = placed(shop(600), order("key_rich", [11, 12, 14])).books
    const next = order("key_rich", [15])
    expect(refused(held, placeOrder(next))).toMatchObject({ _tag: "TooManyReservations" })
    expect(when(held, placeOrder(next, ["sweep"])).reply).toEqual({ kind: "unprepared", needs: "sweep" })
  })
})

describe("open uses of one limited code", () => {
  const first = placed(shop(), withCode("key_rich", "MANY"))
  const both = placed(first.books, withCode("key_second", "many"), NOON + 1)

  it("are bounded over all keys of the account; the refusal names the quotes that hold them", () => {
    expect(refused(both.books, placeOrder(withCode("key_rich", "MANY")), NOON + 2)).toEqual({
      _tag: "TooManyReservations",
      promoCode: "MANY",
      limit: 2,
      reserved: 2,
      requested: 1,
      open: [
        { quoteId: first.quoteId, expiresAtMs: NOON + QUOTE_TTL_MS, articleIds: [] },
        { quoteId: both.quoteId, expiresAtMs: NOON + 1 + QUOTE_TTL_MS, articleIds: [] }
      ]
    })
    expect(placed(abandoned(both.books, first.quoteId), withCode("key_rich", "MANY")).written).toContain(
      "PromoReserved"
    )
  })

  it("do not affect unlimited codes, orders without a code, other accounts and the sandbox; 0 is off", () => {
    for (const input of [
      withCode("key_rich", "TEN"),
      order("key_rich", []),
      withCode("key_poor", "MANY"),
      withCode("key_rich_test", "MANY"),
      withCode("key_rich", "MANY", { openCodeUsesMax: 0 })
    ]) {
      expect(placed(both.books, input).reply.quote.lines).toHaveLength(1)
    }
    const credit = { ...both.books, accounts: shop(100_000).accounts }
    expect(placed(credit, withCode("key_rich", "MANY")).reply.quote.status).toBe("paid")
  })
})

describe("whatever an account orders", () => {
  const wishes = fc.record({
    keyId: fc.constantFrom("key_rich", "key_second", "key_poor", "key_rich_test"),
    articles: fc.subarray(ARTICLES, { maxLength: 3 }),
    promoCode: fc.constantFrom(undefined, "MANY", "TEN"),
    minutes: fc.constantFrom(0, 0, 0, 600, 1_500),
    abandons: fc.boolean()
  })

  const openArticles = (books: Books, accountId: string, nowMs: number) =>
    Array.from(HashMap.values(books.articles)).filter(({ sale }) => {
      if (sale.state !== "reserved" || sale.untilMs <= nowMs) return false
      const { quoteId } = sale
      return Array.from(HashMap.values(books.quotes)).some(
        (one) => one.quoteId === quoteId && one.accountId === accountId
      )
    }).length

  const openUses = (books: Books, accountId: string, nowMs: number) =>
    Array.from(HashMap.values(books.promos)).map(({ maxRedemptions, reservations }) =>
      maxRedemptions === null
        ? 0
        : reservations.filter((one) => one.accountId === accountId && one.untilMs > nowMs).length
    )

  property(
    "its reservations stay within the limits, and it is refused only for what would exceed them",
    [fc.array(wishes, { maxLength: 25 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })],
    (orders, openArticlesMax, openCodeUsesMax) => {
      let books = shop(1_500)
      let nowMs = NOON
      for (const { keyId, articles, promoCode, minutes, abandons } of orders) {
        nowMs += minutes * 60_000
        const limits = { openArticlesMax, openCodeUsesMax, dailyOrderCap: 0 }
        const input = order(keyId, articles, limits, promoCode === undefined ? {} : { promoCode })
        const { accountId, mode } = input.caller
        const outcome = decide(books, placeOrder(input), nowMs)
        const usesBefore = openUses(books, accountId, nowMs)
        const articlesBefore = openArticles(books, accountId, nowMs)
        if (outcome._tag === "Failure") {
          if (outcome.failure._tag === "TooManyReservations") {
            expect(mode).toBe("live")
            const overUses = usesBefore.some((uses) => uses >= openCodeUsesMax)
            expect(articlesBefore + articles.length > openArticlesMax || overUses).toBe(true)
          }
        } else {
          books = outcome.success.books
          const { reply } = outcome.success
          if (abandons && reply.kind === "placed" && reply.placement.quote.status === "awaiting_payment") {
            books = abandoned(books, reply.placement.quote.quoteId)
          }
        }
        for (const one of ["acc_rich", "acc_poor"]) {
          expect(openArticles(books, one, nowMs)).toBeLessThanOrEqual(openArticlesMax)
          for (const uses of openUses(books, one, nowMs)) expect(uses).toBeLessThanOrEqual(openCodeUsesMax)
        }
      }
    }
  )
})
