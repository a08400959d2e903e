// Somebody else holds an account's row for long: its own orders are told so, and nobody else's wait for that, neither those who were
// to be written with them nor those who come after, nor a service that is to stop.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Result, Scope } from "effect"
import { expect } from "vitest"
import { MAX_CONCURRENT_BATCHES } from "#adapters/postgres/database/Batcher.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import { buyer, linksOn, listSite, order } from "#test/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { longWaits, storeInstance } from "../StoreInstances.ts"
import { freshDatabase, untilLockWaiter } from "../TestDatabase.ts"

/** Of which a twentieth is waited for a lock in flight, and twice a fifth alone: long enough to see who is served meanwhile. */
const unhurried = { ...longWaits, statementTimeout: "10 seconds" } as const
const hurried = { ...longWaits, statementTimeout: "3 seconds" } as const

/** A shop with eight buyers, of whom a stranger holds the first few. */
const shop = Effect.fnUntraced(function* (options: typeof unhurried | typeof hurried, locked: number) {
  const url = yield* freshDatabase
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
  const stranger = yield* PgConnection.make({ url })
  yield* stranger.query("BEGIN")
  const held = callers.slice(0, locked)
  const accountIds = held.map(({ accountId }) => accountId)
  yield* stranger.query("SELECT FROM accounts WHERE account_id = ANY ($1::text[]) FOR UPDATE", [accountIds])
  const buy = (caller: Caller) => Effect.result(Effect.provide(order(caller, { items }), context))
  return {
    held,
    free: callers.slice(locked),
    buy,
    /** Sent by each of them so often, and held up. */
    sendAndWait: Effect.fnUntraced(function* (callers: ReadonlyArray<Caller>, often: number) {
      const all = callers.flatMap((caller) =>
        times(often, () => Effect.forkDetach(buy(caller), { startImmediately: true }))
      )
      const sent = yield* Effect.all(all)
      yield* untilLockWaiter(stranger)
      return sent
    }),
    letGo: stranger.query("ROLLBACK"),
    close: Scope.close(scope, Exit.void)
  }
})

const areServed = (all: ReadonlyArray<Result.Result<unknown, unknown>>): boolean => all.every(Result.isSuccess)

describe("while an account is held by somebody else", () => {
  it.live("those who flew with its orders are served, and served again, before these are told", () =>
    Effect.gen(function* () {
      const { held, free, buy, sendAndWait, letGo, close } = yield* shop(unhurried, 1)
      const sent = yield* sendAndWait([...held, ...free], 4)
      const [ours, theirs] = [sent.slice(0, 4), sent.slice(4)]
      expect(areServed(yield* Fiber.joinAll(theirs))).toBe(true)
      expect(areServed(yield* concurrently(free.map(buy)))).toBe(true)
      expect(ours.filter((one) => one.pollUnsafe() !== undefined)).toEqual([])
      yield* letGo
      expect(areServed(yield* Fiber.joinAll(ours))).toBe(true)
      yield* close
    }).pipe(Effect.scoped)
  )

  it.live("as many of them as there are flights keep nobody else from going", () =>
    Effect.gen(function* () {
      const { held, free, buy, sendAndWait, letGo, close } = yield* shop(unhurried, MAX_CONCURRENT_BATCHES)
      const sent = yield* Effect.forEach(held, (one) => sendAndWait([one], 10))
      expect(areServed(yield* concurrently(free.map(buy)))).toBe(true)
      expect(areServed(yield* concurrently(free.map(buy)))).toBe(true)
      expect(sent.flat().filter((one) => one.pollUnsafe() !== undefined)).toEqual([])
      yield* letGo
      expect(areServed(yield* Fiber.joinAll(sent.flat()))).toBe(true)
      yield* close
    }).pipe(Effect.scoped)
  )

  it.live("all of its orders are told that the store is away, and are served once it is free", () =>
    Effect.gen(function* () {
      const { held, buy, sendAndWait, letGo, close } = yield* shop(hurried, 1)
      const told = yield* Fiber.joinAll(yield* sendAndWait(held, 40))
      for (const one of told) expect(one).toMatchObject({ failure: { _tag: "StoreUnavailable" } })
      yield* letGo
      expect(areServed(yield* concurrently(held.map(buy)))).toBe(true)
      yield* close
    }).pipe(Effect.scoped)
  )

  it.live("the store closes all the same, and leaves nobody untold", () =>
    Effect.gen(function* () {
      const { held, free, sendAndWait, letGo, close } = yield* shop(hurried, 1)
      const sent = yield* sendAndWait([...held, ...free], 3)
      yield* close
      expect(sent.filter((one) => one.pollUnsafe() === undefined)).toEqual([])
      yield* letGo
    }).pipe(Effect.scoped)
  )
})
