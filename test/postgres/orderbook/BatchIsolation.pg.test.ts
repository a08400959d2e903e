// Placements of many accounts travel together; what goes wrong for one of them is its own affair: a bug in its decision, rows that
// the database refuses, a row that somebody else holds.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Result } from "effect"
import { expect } from "vitest"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { expectConsistentWallet, movements } from "#test/ports/LedgerChecks.ts"
import { buyer, linksOn, listSite, order } from "#test/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { emptyPlacementReads } from "#test/ports/VisibleBooks.ts"
import { longWaits, type StoreOptions, storeInstance } from "../StoreInstances.ts"
import { freshDatabase, untilLockWaiter } from "../TestDatabase.ts"

const NEIGHBOURS = 40

/** Orders of one account: several parties, one behind the other. */
const QUEUE = 500

/** A street of buyers with credit, and a site to buy from; its own instance on its own database. */
const street = Effect.fnUntraced(function* (options: StoreOptions = longWaits) {
  const url = yield* freshDatabase
  const context = yield* Layer.build(Layer.merge(storeInstance(url, options), UniqueNumbers.layer))
  const { items, buyers } = yield* Effect.gen(function* () {
    const items = linksOn(yield* listSite())
    return { items, buyers: yield* Effect.all(times(NEIGHBOURS, () => buyer(10_000))) }
  }).pipe(Effect.provide(context))
  return { url, context, items, callers: buyers.map(({ caller }) => caller) }
})

const place = (caller: Caller, decide: Decide<unknown, never>) =>
  Effect.flatMap(OrderBook, (book) => Effect.exit(book.transact(emptyPlacementReads(caller), decide)))

const buggy: Decide<unknown, never> = () => {
  throw new Error("a bug in a decision")
}

/** Counts an order for a key that is not there: a row without its parent. */
const unsound: Decide<unknown, never> = () =>
  Result.succeed({ reply: "unsound", changes: [{ _tag: "DailyOrderCounted", keyId: "key_of_nobody", day: 20_000 }] })

/** All at once, the odd one in the middle of them. */
const amid = <A>(callers: ReadonlyArray<Caller>, buy: (caller: Caller) => Effect.Effect<A, unknown, OrderBook>) =>
  Effect.fnUntraced(function* (decide: Decide<unknown, never>) {
    const [odd, ...others] = callers
    if (odd === undefined) throw new Error("nobody lives here")
    const half = others.length / 2
    const bought = yield* Effect.forkChild(concurrently(others.slice(0, half).map(buy)), { startImmediately: true })
    const failed = yield* Effect.forkChild(place(odd, decide), { startImmediately: true })
    const later = yield* concurrently(others.slice(half).map(buy))
    return { odd, bought: [...(yield* Fiber.join(bought)), ...later], exit: yield* Fiber.join(failed) }
  })

const causeOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? exit.cause : Cause.empty)

describe("among placements that go together", () => {
  it.live("a decision with a bug dies alone", () =>
    Effect.gen(function* () {
      const { context, items, callers } = yield* street()
      yield* Effect.gen(function* () {
        const { odd, bought, exit } = yield* amid(callers, (caller) => order(caller, { items }))(buggy)
        expect(Cause.squash(causeOf(exit))).toMatchObject({ message: "a bug in a decision" })
        expect(bought.map(({ quote }) => quote.status)).toEqual(times(NEIGHBOURS - 1, () => "paid"))
        expect(yield* movements(odd.accountId)).toEqual(["top_up 10000"])
        for (const { accountId } of callers) yield* expectConsistentWallet(accountId)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("what the database refuses is refused alone, and the others are written once", () =>
    Effect.gen(function* () {
      const { context, items, callers } = yield* street()
      yield* Effect.gen(function* () {
        const { bought, exit } = yield* amid(callers, (caller) => order(caller, { items }))(unsound)
        expect(Cause.hasDies(causeOf(exit))).toBe(true)
        expect(bought.map(({ quote }) => quote.status)).toEqual(times(NEIGHBOURS - 1, () => "paid"))
        for (const { accountId } of callers.slice(1)) {
          expect(yield* movements(accountId)).toEqual(["top_up 10000", "hold 500", "capture 500"])
          yield* expectConsistentWallet(accountId)
        }
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("on a busy account too, where each party is decided while the one before it is being written", () =>
    Effect.gen(function* () {
      const { context, items } = yield* street()
      yield* Effect.gen(function* () {
        const { caller } = yield* buyer(QUEUE * 500)
        const queue = times(QUEUE, () => caller)
        for (const decide of [buggy, unsound]) {
          const { bought, exit } = yield* amid(queue.slice(0, QUEUE / 2), (one) => order(one, { items }))(decide)
          expect(Cause.hasDies(causeOf(exit))).toBe(true)
          expect(bought.map(({ quote }) => quote.status)).toEqual(times(QUEUE / 2 - 1, () => "paid"))
        }
        const spent = times(QUEUE - 2, () => ["hold 500", "capture 500"]).flat()
        expect(yield* movements(caller.accountId)).toEqual([`top_up ${QUEUE * 500}`, ...spent])
        yield* expectConsistentWallet(caller.accountId)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("what is decided while an earlier party is held up comes out as if that had been written", () =>
    Effect.gen(function* () {
      // Nobody is to give the site up before the stranger does.
      const { url, context, items } = yield* street({ ...longWaits, statementTimeout: "60 seconds" })
      yield* Effect.gen(function* () {
        const { caller } = yield* buyer(QUEUE * 500)
        const stranger = yield* PgConnection.make({ url })
        yield* stranger.query("BEGIN")
        // Links are not written while their site is locked; whoever only looks at it does not wait.
        yield* stranger.query("SELECT FROM sites FOR UPDATE")
        const queue = times(QUEUE / 2, () => order(caller, { items }))
        const bought = yield* Effect.forkChild(concurrently(queue), { startImmediately: true })
        yield* untilLockWaiter(stranger)
        yield* Effect.sleep("200 millis")
        yield* stranger.query("ROLLBACK")
        expect((yield* Fiber.join(bought)).map(({ quote }) => quote.status)).toEqual(queue.map(() => "paid"))
        yield* expectConsistentWallet(caller.accountId)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("whoever's row is locked waits alone, and is told so in the end", () =>
    Effect.gen(function* () {
      const { url, context, items, callers } = yield* street({ ...longWaits, statementTimeout: "3 seconds" })
      yield* Effect.gen(function* () {
        const [locked, ...others] = callers
        if (locked === undefined) throw new Error("nobody lives here")
        const stranger = yield* PgConnection.make({ url })
        yield* stranger.query("BEGIN")
        yield* stranger.query("SELECT FROM accounts WHERE account_id = $1 FOR UPDATE", [locked.accountId])
        const results = yield* concurrently(callers.map((caller) => Effect.result(order(caller, { items }))))
        const [first, ...rest] = results
        expect(first).toMatchObject({ failure: { _tag: "StoreUnavailable" } })
        expect(rest.filter(Result.isSuccess)).toHaveLength(others.length)
        yield* stranger.query("ROLLBACK")
        expect((yield* order(locked, { items })).quote.status).toBe("paid")
        for (const { accountId } of callers) {
          expect(yield* movements(accountId)).toEqual(["top_up 10000", "hold 500", "capture 500"])
        }
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )
})
