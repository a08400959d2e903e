// The rules of a sheet: which rows repeat something, how they are divided into orders, what credit covers, and which rows an order bought.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isIdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import { MAX_ITEMS, type OrderItem } from "#core/domain/pricing/Cart.ts"
import {
  chosenAtFirst,
  coveredBy,
  inOrders,
  isOpenRow,
  nextOrderKey,
  type OrderedBefore,
  rangesOf,
  repeatedRows,
  rowsBought,
  type Sheet,
  type SheetRow,
  sameLinkKey,
  sheetOrderKey,
  stillChosen
} from "#core/domain/pricing/Sheet.ts"
import { AccountId, MemberId, OrderId, SheetId } from "#core/domain/shared/Ids.ts"
import { item, NOON } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const row = (number: number, over: Partial<SheetRow> = {}): SheetRow => ({
  ...{ number, line: number + 1, item: item(), cells: {}, faults: [], chosen: true, chosenAtMs: NOON, orderId: null },
  ...over
})

/** Few different links, so that many rows are the same. */
const items: fc.Arbitrary<OrderItem> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("a", "b"), fc.constantFrom("one", "two"), fc.boolean())
  .map(([siteId, page, anchorText, isBrief]) =>
    item({ siteId, targetUrl: `https://brand.example/${page}`, anchorText, ...(isBrief ? { brief: "Please." } : {}) })
  )

const orderIds = fc.constantFrom(null, null, OrderId.make("ord_1"), OrderId.make("ord_2"))

const rows: fc.Arbitrary<ReadonlyArray<SheetRow>> = fc
  .array(fc.tuple(fc.option(items), fc.boolean(), orderIds), { maxLength: 30 })
  .map((all) =>
    all.map(([one, chosen, orderId], index) =>
      row(index + 1, one === null ? { item: null, chosen: false } : { item: one, chosen, orderId })
    )
  )

const ordered: fc.Arbitrary<ReadonlyArray<OrderedBefore>> = fc.array(
  fc.tuple(items, fc.constantFrom("ord_1", "ord_8", "ord_9"), fc.integer({ min: 0, max: 9 })).map(([one, id, ago]) => ({
    ...{ siteId: one.siteId, targetUrl: one.targetUrl, anchorText: one.anchorText },
    ...{ orderId: OrderId.make(id), orderedAtMs: NOON - ago }
  })),
  { maxLength: 5 }
)

describe("rows of a sheet", () => {
  property("are divided in their order, each part as large as an order may be", [fc.array(fc.nat())], (all) => {
    const parts = inOrders(all)
    expect(parts.flat()).toEqual(all)
    expect(parts.slice(0, -1).every(({ length }) => length === MAX_ITEMS)).toBe(true)
    expect(parts.every(({ length }) => length >= 1 && length <= MAX_ITEMS)).toBe(true)
  })

  property(
    "are chosen at first if they are open, the first of their kind, and not ordered by anything else",
    [rows, ordered],
    (all, before) => {
      const own = new Set(all.map(({ orderId }) => orderId))
      const bought = new Set(before.filter(({ orderId }) => !own.has(orderId)).map(sameLinkKey))
      const seen = new Set<string>()
      for (const one of chosenAtFirst(all, before)) {
        const key = one.item === null ? "" : sameLinkKey(one.item)
        expect(one.chosen).toBe(isOpenRow(one) && !seen.has(key) && !bought.has(key))
        seen.add(key)
      }
    }
  )

  it("repeat an order or a row whose target and anchor are only spelled otherwise; the latest order is named", () => {
    const spelled = item({ targetUrl: "HTTPS://Brand.Example:443/hotels#top", anchorText: " hotels  in Lisbon" })
    const plain = item({ targetUrl: "https://brand.example/hotels", anchorText: "hotels in Lisbon" })
    const order = (id: string, orderedAtMs: number) => ({ ...plain, orderId: OrderId.make(id), orderedAtMs })
    const all = [row(1, { item: spelled }), row(2, { item: { ...plain, brief: "Other wishes" } })]
    expect([...repeatedRows(all, [])]).toEqual([[2, { by: "row", number: 1 }]])
    const latest = { by: "order", orderId: "ord_b", orderedAtMs: NOON }
    expect([...repeatedRows(all, [order("ord_b", NOON), order("ord_a", 1)])]).toEqual([
      [1, latest],
      [2, latest]
    ])
    const another = row(1, { item: { ...plain, targetUrl: "https://brand.example/Hotels" } })
    expect([...repeatedRows([another], [order("ord_b", NOON)])]).toEqual([])
  })

  property(
    "stay chosen unless an order that is not of the sheet is of the same link and newer than their tick",
    [rows, ordered, fc.integer({ min: 0, max: 9 })],
    (all, before, ago) => {
      const ticked = all.map((one) => ({ ...one, chosenAtMs: NOON - ago }))
      const own = new Set(all.map(({ orderId }) => orderId))
      const newer = before.filter(({ orderId, orderedAtMs }) => !own.has(orderId) && orderedAtMs > NOON - ago)
      const keys = new Set(newer.map(sameLinkKey))
      for (const [index, one] of stillChosen(ticked, before).entries()) {
        const was = ticked[index]
        const isLeftOut = one.orderId === null && one.item !== null && keys.has(sameLinkKey(one.item))
        expect(one).toEqual({ ...was, chosen: was?.chosen === true && !isLeftOut })
      }
    }
  )

  property(
    "are named by ranges, each set of numbers by one text",
    [fc.array(fc.integer({ min: 1, max: 30 }))],
    (all) => {
      const named = rangesOf(all)
        .split(" ")
        .filter((range) => range !== "")
        .flatMap((range) => {
          const [first = 0, last = first] = range.split("-").map(Number)
          return Array.from({ length: last - first + 1 }, (_, index) => first + index)
        })
      expect(named).toEqual([...new Set(all)].toSorted((a, b) => a - b))
      expect(rangesOf(all.toReversed())).toBe(rangesOf(all))
    }
  )

  property("that an order bought are open, as many as its items, equal to them, chosen ones first", [rows], (all) => {
    const open = all.filter(isOpenRow)
    const bought = open.filter((_, index) => index % 2 === 0).map((one) => one.item)
    const numbers = rowsBought(all, bought)
    expect(new Set(numbers).size).toBe(bought.length)
    const taken = open.filter(({ number }) => numbers.includes(number))
    const texts = (of: ReadonlyArray<OrderItem>) => of.map((one) => JSON.stringify(one)).toSorted()
    expect(texts(taken.map((one) => one.item))).toEqual(texts(bought))
    const left = open.filter(({ number }) => !numbers.includes(number))
    for (const one of left.filter(({ chosen }) => chosen)) {
      const equal = taken.filter((other) => JSON.stringify(other.item) === JSON.stringify(one.item))
      expect(equal.every(({ chosen }) => chosen)).toBe(true)
    }
  })
})

describe("credit", () => {
  const cents = fc.integer({ min: 0, max: 1_000 })
  property(
    "covers orders from the first on, each whole, as far as it goes",
    [cents, fc.array(cents)],
    (has, totals) => {
      const { count, cents: paid, missingCents } = coveredBy(has, totals)
      const sum = (of: ReadonlyArray<number>) => of.reduce((all, one) => all + one, 0)
      expect(paid).toBe(sum(totals.slice(0, count)))
      expect(paid).toBeLessThanOrEqual(has)
      if (count < totals.length) expect(paid + (totals[count] ?? 0)).toBeGreaterThan(has)
      expect(coveredBy(has + missingCents, totals).count).toBe(totals.length)
      if (missingCents > 0) expect(coveredBy(has + missingCents - 1, totals).count).toBeLessThan(totals.length)
    }
  )
})

it("the orders of a sheet have keys that follow from their number, and that no agent can send", () => {
  const sheet: Sheet = {
    ...{ sheetId: SheetId.make("s1"), accountId: AccountId.make("acc_1"), memberId: MemberId.make("mem_1") },
    ...{ name: "links.csv", createdAtMs: NOON, revision: 1, promoCode: null, orders: 2 }
  }
  expect(nextOrderKey(sheet)).toBe(sheetOrderKey(sheet.sheetId, 3))
  expect(new Set([1, 2, 12].map((nth) => sheetOrderKey(sheet.sheetId, nth))).size).toBe(3)
  expect(isIdempotencyKey(nextOrderKey(sheet))).toBe(false)
})
