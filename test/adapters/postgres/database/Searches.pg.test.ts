// Searches of several accounts that wait for one connection.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, type Layer, type Redacted } from "effect"
import { expect, vi } from "vitest"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { Database } from "#adapters/postgres/database/Database.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { longWaits, type StoreOptions, storeInstance } from "../StoreInstances.ts"
import { untilLockWaiter } from "../TestDatabase.ts"

/** A test with a store on its own database. */
const withStore =
  (options: StoreOptions) =>
  <E>(test: (url: Redacted.Redacted) => Effect.Effect<void, E, Layer.Success<ReturnType<typeof storeInstance>>>) =>
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.provide(test(url), storeInstance(url, options))
    }).pipe(Effect.scoped)

const WAITING_STATEMENTS = `SELECT count(*)::int AS running FROM pg_locks JOIN pg_database d ON d.oid = database
  WHERE NOT granted AND datname = current_database()`

/** Searches of accounts that wait for the lock of another session; `done` lists the accounts in the order of their ends. */
const lockedSearches = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const { search } = yield* Database
  const other = yield* PgConnection.make({ url })
  yield* other.query("SELECT pg_advisory_lock(4712)")
  const done: Array<string> = []
  const searches = (account: string, count: number) =>
    Effect.forEach(
      times(count, () => search("SELECT pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)", [4712])),
      (call) =>
        Effect.tap(
          call,
          Effect.sync(() => done.push(account))
        ).pipe(Effect.provideService(CallingAccount, account), Effect.forkChild({ startImmediately: true }))
    )
  return { searches, locks: other, unlock: other.query("SELECT pg_advisory_unlock(4712)"), done }
})

const unavailable = { _tag: "StoreUnavailable", retryAfterSeconds: expect.any(Number) }

describe("searches", () => {
  it.live(
    "without a place are refused at once",
    withStore({ ...longWaits, connections: 3, maxWaitingSearches: 1 })((url) =>
      Effect.gen(function* () {
        const { searches, unlock } = yield* lockedSearches(url)
        // All places of the only connection for searches, and that of the one that waits.
        const held = yield* searches("greedy", 9)
        expect(yield* Effect.flip((yield* Database).search("SELECT 1", []))).toMatchObject(unavailable)
        yield* unlock
        expect(yield* Effect.forEach(held, Fiber.join)).toHaveLength(9)
      }).pipe(Effect.scoped)
    )
  )

  it.live(
    "of greedy accounts leave another one its turn, and run one at a time while orders are committed",
    withStore({ ...longWaits, connections: 3 })((url) =>
      Effect.gen(function* () {
        const { commit } = yield* Database
        const { searches, locks, unlock, done } = yield* lockedSearches(url)
        const sameMoment = vi.spyOn(performance, "now").mockReturnValue(performance.now())
        yield* Effect.addFinalizer(() => Effect.sync(() => sameMoment.mockRestore()))
        yield* commit("SELECT 1", [])
        const greedy = yield* Effect.all([searches("greedy", 20), searches("greedier", 40)])
        const bystander = yield* searches("bystander", 2)
        yield* untilLockWaiter(locks)
        const { rows } = yield* locks.query(WAITING_STATEMENTS)
        expect(rows).toEqual([{ running: 1 }])
        yield* unlock
        yield* Effect.forEach([...greedy.flat(), ...bystander], Fiber.join)
        expect(done.slice(0, 7)).toEqual([
          "greedy",
          "greedy",
          "greedier",
          "bystander",
          "greedy",
          "greedier",
          "bystander"
        ])
        expect(done).toHaveLength(62)
      }).pipe(Effect.scoped)
    )
  )
})
