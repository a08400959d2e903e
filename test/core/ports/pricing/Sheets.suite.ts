// What every store promises of sheets of links: kept once with their rows, chosen by revision, marked once for each order, and deleted in time.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import type { Sheet, SheetRow, SheetWithRows } from "#core/domain/pricing/Sheet.ts"
import { SHEET_KEPT_MS } from "#core/domain/pricing/Sheet.ts"
import { OrderId, ProjectId, SheetId } from "#core/domain/shared/Ids.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import { countEach } from "#test/core/BookReads.ts"
import * as Given from "#test/core/Given.ts"
import { buyer } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times, UniqueNumbers } from "../StoreSuite.ts"

const LIMIT = 5

const row = (number: number, over: Partial<SheetRow> = {}): SheetRow => ({
  ...{ number, line: number + 1, item: Given.item({ siteId: number }), cells: { site: `${number}` }, faults: [] },
  ...{ chosen: number % 2 === 1, chosenAtMs: 7, orderId: null },
  ...over
})

const faulty = row(4, {
  ...{ item: null, chosen: false, cells: { site: "„Ünïcode“ 🌱", brief: "two\nlines" } },
  faults: [
    { column: "site", message: "No such site." },
    { column: null, message: "It is faulty." }
  ]
})

const whole = row(5, {
  item: Given.insertion(11, { projectId: ProjectId.make("prj_1"), brief: "Be kind.\nPlease.", reference: "PO 1" })
})

const ROWS: ReadonlyArray<SheetRow> = [row(1), row(2), row(3), faulty, whole]

const ownerOf = Effect.gen(function* () {
  const { account } = yield* buyer()
  const [owner] = yield* (yield* Members).ofAccount(account.accountId)
  if (owner === undefined) throw new Error("an account has an owner")
  return owner
})

const newSheet = Effect.fnUntraced(function* (
  { accountId, memberId }: Pick<Sheet, "accountId" | "memberId">,
  over: Partial<Sheet> = {}
) {
  const nth = yield* (yield* UniqueNumbers).next
  const sheet: Sheet = {
    ...{ sheetId: SheetId.make(`sheet-${nth}`), accountId, memberId, name: `links „${nth}“.csv` },
    ...{ createdAtMs: yield* Clock.currentTimeMillis, revision: 1, promoCode: null, orders: 0 },
    ...over
  }
  return { sheet, rows: ROWS } satisfies SheetWithRows
})

const chosenIn = ({ rows }: SheetWithRows) => rows.filter(({ chosen }) => chosen).map(({ number }) => number)

const boughtIn = ({ rows }: SheetWithRows) => rows.map(({ orderId }) => orderId)

const read = Effect.fnUntraced(function* (sheetId: SheetId) {
  const found = yield* (yield* Sheets).byId(sheetId)
  if (found === null) throw new Error(`${sheetId} is not there`)
  return found
})

export const sheetsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Sheets of ${name}`, store, (it) => {
    it.effect(
      "are read with all rows as they were kept, once for 10 forms at once, and as many as an account may keep",
      () =>
        Effect.gen(function* () {
          const sheets = yield* Sheets
          const owner = yield* ownerOf
          const one = yield* newSheet(owner)
          const { sheetId } = one.sheet
          expect(yield* sheets.byId(sheetId)).toBeNull()
          const twins = times(10, (nth) => ({ ...one, rows: ROWS.slice(nth % 2) }))
          expect(countEach((yield* concurrently(twins.map((twin) => sheets.create(twin, LIMIT)))).map(String))).toEqual(
            {
              true: 10
            }
          )
          const kept = yield* read(sheetId)
          expect(kept.sheet).toEqual(one.sheet)
          expect([ROWS, ROWS.slice(1)]).toContainEqual(kept.rows)
          const whole = yield* newSheet(owner, { promoCode: "ten", createdAtMs: one.sheet.createdAtMs + 1 })
          yield* sheets.create(whole, LIMIT)
          expect(yield* read(whole.sheet.sheetId)).toEqual(whole)
          const summary = { rowCount: 5, faultCount: 1, boughtCount: 0 }
          expect((yield* sheets.ofAccount(owner.accountId))[0]).toEqual({ sheet: whole.sheet, ...summary })
          for (const _ of times(3, () => 0)) yield* sheets.create(yield* newSheet(owner), LIMIT)
          expect(yield* sheets.create(yield* newSheet(owner), LIMIT)).toBe(false)
          expect(yield* sheets.create(one, LIMIT)).toBe(true)
          expect(yield* sheets.ofAccount(owner.accountId)).toHaveLength(LIMIT)
          expect(yield* sheets.create(yield* newSheet(yield* ownerOf), LIMIT)).toBe(true)
        })
    )

    it.effect("are no more than an account may keep, also where 12 different ones are uploaded at once", () =>
      Effect.gen(function* () {
        const sheets = yield* Sheets
        const owner = yield* ownerOf
        const uploads = yield* Effect.forEach(
          times(12, (nth) => nth),
          () => newSheet(owner)
        )
        const kept = yield* concurrently(uploads.map((one) => sheets.create(one, LIMIT)))
        expect(countEach(kept.map(String))).toEqual({ true: LIMIT, false: 12 - LIMIT })
        expect(yield* sheets.ofAccount(owner.accountId)).toHaveLength(LIMIT)
      })
    )

    it.effect(
      "are chosen from by the revision that was seen: of 10 choices at once one counts, for the rows it names",
      () =>
        Effect.gen(function* () {
          const sheets = yield* Sheets
          const one = yield* newSheet(yield* ownerOf)
          const { sheetId } = one.sheet
          yield* sheets.create(one, LIMIT)
          const rows = { from: 2, to: 4, chosen: [2, 4, 5], atMs: 9 }
          const choices = times(10, () => sheets.choose({ sheetId, revision: 1, rows }))
          expect(countEach((yield* concurrently(choices)).map(String))).toEqual({ true: 1, false: 9 })
          const after = yield* read(sheetId)
          expect([after.sheet.revision, after.sheet.promoCode, chosenIn(after)]).toEqual([2, null, [1, 2, 5]])
          expect(after.rows.map(({ chosenAtMs }) => chosenAtMs)).toEqual([7, 9, 9, 7, 7])
          expect(yield* sheets.choose({ sheetId, revision: 2, promoCode: "TEN" })).toBe(true)
          const coded = yield* read(sheetId)
          expect([coded.sheet.revision, coded.sheet.promoCode, chosenIn(coded)]).toEqual([3, "TEN", [1, 2, 5]])
          expect(yield* sheets.choose({ sheetId, revision: 3, promoCode: null })).toBe(true)
          expect((yield* read(sheetId)).sheet.promoCode).toBeNull()
          expect(yield* sheets.choose({ sheetId: SheetId.make("none"), revision: 1, rows })).toBe(false)
        })
    )

    it.effect(
      "mark the rows of each order once, in the order of their numbers; what is bought is not chosen from",
      () =>
        Effect.gen(function* () {
          const sheets = yield* Sheets
          const one = yield* newSheet(yield* ownerOf)
          const { sheetId } = one.sheet
          yield* sheets.create(one, LIMIT)
          const [first, second] = [OrderId.make("ord_first"), OrderId.make("ord_second")]
          yield* sheets.mark({ sheetId, nth: 2, orderId: second, rows: [3] })
          expect((yield* read(sheetId)).sheet.orders).toBe(0)
          yield* concurrently(
            times(10, (nth) => sheets.mark({ sheetId, nth: 1, orderId: first, rows: [1 + (nth % 2), 5] }))
          )
          const marked = yield* read(sheetId)
          expect(marked.sheet).toEqual({ ...one.sheet, orders: 1 })
          const others = [
            [first, null, null, null, first],
            [null, first, null, null, first]
          ]
          expect(others).toContainEqual(boughtIn(marked))
          yield* sheets.mark({ sheetId, nth: 2, orderId: second, rows: [3, 5] })
          yield* sheets.mark({ sheetId, nth: 2, orderId: OrderId.make("ord_third"), rows: [1, 2] })
          const both = yield* read(sheetId)
          expect([both.sheet.orders, boughtIn(both)]).toEqual([2, boughtIn(marked).with(2, second)])
          yield* sheets.choose({ sheetId, revision: 1, rows: { from: 1, to: 5, chosen: [1, 2], atMs: 9 } })
          const open = (yield* read(sheetId)).rows.filter(({ orderId, item }) => orderId === null && item !== null)
          expect(open.map(({ chosen }) => chosen)).toEqual([true])
          const [summary] = yield* sheets.ofAccount(one.sheet.accountId)
          expect(summary).toMatchObject({ rowCount: 5, faultCount: 1, boughtCount: 3 })
          yield* sheets.mark({ sheetId: SheetId.make("none"), nth: 1, orderId: first, rows: [1] })
        })
    )

    it.effect("end with their rows when they are removed, and once they were kept for their time", () =>
      Effect.gen(function* () {
        const sheets = yield* Sheets
        const owner = yield* ownerOf
        const nowMs = yield* Clock.currentTimeMillis
        const [removed, old, young] = [
          yield* newSheet(owner),
          yield* newSheet(owner, { createdAtMs: nowMs - SHEET_KEPT_MS - 60_000 }),
          yield* newSheet(owner, { createdAtMs: nowMs - SHEET_KEPT_MS + 60_000 })
        ]
        for (const one of [removed, old, young]) yield* sheets.create(one, LIMIT)
        yield* sheets.remove(removed.sheet.sheetId)
        yield* sheets.remove(removed.sheet.sheetId)
        expect((yield* sheets.ofAccount(owner.accountId)).map(({ sheet }) => sheet)).toEqual([young.sheet, old.sheet])
        yield* sheets.prune
        expect((yield* sheets.ofAccount(owner.accountId)).map(({ sheet }) => sheet)).toEqual([young.sheet])
        expect(yield* read(young.sheet.sheetId)).toEqual(young)
        for (const gone of [removed, old]) {
          expect(yield* sheets.byId(gone.sheet.sheetId)).toBeNull()
          expect(yield* sheets.create({ ...gone, rows: [] }, LIMIT)).toBe(true)
          expect((yield* read(gone.sheet.sheetId)).rows).toEqual([])
        }
      })
    )
  })
