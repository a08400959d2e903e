// A sheet whose purchase is killed between any two steps: pressed again, or looked at and pressed again, it buys each row once, and no more than
// the person agreed to.
import { layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer } from "effect"
import { expect } from "vitest"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { MAX_ITEMS } from "#core/domain/pricing/Cart.ts"
import { rangesOf } from "#core/domain/pricing/Sheet.ts"
import { SheetId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Sheets } from "#core/ports/pricing/Sheets.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { BuySheet, type SheetToBuy } from "#core/usecases/ordering/BuySheet.ts"
import { KeepSheets } from "#core/usecases/ordering/KeepSheets.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { RepeatedOrders } from "#core/usecases/ordering/RepeatedOrders.ts"
import { WebShop } from "#core/usecases/ordering/WebShop.ts"
import { customer } from "#test/adapters/web/CartSteps.ts"
import { known, movements, ordersOf, quotesOf } from "#test/core/BookReads.ts"
import * as Given from "#test/core/Given.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { expectConsistentBooks } from "#test/scenarios/ConsistentBooks.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

const ROWS = MAX_ITEMS + 5
const ORDERS = 2
const LINK_CENTS = 500

/** What a process does up to its `nth` step at the store, before which or after which it is killed. */
interface Kill {
  readonly nth: number
  readonly when: "before" | "after"
}

/** The ports of a process that counts its steps, and ends at one of them. */
const killable = (ports: Context.Context<OrderBook | Quotes | Sheets>, kill: Kill) => {
  let steps = 0
  // Other processes take their turns between two steps, although the store in memory never waits.
  const stepping = <A, E>(step: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(Effect.yieldNow, () => {
      const isLast = ++steps === kill.nth
      if (isLast && kill.when === "before") return Effect.interrupt
      return isLast ? Effect.andThen(step, Effect.interrupt) : step
    })
  const [book, quotes, sheets] = [Context.get(ports, OrderBook), Context.get(ports, Quotes), Context.get(ports, Sheets)]
  const context = Context.omit(Layer.CurrentMemoMap)(ports).pipe(
    Context.add(OrderBook, { transact: (reads, decide) => stepping(book.transact(reads, decide)) }),
    Context.add(Quotes, {
      ...quotes,
      byIdempotencyKey: (caller, key) => stepping(quotes.byIdempotencyKey(caller, key))
    }),
    Context.add(Sheets, {
      ...sheets,
      byId: (id) => stepping(sheets.byId(id)),
      mark: (order) => stepping(sheets.mark(order))
    })
  )
  return { layer: Layer.succeedContext(context), steps: () => steps }
}

const NEVER: Kill = { nth: Number.POSITIVE_INFINITY, when: "before" }

/** The purchase, by another process. */
const buyIn = Effect.fnUntraced(function* (caller: Caller, wish: SheetToBuy, kill: Kill) {
  const ports = yield* Effect.context<OrderBook | Quotes | Sheets>()
  const { layer: killed, steps } = killable(ports, kill)
  const uses = BuySheet.layer.pipe(
    Layer.provide(KeepSheets.layer),
    Layer.provide(PlaceOrder.layer.pipe(Layer.provide(RepeatedOrders.layer))),
    Layer.provide(killed)
  )
  const process = Effect.flatMap(Layer.makeMemoMap, (memo) =>
    Effect.flatMap(Effect.scope, (scope) => Layer.buildWithMemoMap(uses, memo, scope))
  )
  const bought = Effect.scoped(Effect.flatMap(process, (built) => Context.get(built, BuySheet).buy(caller, wish)))
  // A kill ends this fiber alone.
  return { exit: yield* Effect.exit(bought), steps: steps() }
})

/** An owner with credit for so many links, a new sheet, and what they saw and agreed to. */
const sheetOf = Effect.fnUntraced(function* (creditLinks: number) {
  const { owner: token, account } = yield* customer(creditLinks * LINK_CENTS)
  const site = yield* listSite()
  const { siteId } = site
  const signedIn = yield* (yield* MemberSessions).authenticate(token)
  const caller = yield* (yield* WebShop).callerOf(signedIn)
  const sheetId = SheetId.make(yield* (yield* WebShop).newId)
  const rows = times(ROWS, (index) => ({
    ...{ line: index + 2, cells: {}, faults: [] },
    // The last two are one link.
    item: Given.item({ siteId, anchorText: `anchor ${Math.min(index, ROWS - 2)}` })
  }))
  yield* (yield* KeepSheets).create(signedIn, { sheetId, name: "links.csv", rows })
  const chosen = times(ROWS, (index) => index + 1)
  yield* (yield* KeepSheets).choose(signedIn, { sheetId, revision: 1, rows: { from: 1, to: ROWS, chosen } })
  const domainOf = (host: string) => host
  const look = Effect.flatMap(BuySheet, ({ view }) => view(caller, sheetId, domainOf))
  const seen = Effect.map(look, ({ sheet, covered, priced }) => ({
    ...{ sheetId, revision: sheet.revision, domainOf },
    ...{ firstOrder: sheet.orders + 1, lastOrder: sheet.orders + covered.count, totalCents: covered.cents },
    rows: rangesOf(priced.orders.slice(0, covered.count).flatMap((order) => order.rows.map(({ number }) => number)))
  }))
  return { caller, account, site, look, seen, wish: yield* seen }
})

/** What was bought of the sheet, by its rows and by the books. */
const boughtOf = Effect.fnUntraced(function* ({ caller, look }: Effect.Success<ReturnType<typeof sheetOf>>) {
  const { rows } = yield* look
  const books = yield* (yield* RunningService.RunningService).books
  const orders = ordersOf(books, caller)
  const anchors = orders.flatMap(({ linkIds }) => linkIds.map((id) => known(books.links, id).anchorText))
  const marked = rows.flatMap(({ orderId, item }) => (orderId === null ? [] : [item?.anchorText ?? ""]))
  expect(anchors.toSorted()).toEqual(marked.toSorted())
  expect(new Set(rows.flatMap(({ orderId }) => orderId ?? []))).toEqual(new Set(orders.map(({ orderId }) => orderId)))
  expect(quotesOf(books, caller)).toHaveLength(orders.length)
  const paid = movements(books, caller.accountId).filter((one) => one.startsWith("capture"))
  expect(paid).toHaveLength(orders.length)
  return { rows: marked.length, orders: orders.length, sizes: orders.map(({ linkIds }) => linkIds.length) }
})

const all = { rows: ROWS, orders: ORDERS, sizes: [MAX_ITEMS, 5] }

layer(RunningService.layer())("a sheet", (it) => {
  it.effect("that is killed before or after each step, and pressed again, buys each row once", () =>
    Effect.gen(function* () {
      const whole = yield* sheetOf(ROWS)
      const { exit, steps } = yield* buyIn(whole.caller, whole.wish, NEVER)
      expect(Exit.isSuccess(exit)).toBe(true)
      expect(yield* boughtOf(whole)).toEqual(all)
      // Sheet, key, price, order, mark; and at the end sheet and key.
      expect(steps).toBeGreaterThanOrEqual(ORDERS * 5)
      for (const nth of times(steps, (index) => index + 1)) {
        for (const when of ["before", "after"] as const) {
          const sheet = yield* sheetOf(ROWS)
          const killed = yield* buyIn(sheet.caller, sheet.wish, { nth, when })
          expect(Exit.isFailure(killed.exit), `${when} step ${nth}`).toBe(true)
          const again = nth % 2 === 0 ? sheet.wish : yield* sheet.seen
          yield* buyIn(sheet.caller, again, NEVER)
          expect(yield* boughtOf(sheet), `${when} step ${nth}`).toEqual(all)
          const late = yield* buyIn(sheet.caller, sheet.wish, NEVER)
          expect(Exit.getSuccess(late.exit)).toMatchObject({ value: { rowCount: 0, stopped: null } })
          expect(yield* boughtOf(sheet)).toEqual(all)
        }
      }
      yield* expectConsistentBooks
    })
  )

  it.effect(
    "that four windows buy at once, step by step in turns, is bought once; so it is where one of them is killed",
    () =>
      Effect.gen(function* () {
        for (const nth of [Number.POSITIVE_INFINITY, 3, 4, 5, 9]) {
          const sheet = yield* sheetOf(ROWS)
          const kills = [{ nth, when: "after" }, NEVER, NEVER, NEVER] as const
          yield* concurrently(kills.map((kill) => buyIn(sheet.caller, sheet.wish, kill)))
          expect(yield* boughtOf(sheet)).toEqual(all)
        }
      })
  )

  it.effect("that is killed again and again at the same step goes on from there, and ends", () =>
    Effect.gen(function* () {
      for (const nth of [5, 6, 8]) {
        const sheet = yield* sheetOf(ROWS)
        let runs = 0
        for (let isDone = false; !isDone && runs < 100; runs++)
          isDone = Exit.isSuccess((yield* buyIn(sheet.caller, sheet.wish, { nth, when: "after" })).exit)
        expect(runs).toBeGreaterThan(1)
        expect(runs).toBeLessThan(100)
        expect(yield* boughtOf(sheet)).toEqual(all)
      }
    })
  )

  it.effect("that is killed after an order was made counts it against the agreed total when it is pressed again", () =>
    Effect.gen(function* () {
      for (const isMarked of [false, true]) {
        const sheet = yield* sheetOf(3 * ROWS)
        // The order is the fourth step, and its mark the fifth.
        yield* buyIn(sheet.caller, sheet.wish, { nth: isMarked ? 5 : 4, when: "after" })
        yield* listSite({ ...sheet.site, shelf: "Corail" })
        const { exit } = yield* buyIn(sheet.caller, sheet.wish, NEVER)
        expect(Exit.getSuccess(exit)).toMatchObject({ value: { rowCount: 0, stopped: { _tag: "SheetChanged" } } })
        expect(yield* boughtOf(sheet)).toEqual({ rows: MAX_ITEMS, orders: 1, sizes: [MAX_ITEMS] })
      }
    })
  )

  it.effect(
    "buys no more than credit covers, order by order, also after a kill; a form that is sent again buys nothing later",
    () =>
      Effect.gen(function* () {
        const sheet = yield* sheetOf(MAX_ITEMS + 4)
        expect(sheet.wish).toMatchObject({ lastOrder: 1, totalCents: MAX_ITEMS * LINK_CENTS })
        yield* buyIn(sheet.caller, sheet.wish, { nth: 4, when: "after" })
        yield* buyIn(sheet.caller, sheet.wish, NEVER)
        const part = { rows: MAX_ITEMS, orders: 1, sizes: [MAX_ITEMS] }
        expect(yield* boughtOf(sheet)).toEqual(part)
        const { covered } = yield* sheet.look
        expect(covered).toEqual({ count: 0, cents: 0, missingCents: LINK_CENTS })
        yield* topUp(sheet.account.accountId, LINK_CENTS)
        yield* buyIn(sheet.caller, sheet.wish, NEVER)
        expect(yield* boughtOf(sheet)).toEqual(part)
        yield* buyIn(sheet.caller, yield* sheet.seen, NEVER)
        expect(yield* boughtOf(sheet)).toEqual(all)
      })
  )
})
