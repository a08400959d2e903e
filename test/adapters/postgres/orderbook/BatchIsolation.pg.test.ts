// Placements of many accounts are written together; a failure of one does not affect the others: a bug in its decision, rows that the
// database rejects, a locked row.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Result } from "effect"
import { expect } from "vitest"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { emptyPlacementReads } from "#test/core/ports/ordering/VisibleBooks.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { expectConsistentWallet, movements } from "#test/core/ports/wallet/LedgerChecks.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { longWaits, type StoreOptions, storeInstance } from "../StoreInstances.ts"
import { untilLockWaiter } from "../TestDatabase.ts"

const BUYERS = 40

/** Orders of one account: several batches, one after another. */
const ORDERS = 500

/** An instance on its own database, with buyers that have credit, and a site. */
const shop = Effect.fnUntraced(function* (options: StoreOptions = longWaits) {
  const url = yield* migratedDatabase
  const context = yield* Layer.build(Layer.merge(storeInstance(url, options), UniqueNumbers.layer))
  const { items, buyers } = yield* Effect.gen(function* () {
    const items = linksOn(yield* listSite())
    return { items, buyers: yield* Effect.all(times(BUYERS, () => buyer(10_000))) }
  }).pipe(Effect.provide(context))
  return { url, context, items, callers: buyers.map(({ caller }) => caller) }
})

const place = (caller: Caller, decide: Decide<unknown, never>) =>
  Effect.flatMap(OrderBook, (book) => Effect.exit(book.transact(emptyPlacementReads(caller), decide)))

const buggy: Decide<unknown, never> = () => {
  throw new Error("a bug in a decision")
}

/** Writes a row without a parent, which the database rejects. */
const rejected: Decide<unknown, never> = () =>
  Result.succeed({
    reply: "rejected",
    changes: [{ _tag: "DailyOrderCounted", keyId: KeyId.make("key_unknown"), day: 20_000 }]
  })

/** Places the orders of all buyers at once, with the failing decision in the middle of them. */
const placeAmong = <A>(callers: ReadonlyArray<Caller>, buy: (caller: Caller) => Effect.Effect<A, unknown, OrderBook>) =>
  Effect.fnUntraced(function* (decide: Decide<unknown, never>) {
    const [failing, ...others] = callers
    if (failing === undefined) throw new Error("there are no buyers")
    const half = others.length / 2
    const bought = yield* Effect.forkChild(concurrently(others.slice(0, half).map(buy)), { startImmediately: true })
    const failed = yield* Effect.forkChild(place(failing, decide), { startImmediately: true })
    const later = yield* concurrently(others.slice(half).map(buy))
    return { failing, bought: [...(yield* Fiber.join(bought)), ...later], exit: yield* Fiber.join(failed) }
  })

const causeOf = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? exit.cause : Cause.empty)

describe("in a batch of placements", () => {
  it.live("a decision that throws affects only itself", () =>
    Effect.gen(function* () {
      const { context, items, callers } = yield* shop()
      yield* Effect.gen(function* () {
        const { failing, bought, exit } = yield* placeAmong(callers, (caller) => order(caller, { items }))(buggy)
        expect(Cause.squash(causeOf(exit))).toMatchObject({ message: "a bug in a decision" })
        expect(bought.map(({ quote }) => quote.status)).toEqual(times(BUYERS - 1, () => "paid"))
        expect(yield* movements(failing.accountId)).toEqual(["top_up 10000"])
        for (const { accountId } of callers) yield* expectConsistentWallet(accountId)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("a decision that the database rejects affects only itself, and the others are written once", () =>
    Effect.gen(function* () {
      const { context, items, callers } = yield* shop()
      yield* Effect.gen(function* () {
        const { bought, exit } = yield* placeAmong(callers, (caller) => order(caller, { items }))(rejected)
        expect(Cause.hasDies(causeOf(exit))).toBe(true)
        expect(bought.map(({ quote }) => quote.status)).toEqual(times(BUYERS - 1, () => "paid"))
        for (const { accountId } of callers.slice(1)) {
          expect(yield* movements(accountId)).toEqual(["top_up 10000", "capture 500"])
          yield* expectConsistentWallet(accountId)
        }
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("both hold for a busy account, whose batches are decided while the one before is written", () =>
    Effect.gen(function* () {
      const { context, items } = yield* shop()
      yield* Effect.gen(function* () {
        const { caller } = yield* buyer(ORDERS * 500)
        const orders = times(ORDERS, () => caller)
        for (const decide of [buggy, rejected]) {
          const { bought, exit } = yield* placeAmong(orders.slice(0, ORDERS / 2), (one) => order(one, { items }))(
            decide
          )
          expect(Cause.hasDies(causeOf(exit))).toBe(true)
          expect(bought.map(({ quote }) => quote.status)).toEqual(times(ORDERS / 2 - 1, () => "paid"))
        }
        const spent = times(ORDERS - 2, () => "capture 500")
        expect(yield* movements(caller.accountId)).toEqual([`top_up ${ORDERS * 500}`, ...spent])
        yield* expectConsistentWallet(caller.accountId)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("placements that are decided while an earlier batch is blocked are consistent with it", () =>
    Effect.gen(function* () {
      // The lock timeout is longer than the lock is held.
      const { url, context, items } = yield* shop({ ...longWaits, statementTimeout: "60 seconds" })
      yield* Effect.gen(function* () {
        const { caller } = yield* buyer(ORDERS * 500)
        const other = yield* PgConnection.make({ url })
        yield* other.query("BEGIN")
        // Quotes cannot be written while their key is locked, but the key can be read.
        yield* other.query("SELECT FROM keys FOR UPDATE")
        const orders = times(ORDERS / 2, () => order(caller, { items }))
        const bought = yield* Effect.forkChild(concurrently(orders), { startImmediately: true })
        yield* untilLockWaiter(other)
        yield* Effect.sleep("200 millis")
        yield* other.query("ROLLBACK")
        expect((yield* Fiber.join(bought)).map(({ quote }) => quote.status)).toEqual(orders.map(() => "paid"))
        yield* expectConsistentWallet(caller.accountId)
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )

  it.live("an account whose row is locked waits alone, and fails in the end", () =>
    Effect.gen(function* () {
      const { url, context, items, callers } = yield* shop({ ...longWaits, statementTimeout: "3 seconds" })
      yield* Effect.gen(function* () {
        const [locked, ...others] = callers
        if (locked === undefined) throw new Error("there are no buyers")
        const other = yield* PgConnection.make({ url })
        yield* other.query("BEGIN")
        yield* other.query("SELECT FROM accounts WHERE account_id = $1 FOR UPDATE", [locked.accountId])
        const results = yield* concurrently(callers.map((caller) => Effect.result(order(caller, { items }))))
        const [first, ...rest] = results
        expect(first).toMatchObject({ failure: { _tag: "StoreUnavailable" } })
        expect(rest.filter(Result.isSuccess)).toHaveLength(others.length)
        yield* other.query("ROLLBACK")
        expect((yield* order(locked, { items })).quote.status).toBe("paid")
        for (const { accountId } of callers) {
          expect(yield* movements(accountId)).toEqual(["top_up 10000", "capture 500"])
        }
      }).pipe(Effect.provide(context))
    }).pipe(Effect.scoped)
  )
})
