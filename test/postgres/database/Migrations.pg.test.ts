// Tables are made once, whole or not at all, however many instances start at the same time.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import { expect } from "vitest"
import { reasonOf } from "#adapters/postgres/database/SqlErrors.ts"
import { listSite } from "#test/ports/ShopSetup.ts"
import { times, UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { longWaits, storeInstance } from "../StoreInstances.ts"
import { execute, freshDatabase, LOCK_WAITERS, untilLockWaiter } from "../TestDatabase.ts"

const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
const steps = "SELECT step, applied_at::text FROM schema_steps ORDER BY step"

const start = (url: Parameters<typeof storeInstance>[0]) => Effect.scoped(Layer.build(storeInstance(url)))

const prices = "SELECT site_id::int, price_cents::int FROM sites ORDER BY site_id"
const catalogue = "SELECT catalogue FROM shop"

/** Somebody else is at the migrations of a database. */
const underWay = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* start(url)
  const other = yield* PgConnection.make({ url })
  yield* other.query("BEGIN")
  yield* other.query("LOCK TABLE schema_steps")
  return { url, other }
})

describe("migrations", () => {
  it.live(
    "give every site on offer its shelf's price of today, however it was listed, and the list a new version then",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const session = Layer.merge(Layer.fresh(storeInstance(url)), UniqueNumbers.layer)
        const shelves = ["Plancton", "Corail", "Nautilus", "Corail"] as const
        yield* Effect.all(shelves.map((shelf, nth) => listSite({ siteId: nth + 1, shelf, open: nth < 3 }))).pipe(
          Effect.provide(session)
        )
        const [today] = yield* execute(url, prices)
        const [listed] = yield* execute(url, catalogue)
        yield* execute(url, "UPDATE sites SET price_cents = 1_500")
        yield* start(url)
        expect(yield* execute(url, prices)).toEqual([today])
        const [repriced] = yield* execute(url, catalogue)
        expect(repriced).not.toEqual(listed)
        yield* start(url)
        expect(yield* execute(url, catalogue)).toEqual([repriced])
        // Closed, a site is in no list; opened, it is in the list of its price.
        yield* execute(url, "UPDATE sites SET price_cents = 1 WHERE NOT open")
        yield* start(url)
        expect(yield* execute(url, catalogue)).toEqual([repriced])
        yield* Effect.provide(listSite({ siteId: 4, shelf: "Corail" }), session)
        expect(yield* execute(url, prices)).toEqual([today])
      })
  )

  it.live("run once when six instances start at the same moment, and not again when one starts later", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* Effect.all(
        times(6, () => start(url)),
        { concurrency: "unbounded" }
      )
      const [applied] = yield* execute(url, steps)
      expect(new Set(applied?.map(({ step }) => step)).size).toBe(applied?.length)
      expect(applied?.length).toBeGreaterThan(0)
      yield* start(url)
      expect(yield* execute(url, steps)).toEqual([applied])
    })
  )

  it.live("wait for whoever is at it longer than any order waits for the database", () =>
    Effect.gen(function* () {
      const { url, other } = yield* underWay
      const hasty = storeInstance(url, { ...longWaits, statementTimeout: "1 second" })
      const starting = yield* Effect.forkChild(Effect.scoped(Layer.build(hasty)))
      yield* untilLockWaiter(other)
      // The database's own clock: a statement of an order would have been given up after 3 s, and its connection with it.
      yield* other.query("SELECT pg_sleep(4)")
      expect(starting.pollUnsafe()).toBeUndefined()
      yield* other.query("ROLLBACK")
      yield* Fiber.join(starting)
    }).pipe(Effect.scoped)
  )

  it.live("that wait for somebody end when the service is told to stop, and leave nobody waiting", () =>
    Effect.gen(function* () {
      const { url, other } = yield* underWay
      const starting = yield* Effect.forkChild(start(url))
      yield* untilLockWaiter(other)
      // Somebody who cannot be stopped would be there until the lock is given back.
      const stopped = Effect.timeoutOption(Fiber.interrupt(starting), "30 seconds")
      const [ended, waiting] = yield* Effect.ensuring(
        Effect.all([stopped, other.query(LOCK_WAITERS)]),
        Effect.ignore(other.query("ROLLBACK"))
      )
      expect(Option.isSome(ended)).toBe(true)
      expect(waiting.rows).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("say what the database does not let its user do", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const guest = new URL(Redacted.value(url))
      guest.username = `guest_of_${guest.pathname.slice(1)}`
      yield* execute(url, `CREATE ROLE ${guest.username} LOGIN PASSWORD '${guest.password}'`)
      const fault = yield* Effect.flip(start(Redacted.make(guest.href)))
      expect(fault._tag === "SqlError" && reasonOf(fault)).toMatch(/^permission denied/)
    })
  )

  it.live("leave a database alone that a newer version was at, and say so", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* start(url)
      yield* execute(
        url,
        "INSERT INTO schema_steps (step) VALUES ('999_of_tomorrow')",
        "UPDATE shop SET catalogue = 'as it was'"
      )
      const [before] = yield* execute(url, tables)
      const fault = yield* Effect.flip(start(url))
      expect(fault).toMatchObject({ _tag: "DatabaseTooNew", step: "999_of_tomorrow" })
      expect(yield* execute(url, tables, catalogue)).toEqual([before, [{ catalogue: "as it was" }]])
    })
  )

  it.live("leave nothing behind when a step fails, and all when it no longer does", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* execute(url, "CREATE TABLE orders (in_the_way boolean)")
      yield* Effect.flip(Effect.sandbox(start(url)))
      expect(yield* execute(url, tables)).toEqual([[{ table_name: "orders" }]])
      yield* execute(url, "DROP TABLE orders")
      yield* start(url)
      const [made] = yield* execute(url, tables)
      expect(made).toEqual(
        expect.arrayContaining(["accounts", "ledger", "orders"].map((table_name) => ({ table_name })))
      )
    })
  )
})
