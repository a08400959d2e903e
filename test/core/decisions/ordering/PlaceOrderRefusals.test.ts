// Why an order is refused, and the order of the checks.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { type PlaceOrder, placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import { account, given, insertion, item, key, NOON, orderBy } from "#test/core/Given.ts"
import { placed, refused } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const MIDNIGHT = Date.UTC(2026, 4, 5)
const refusal = (input: PlaceOrder, books: Books = given()) => refused(books, placeOrder(input))
const poorOrders = (...items: ReadonlyArray<OrderItem>) => refusal(orderBy("key_poor", { items }))
const limited = (limits: Partial<typeof noLimits>) =>
  given({ keys: [key("key_rich", "acc_rich", { limits: { ...noLimits, ...limits } })] })

describe("an order is refused", () => {
  it("for an unknown key or account", () => {
    expect(refusal(orderBy("key_rich"), given({ keys: [] }))).toMatchObject({ _tag: "KeyNotFound", keyId: "key_rich" })
    const noAccounts = given({ accounts: [] })
    expect(refusal(orderBy("key_rich"), noAccounts)).toMatchObject({ _tag: "AccountNotFound", accountId: "acc_rich" })
  })

  it("for a revoked key", () => {
    const books = given({ keys: [key("key_rich", "acc_rich", { revokedAtMs: NOON })] })
    expect(refusal(orderBy("key_rich"), books)).toMatchObject({ _tag: "RevokedApiKey" })
  })

  it("for an invalid cart, with all its faults", () => {
    expect(poorOrders(item({ articleId: 11 }), item({ format: "insertion" }))).toMatchObject({
      _tag: "CartInvalid",
      faults: [{ path: { item: 0, field: "articleId" } }, { path: { item: 1, field: "articleId" } }]
    })
    expect(refusal(orderBy("key_rich", { sandboxCreditCents: 1 }))).toMatchObject({
      _tag: "CartInvalid",
      faults: [{ path: { field: "sandboxCreditCents" } }]
    })
  })

  it("for the same article twice", () => {
    expect(poorOrders(insertion(11), insertion(11))).toMatchObject({
      _tag: "CartInvalid",
      faults: [{ path: { item: 1, field: "articleId" } }]
    })
  })

  it("for the daily cap", () => {
    const { books } = placed(limited({ dailyOrderCap: 1 }), orderBy("key_rich"))
    expect(refusal(orderBy("key_rich"), books)).toMatchObject({
      _tag: "DailyCapReached",
      limit: 1,
      used: 1,
      resetsAtMs: MIDNIGHT
    })
  })

  it("for a limit of its key; the daily one counts this order and the open and paid ones", () => {
    const { books } = placed(limited({ maxDayCents: 1_999 }), orderBy("key_rich", { items: [item({ siteId: 2 })] }))
    expect(refusal(orderBy("key_rich"), books)).toMatchObject({
      _tag: "SpendPolicyRefused",
      rule: "max_day_cents",
      limitCents: 1_999,
      wouldBeCents: 2_000
    })
    expect(refusal(orderBy("key_rich"), limited({ maxOrderCents: 499 }))).toMatchObject({ rule: "max_order_cents" })
    expect(refusal(orderBy("key_rich"), limited({ allowedDomains: ["other.example"] }))).toMatchObject({
      rule: "allowed_domains",
      path: { item: 0, field: "targetUrl" }
    })
  })

  it("for a net total above the caller's guard", () => {
    expect(refusal(orderBy("key_poor", { maxTotalCents: 399 }))).toMatchObject({
      _tag: "PriceAboveLimit",
      totalCents: 400,
      limitCents: 399
    })
    expect(placed(given(), orderBy("key_poor", { maxTotalCents: 400 })).reply.quote.totalCents).toBe(400)
  })

  it("for a total below the card's minimum, unless credit covers it", () => {
    expect(poorOrders(insertion(13))).toMatchObject({
      _tag: "AmountBelowMinimum",
      totalCents: 16,
      availableCents: 0,
      minimumCents: 50
    })
    const covered = given({ accounts: [account("acc_poor", 16)] })
    expect(placed(covered, orderBy("key_poor", { items: [insertion(13)] })).reply.quote.status).toBe("paid")
    const short = given({ accounts: [account("acc_poor", 15)] })
    expect(refusal(orderBy("key_poor", { items: [insertion(13)] }), short)).toMatchObject({ availableCents: 15 })
  })
})

describe("the card's maximum", () => {
  const upTo = (cardMaximumCents: number, dryRun = false): PlaceOrder => ({
    ...orderBy("key_poor", { dryRun }),
    settings: { ...defaultShopSettings, cardMaximumCents }
  })

  it("refuses a card part above it, dry runs included", () => {
    for (const dryRun of [false, true]) {
      expect(refusal(upTo(399, dryRun))).toMatchObject({
        _tag: "AmountAboveMaximum",
        totalCents: 400,
        availableCents: 0,
        maximumCents: 399
      })
    }
  })

  it("is about the part that credit does not cover, and may be charged itself", () => {
    expect(placed(given(), upTo(400)).reply.quote.cardCents).toBe(400)
    const some = given({ accounts: [account("acc_poor", 1)] })
    expect(placed(some, upTo(399)).reply.quote).toMatchObject({ creditCents: 1, cardCents: 399 })
    const enough = given({ accounts: [account("acc_poor", 400)] })
    expect(placed(enough, upTo(50)).reply.quote.status).toBe("paid")
  })
})

describe("with several reasons", () => {
  interface Setting {
    readonly books: Books
    readonly input: PlaceOrder
  }
  type Spoil = (setting: Setting) => Setting

  const ask =
    (over: Partial<PlaceOrder["request"]>): Spoil =>
    ({ books, input }) => ({ books, input: { ...input, request: { ...input.request, ...over } } })
  const addItem =
    (one: OrderItem): Spoil =>
    (setting) =>
      ask({ items: [one, ...setting.input.request.items] })(setting)
  const onKey =
    (change: (one: ReturnType<typeof key>) => ReturnType<typeof key>): Spoil =>
    ({ books, input }) => {
      const keys = [...books.keys].map(([, one]) => (one.keyId === "key_poor" ? change(one) : one))
      return { books: { ...books, keys: given({ keys }).keys }, input }
    }

  const idempotency = { key: "purchase 1", fingerprint: "f1" }
  /** The books after an order of `key_poor` today, under an idempotency key. */
  const before = placed(given(), orderBy("key_poor", {}, { idempotency })).books

  /** The checks in the order of the contract, each with a way to fail it alone. */
  const checks: ReadonlyArray<readonly [string, Spoil]> = [
    ["RevokedApiKey", onKey((one) => ({ ...one, revokedAtMs: NOON }))],
    ["CartInvalid", addItem(item({ articleId: 12 }))],
    [
      "IdempotencyKeyReused",
      ({ books, input }) => ({ books, input: { ...input, idempotency: { ...idempotency, fingerprint: "f2" } } })
    ],
    ["DailyCapReached", onKey((one) => ({ ...one, limits: { ...one.limits, dailyOrderCap: 1 } }))],
    ["SiteNotFound", addItem(item({ siteId: 99 }))],
    ["ArticleSiteMismatch", addItem(insertion(11, { siteId: 2 }))],
    ["SiteUnavailable", addItem(item({ siteId: 4 }))],
    ["PromoCodeInvalid", ask({ promoCode: "NOPE" })],
    ["SpendPolicyRefused", onKey((one) => ({ ...one, limits: { ...one.limits, maxOrderCents: 1 } }))],
    ["PriceAboveLimit", ask({ maxTotalCents: 1 })],
    [
      "AmountBelowMinimum",
      ({ books, input }) => ({
        books,
        input: { ...input, settings: { ...input.settings, cardMinimumCents: 1_000_000 } }
      })
    ],
    [
      "AmountAboveMaximum",
      ({ books, input }) => ({ books, input: { ...input, settings: { ...input.settings, cardMaximumCents: 1 } } })
    ]
  ]

  const sound: Setting = { books: before, input: orderBy("key_poor") }

  it("the base order has none", () => {
    expect(placed(sound.books, sound.input).reply.quote.status).toBe("awaiting_payment")
  })

  it.each(checks)("%s can be the only reason", (tag, spoil) => {
    const { books, input } = spoil(sound)
    expect(refusal(input, books)).toMatchObject({ _tag: tag })
  })

  const tags = fc.subarray(
    checks.map(([tag]) => tag),
    { minLength: 2 }
  )

  property("the first in the order of checks is reported", [tags], (several) => {
    const spoils = checks.filter(([tag]) => several.includes(tag))
    const { books, input } = spoils.reduce((setting, [, spoil]) => spoil(setting), sound)
    expect(refusal(input, books)).toMatchObject({ _tag: several[0] })
  })
})

describe("an account that owes something of a refunded top-up", () => {
  const owing = given({ accounts: [account("acc_rich", 10_000, { owedCents: 300 }), account("acc_poor", 0)] })
  const byCard = given({ accounts: [account("acc_rich", 0, { owedCents: 300 }), account("acc_poor", 0)] })

  it.each([false, true])("orders nothing from credit, as a dry run (%s) too", (dryRun) => {
    const refusal = refused(owing, placeOrder(orderBy("key_rich", { dryRun })))
    expect(refusal).toMatchObject({ _tag: "SpendPolicyRefused", rule: "credit_owed", owedCents: 300 })
  })

  it("orders by card alone, which takes no credit", () => {
    expect(placed(byCard, orderBy("key_rich")).reply.quote).toMatchObject({
      creditCents: 0,
      status: "awaiting_payment"
    })
  })

  it("orders in the sandbox, where no credit is spent", () => {
    expect(placed(owing, orderBy("key_rich_test")).reply.order).not.toBeNull()
  })
})

describe("a refusal is the same live, in sandbox and as a dry run", () => {
  const carts: ReadonlyArray<readonly [string, Partial<PlaceOrder["request"]>]> = [
    ["an unknown site", { items: [item({ siteId: 99 })] }],
    ["another site's article", { items: [insertion(41)] }],
    ["a paused site", { items: [item({ siteId: 4 })] }],
    ["an unknown code", { promoCode: "NOPE" }],
    ["a price above the caller's limit", { maxTotalCents: 1 }],
    ["an amount below the card's minimum", { items: [insertion(13)] }]
  ]
  it.each(carts)("%s", (_, asked) => {
    const live = refusal(orderBy("key_poor", asked))
    expect(refusal(orderBy("key_poor_test", asked))).toEqual(live)
    expect(refusal(orderBy("key_poor", { ...asked, dryRun: true }))).toEqual(live)
  })
})
