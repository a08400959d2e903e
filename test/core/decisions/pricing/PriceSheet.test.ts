// The price of a sheet: each row by itself, the orders as `placeOrder` makes them one after another, and what keeps a row or a code out.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { placeOrder } from "#core/decisions/ordering/PlaceOrder.ts"
import { priceSheet } from "#core/decisions/pricing/PriceSheet.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { coveredBy, type OpenRow } from "#core/domain/pricing/Sheet.ts"
import { defaultShopSettings } from "#core/domain/ShopSettings.ts"
import { AccountId, ProjectId } from "#core/domain/shared/Ids.ts"
import { account, given, insertion, item, orderBy, promo } from "#test/core/Given.ts"
import { decide, when } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"

const rowsOf = (items: ReadonlyArray<OrderItem>, isChosen = (_: number) => true): ReadonlyArray<OpenRow> =>
  items.map((one, index) => ({
    ...{ number: index + 1, line: index + 2, item: one, cells: {}, faults: [], chosenAtMs: 0, orderId: null },
    chosen: isChosen(index + 1)
  }))

const price = (books: Books, rows: ReadonlyArray<OpenRow>, accountId = "acc_poor", promoCode: string | null = null) =>
  when(
    books,
    priceSheet({
      caller: { accountId: AccountId.make(accountId), mode: "live" },
      ...{ rows, promoCode, domainOf: (host) => host, settings: defaultShopSettings }
    })
  ).reply

const priced = fc.constantFrom(
  item(),
  item({ siteId: 2, tier2Links: 3 }),
  item({ siteId: 3 }),
  insertion(11),
  insertion(12)
)

describe("the orders of a sheet", () => {
  const sheets = fc.array(fc.tuple(priced, fc.boolean()), { minLength: 1, maxLength: 65 })
  const codes = fc.constantFrom(null, "TEN", "FIVER", "GONE", "ALL", "HALF")
  property(
    "cost what they cost when they are placed one after another, and credit pays as many as it was said to cover",
    [sheets, codes, fc.integer({ min: 0, max: 120_000 })],
    (all, code, balance) => {
      const half = promo("HALF", { reduction: { kind: "percent", basisPoints: 5_000 } })
      const stock = { accounts: [account("acc_poor", balance)], promos: [promo("TEN"), promo("ALL"), half] }
      let books = given(stock)
      const rows = rowsOf(
        all.map(([one]) => one),
        (number) => all[number - 1]?.[1] ?? false
      )
      const { orders, availableCents } = price(books, rows, "acc_poor", code)
      const { count } = coveredBy(
        availableCents,
        orders.map((order) => order.price.totalCents)
      )
      for (const [index, { request, price: said }] of orders.entries()) {
        const placed = decide(books, placeOrder(orderBy("key_poor", request)))
        expect(Result.isSuccess(placed)).toBe(index < count)
        if (Result.isFailure(placed)) {
          expect(placed.failure._tag).toBe("CreditTooLow")
          break
        }
        const { reply } = placed.success
        if (reply.kind !== "placed") throw new Error(reply.kind)
        const { totalCents, cardCents, grossCents, discount } = reply.placement.quote
        expect([grossCents, totalCents, cardCents, discount.source]).toEqual([
          said.grossCents,
          said.totalCents,
          0,
          said.discount.source
        ])
        books = placed.success.books
      }
    }
  )

  it("give the welcome offer to the first order alone", () => {
    const rows = rowsOf(Array.from({ length: 45 }, () => item()))
    const { orders } = price(given(), rows)
    expect(orders.map((order) => [order.rows.length, order.price.discount.source])).toEqual([
      [20, "welcome"],
      [20, "none"],
      [5, "none"]
    ])
  })

  it("take a code for the first order, and say why one does not count", () => {
    const rows = rowsOf(Array.from({ length: 25 }, () => item()))
    const counted = price(given(), rows, "acc_rich", "ten")
    expect(counted.orders.map((order) => [order.request.promoCode, order.price.discount.code])).toEqual([
      ["ten", "TEN"],
      [undefined, undefined]
    ])
    const refused = price(given(), rows, "acc_rich", "GONE")
    expect(refused.promoRefusal).toMatchObject({ _tag: "PromoCodeInvalid", reason: "expired" })
    expect(refused.orders.map((order) => order.request.promoCode)).toEqual([undefined, undefined])
  })
})

describe("a row of a sheet", () => {
  it("is priced or says why it cannot be bought, and keeps no other row from being bought", () => {
    const foreign = item({ projectId: ProjectId.make("prj_poor") })
    const rows = rowsOf([
      item({ tier2Links: 5 }),
      item({ siteId: 4 }),
      item({ siteId: 99 }),
      insertion(41),
      foreign,
      item()
    ])
    const { rows: found, orders } = price(given(), rows, "acc_rich")
    const said = [...found.values()].map((one) => (one._tag === "Priced" ? one.priceCents : one.refusal._tag))
    const { 5: pack } = defaultShopSettings.tier2PricesCents
    expect(said).toEqual([500 + pack, "SiteUnavailable", "SiteNotFound", "ArticleSiteMismatch", "ProjectNotFound", 500])
    expect(orders.flatMap((order) => order.rows.map(({ number }) => number))).toEqual([1, 6])
  })

  it("with an article that an earlier chosen row has is not bought", () => {
    const all = [insertion(11), insertion(11), insertion(11)]
    const { rows, orders } = price(given(), rowsOf(all), "acc_rich")
    expect(orders.flatMap((order) => order.rows.map(({ number }) => number))).toEqual([1])
    expect(rows.get(3)).toMatchObject({ _tag: "Refused", refusal: { _tag: "CartInvalid" } })
    const unticked = price(
      given(),
      rowsOf(all, (number) => number === 2),
      "acc_rich"
    )
    expect(unticked.orders.flatMap((order) => order.rows.map(({ number }) => number))).toEqual([2])
  })
})
