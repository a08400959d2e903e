// A database that is slow, locked, overloaded or gone for a moment: callers receive an error in time, nothing is written in part, and
// everything works again afterwards.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Queue, Redacted, Ref, Result } from "effect"
import { expect } from "vitest"
import { CONCURRENT_COMMITS, Database } from "#adapters/postgres/database/Database.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import type { AccountNotFound, SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { buyer, linksOn, listSite, submitOrder, topUpAccount } from "#test/core/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { expectConsistentWallet, movements } from "#test/core/ports/wallet/LedgerChecks.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { longWaits, type StoreOptions, storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

type Ports = Layer.Success<ReturnType<typeof storeInstance>> | UniqueNumbers

/** A test with a store on its own database. */
const withStore =
  (options: StoreOptions) =>
  <E>(test: (url: Redacted.Redacted) => Effect.Effect<void, E, Ports>) =>
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const context = yield* Layer.build(Layer.merge(storeInstance(url, options), UniqueNumbers.layer))
      yield* Effect.provide(test(url), context)
    }).pipe(Effect.scoped)

/** Another session locks the account's row until the effect ends. */
const whileLocked = <A, E, R>(url: Redacted.Redacted, accountId: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const connection = yield* PgConnection.make({ url })
    yield* connection.query("BEGIN")
    yield* connection.query("SELECT FROM accounts WHERE account_id = $1 FOR UPDATE", [accountId])
    return yield* Effect.ensuring(effect, Effect.ignore(connection.query("ROLLBACK")))
  }).pipe(Effect.scoped)

const unavailable = { _tag: "StoreUnavailable", retryAfterSeconds: expect.any(Number) }

const connectionsOf = "FROM pg_stat_activity WHERE application_name = 'backlinks' AND datname = current_database()"

/** A top-up whose ledger entry is inconsistent, so that the database rejects it. */
const inconsistentTopUp =
  (accountId: AccountId): Decide<unknown, AccountNotFound | SandboxAccount> =>
  (books, context) =>
    Result.map(topUp({ accountId, cents: 5, reference: "", actor: null })(books, context), ({ reply, changes }) => ({
      reply,
      changes: changes.map((change) =>
        change._tag === "Credited" ? { ...change, entry: { ...change.entry, balanceDeltaCents: 4 } } : change
      )
    }))

describe("a store whose database", () => {
  it.live(
    "has too many callers refuses further ones at once and serves the others",
    withStore({ ...longWaits, maxWaiting: 4 })((url) =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        const refused = yield* Queue.unbounded<unknown>()
        const one = topUpAccount(accountId, 1).pipe(Effect.tapError((error) => Queue.offer(refused, error)))
        const all = yield* whileLocked(
          url,
          accountId,
          Effect.gen(function* () {
            const fibers = yield* Effect.forEach(
              times(10, () => one),
              (call) => Effect.forkDetach(Effect.result(call))
            )
            expect(yield* Queue.takeN(refused, 5)).toMatchObject(times(5, () => unavailable))
            return fibers
          })
        )
        const results = yield* Effect.forEach(all, Fiber.join)
        expect(results.filter(Result.isSuccess)).toHaveLength(5)
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 5, heldCents: 0 })
      })
    )
  )

  it.live(
    "has no free connection keeps slots only for orders that wait for a batch, not for those in one",
    withStore({ ...longWaits, connections: 3, maxWaiting: 4 })((url) =>
      Effect.gen(function* () {
        const { read, admission } = yield* Database
        const items = linksOn(yield* listSite())
        const buyers = yield* Effect.all(times(4 * CONCURRENT_COMMITS + 4, () => buyer(500)))
        const other = yield* PgConnection.make({ url })
        yield* other.query("SELECT pg_advisory_lock(4711)")
        const taken = yield* Effect.forkChild(read("SELECT pg_advisory_lock_shared($1)", [4711]), {
          startImmediately: true
        })
        const untilWaiting = (count: number) =>
          Effect.repeat(Effect.sleep("5 millis"), { until: () => admission.size === count })
        const sent = []
        // Four orders per batch; once all batches are running, the last four wait for the next.
        for (const waiting of [...times(CONCURRENT_COMMITS, () => 0), 4]) {
          const some = buyers.slice(sent.length, sent.length + 4)
          sent.push(
            ...(yield* Effect.forEach(some, ({ caller }) =>
              Effect.forkChild(submitOrder(caller, { items }), { startImmediately: true })
            ))
          )
          yield* untilWaiting(waiting)
        }
        yield* other.query("SELECT pg_advisory_unlock(4711)")
        yield* Fiber.join(taken)
        const replies = yield* Fiber.joinAll(sent)
        expect(replies.map(({ kind }) => kind)).toEqual(times(4 * CONCURRENT_COMMITS + 4, () => "placed"))
        expect(admission.size).toBe(0)
      }).pipe(Effect.scoped)
    )
  )

  it.live(
    "does not answer makes no caller wait longer than the limit",
    withStore({ maxWait: "100 millis" })((url) =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        const first = yield* whileLocked(
          url,
          accountId,
          Effect.gen(function* () {
            const running = yield* Effect.forkDetach(topUpAccount(accountId, 1), { startImmediately: true })
            expect(yield* Effect.flip(topUpAccount(accountId, 10))).toMatchObject(unavailable)
            return running
          })
        )
        yield* Fiber.join(first)
        expect(yield* movements(accountId)).toEqual(["top_up 1"])
      })
    )
  )

  it.live(
    "keeps a row locked fails the call after its retries, and nothing is written",
    withStore({ ...longWaits, statementTimeout: "3 seconds" })((url) =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        const answer = yield* whileLocked(url, accountId, Effect.flip(topUpAccount(accountId, 1)))
        expect(answer).toMatchObject(unavailable)
        expect(yield* movements(accountId)).toEqual([])
        yield* topUpAccount(accountId, 2)
        expect(yield* movements(accountId)).toEqual(["top_up 2"])
      })
    )
  )

  it.live(
    "loses connections recovers, and every repeated request takes effect once",
    withStore(longWaits)((url) =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const buyers = yield* Effect.all(times(20, () => buyer(50_000)))
        const items = linksOn(yield* listSite())
        const answered = yield* Ref.make(0)
        /** Closes all connections of the store after every fortieth answer. */
        const cut = Effect.flatMap(
          Ref.updateAndGet(answered, (count) => count + 1),
          (count) =>
            count % 40 === 0 ? execute(url, `SELECT pg_terminate_backend(pid) ${connectionsOf}`) : Effect.void
        )
        /** Repeats the same request as long as the store is unavailable. */
        const orderUntilPlaced = (index: number) => {
          const who = buyers[index % buyers.length]
          if (who === undefined) return Effect.die("no such buyer")
          const request = submitOrder(who.caller, { items, idempotency: { key: `key ${index}`, fingerprint: "f" } })
          return Effect.retry(request, { while: ({ _tag }) => _tag === "StoreUnavailable" }).pipe(Effect.tap(cut))
        }
        const replies = yield* concurrently(times(400, orderUntilPlaced))
        const quoteIds = replies.map((one) => (one.kind === "placed" ? one.placement.quote.quoteId : one.quoteId))
        expect(new Set(quoteIds).size).toBe(400)
        for (const { account, caller } of buyers) {
          expect(yield* expectConsistentWallet(account.accountId)).toEqual({ balanceCents: 40_000, heldCents: 0 })
          const page = yield* orders.listed({
            shown: [caller.keyId],
            leftOut: [],
            status: null,
            limit: 50,
            beforeId: null
          })
          expect(page.total).toBe(20)
        }
      })
    )
  )

  it.live("cannot be reached, or does not exist, fails the start with the reason", () =>
    Effect.gen(function* () {
      const reasonAt = (url: Redacted.Redacted) =>
        Effect.map(Effect.flip(Effect.scoped(Layer.build(storeInstance(url)))), (fault) =>
          fault._tag === "DatabaseRefuses" ? fault.reason : fault._tag
        )
      const nowhere = Redacted.make("postgres://shop@127.0.0.1:1/nothing")
      const missing = new URL(Redacted.value(yield* migratedDatabase))
      missing.pathname = "/nothing"
      expect(yield* reasonAt(nowhere)).toContain("ECONNREFUSED")
      expect(yield* reasonAt(Redacted.make(missing.href))).toBe('database "nothing" does not exist')
    })
  )

  it.live(
    "rejects one commit of a batch writes all the others",
    withStore(longWaits)(() =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const buyers = yield* Effect.all(times(40, () => buyer()))
        const ids = buyers.map(({ account }) => account.accountId)
        const results = yield* concurrently(
          ids.map((accountId, index) => {
            const decide = inconsistentTopUp(accountId)
            const broken = Effect.asVoid(book.transact({ _tag: "ForAccount", accountId }, decide))
            return Effect.exit(index % 8 === 3 ? broken : Effect.asVoid(topUpAccount(accountId, 5)))
          })
        )
        for (const [index, accountId] of ids.entries()) {
          const broken = index % 8 === 3
          expect(results[index]?._tag).toBe(broken ? "Failure" : "Success")
          expect(yield* movements(accountId)).toEqual(broken ? [] : ["top_up 5"])
        }
      })
    )
  )
})
