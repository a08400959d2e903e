// Another session locks an account's row for long: only that account's orders fail. Others in the same batch, later ones, and the shutdown
// of the service do not wait for the lock.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Result, Scope } from "effect"
import { expect } from "vitest"
import { CONCURRENT_COMMITS } from "#adapters/postgres/database/Database.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { longWaits, storeInstance } from "../StoreInstances.ts"
import { untilLockWaiter } from "../TestDatabase.ts"

/** A batch waits for a lock for a twentieth of this timeout, a single run twice for a fifth: time to see which orders are placed meanwhile. */
const longTimeout = { ...longWaits, statementTimeout: "10 seconds" } as const
const shortTimeout = { ...longWaits, statementTimeout: "3 seconds" } as const

/** A shop with eight buyers; another session locks the accounts of the first few. */
const shop = Effect.fnUntraced(function* (options: typeof longTimeout | typeof shortTimeout, lockedCount: number) {
  const url = yield* migratedDatabase
  const scope = yield* Scope.make()
  const context = yield* Scope.provide(
    Layer.build(Layer.merge(storeInstance(url, options), UniqueNumbers.layer)),
    scope
  )
  const { items, callers } = yield* Effect.gen(function* () {
    const items = linksOn(yield* listSite())
    const buyers = yield* Effect.all(times(8, () => buyer(1_000_000)))
    return { items, callers: buyers.map(({ caller }) => caller) }
  }).pipe(Effect.provide(context))
  const other = yield* PgConnection.make({ url })
  yield* other.query("BEGIN")
  const locked = callers.slice(0, lockedCount)
  const accountIds = locked.map(({ accountId }) => accountId)
  yield* other.query("SELECT FROM accounts WHERE account_id = ANY ($1::text[]) FOR UPDATE", [accountIds])
  const buy = (caller: Caller) => Effect.result(Effect.provide(order(caller, { items }), context))
  return {
    locked,
    free: callers.slice(lockedCount),
    buy,
    /** Sends orders of each caller, and waits until the lock blocks one. */
    sendAndWait: Effect.fnUntraced(function* (callers: ReadonlyArray<Caller>, ordersEach: number) {
      const all = callers.flatMap((caller) =>
        times(ordersEach, () => Effect.forkDetach(buy(caller), { startImmediately: true }))
      )
      const sent = yield* Effect.all(all)
      yield* untilLockWaiter(other)
      return sent
    }),
    unlock: other.query("ROLLBACK"),
    close: Scope.close(scope, Exit.void)
  }
})

const allPlaced = (all: ReadonlyArray<Result.Result<unknown, unknown>>): boolean => all.every(Result.isSuccess)

describe("while an account is locked by another session", () => {
  it.live("orders that share a batch with its orders are placed, and so are later ones", () =>
    Effect.gen(function* () {
      const { locked, free, buy, sendAndWait, unlock, close } = yield* shop(longTimeout, 1)
      const sent = yield* sendAndWait([...locked, ...free], 4)
      const [ours, theirs] = [sent.slice(0, 4), sent.slice(4)]
      expect(allPlaced(yield* Fiber.joinAll(theirs))).toBe(true)
      expect(allPlaced(yield* concurrently(free.map(buy)))).toBe(true)
      expect(ours.filter((one) => one.pollUnsafe() !== undefined)).toEqual([])
      yield* unlock
      expect(allPlaced(yield* Fiber.joinAll(ours))).toBe(true)
      yield* close
    }).pipe(Effect.scoped)
  )

  it.live("as many such accounts as there are concurrent batches do not block other accounts", () =>
    Effect.gen(function* () {
      const { locked, free, buy, sendAndWait, unlock, close } = yield* shop(longTimeout, CONCURRENT_COMMITS)
      const sent = yield* Effect.forEach(locked, (one) => sendAndWait([one], 10))
      expect(allPlaced(yield* concurrently(free.map(buy)))).toBe(true)
      expect(allPlaced(yield* concurrently(free.map(buy)))).toBe(true)
      expect(sent.flat().filter((one) => one.pollUnsafe() !== undefined)).toEqual([])
      yield* unlock
      expect(allPlaced(yield* Fiber.joinAll(sent.flat()))).toBe(true)
      yield* close
    }).pipe(Effect.scoped)
  )

  it.live("all of its orders fail as unavailable, and are placed once it is unlocked", () =>
    Effect.gen(function* () {
      const { locked, buy, sendAndWait, unlock, close } = yield* shop(shortTimeout, 1)
      const results = yield* Fiber.joinAll(yield* sendAndWait(locked, 40))
      for (const one of results) expect(one).toMatchObject({ failure: { _tag: "StoreUnavailable" } })
      yield* unlock
      expect(allPlaced(yield* concurrently(locked.map(buy)))).toBe(true)
      yield* close
    }).pipe(Effect.scoped)
  )

  it.live("the store still closes, and answers every order", () =>
    Effect.gen(function* () {
      const { locked, free, sendAndWait, unlock, close } = yield* shop(shortTimeout, 1)
      const sent = yield* sendAndWait([...locked, ...free], 3)
      yield* close
      expect(sent.filter((one) => one.pollUnsafe() === undefined)).toEqual([])
      yield* unlock
    }).pipe(Effect.scoped)
  )
})
