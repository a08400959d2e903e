// Migrations run once and completely or not at all, however many instances start at the same time.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Redacted } from "effect"
import { expect } from "vitest"
import { readStep, STEPS } from "#adapters/postgres/database/MigrationSteps.ts"
import { readText } from "#adapters/postgres/database/SchemaTexts.ts"
import { reasonOf } from "#adapters/postgres/database/SqlErrors.ts"
import { listSite } from "#test/core/ports/ShopSetup.ts"
import { times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { longWaits, storeInstance } from "../StoreInstances.ts"
import { execute, freshDatabase, LOCK_WAITERS, untilLockWaiter } from "../TestDatabase.ts"
import { databaseOfStep048 } from "../upgrade/Step048.ts"

const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
const steps = "SELECT step, applied_at::text FROM schema_steps ORDER BY step"

const start = (url: Parameters<typeof storeInstance>[0]) => Effect.scoped(Layer.build(storeInstance(url)))

const prices = "SELECT site_id::int, price_cents::int FROM sites ORDER BY site_id"
const catalogue = "SELECT catalogue FROM shop"

/** A database whose migrations another session has locked. */
const lockedMigrations = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* start(url)
  const other = yield* PgConnection.make({ url })
  yield* other.query("BEGIN")
  yield* other.query("LOCK TABLE schema_steps")
  return { url, other }
})

const script = (text: string) => `DO $script$ BEGIN EXECUTE '${text.replaceAll("'", "''")}'; END $script$`

/** A database of step 051, the first that makes its functions from its tables, with rows. */
const databaseOfStep051 = Effect.tap(databaseOfStep048, (url) => {
  const applied = STEPS.filter((step) => step <= "051_derived_writes").map(readStep)
  const [define = ""] = readText("functions/define_writes_of").script.split("\n\nSELECT define_writes_of")
  return execute(
    url,
    "SET check_function_bodies = off",
    ...applied.map((step) => script(step.script)),
    ...applied.map(({ step, sha256 }) => `INSERT INTO schema_steps (step, sha256) VALUES ('${step}', '${sha256}')`),
    script(define),
    ...["quotes", "links", "subscriptions", "keys"].map((table) => `SELECT define_writes_of('${table}', 'a row')`)
  )
})

const known = `SELECT step FROM schema_steps WHERE step > '051_derived_writes' ORDER BY step`
const ahead = "SELECT step FROM schema_steps_ahead ORDER BY step"

describe("migrations", () => {
  it.live("update the prices of open sites to those of their shelves, and the version of the catalogue with them", () =>
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
      // A closed site keeps its price until it is opened.
      yield* execute(url, "UPDATE sites SET price_cents = 1 WHERE NOT open")
      yield* start(url)
      expect(yield* execute(url, catalogue)).toEqual([repriced])
      yield* Effect.provide(listSite({ siteId: 4, shelf: "Corail" }), session)
      expect(yield* execute(url, prices)).toEqual([today])
    })
  )

  it.live("run once when six instances start at the same moment, and not again later", () =>
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

  it.live("wait for another instance's migrations beyond the statement timeout", () =>
    Effect.gen(function* () {
      const { url, other } = yield* lockedMigrations
      const shortTimeout = storeInstance(url, { ...longWaits, statementTimeout: "1 second" })
      const starting = yield* Effect.forkChild(Effect.scoped(Layer.build(shortTimeout)))
      yield* untilLockWaiter(other)
      // Any other statement would have failed after 3 s, and its connection would be closed.
      yield* other.query("SELECT pg_sleep(4)")
      expect(starting.pollUnsafe()).toBeUndefined()
      yield* other.query("ROLLBACK")
      yield* Fiber.join(starting)
    }).pipe(Effect.scoped)
  )

  it.live("apply each step for itself, keep no one waiting for more than one, and go on where a start was killed", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep051
      const reader = yield* PgConnection.make({ url })
      yield* reader.query("BEGIN")
      yield* reader.query("SELECT FROM links LIMIT 1")
      const starting = yield* Effect.forkChild(start(url))
      yield* untilLockWaiter(reader)
      const older = yield* PgConnection.make({ url })
      yield* older.query("SET lock_timeout = '4s'")
      // What an older instance does meanwhile: read the table, and write by the functions that it knows.
      for (let nth = 0; nth < 5; nth++) {
        yield* older.query("SELECT FROM links, accounts LIMIT 1")
        yield* older.query("SELECT write_subscriptions('{\"new_subscriptions\": []}'), write_keys('{}')")
        yield* Effect.sleep("500 millis")
      }
      const [begun = []] = yield* execute(url, ahead)
      expect(begun.map(({ step }) => step)).toEqual(
        STEPS.filter((step) => step > "051_derived_writes" && step < "061_lists")
      )
      expect(yield* execute(url, known)).toEqual([[]])
      yield* Fiber.interrupt(starting)
      yield* reader.query("ROLLBACK")
      yield* start(url)
      const all = STEPS.filter((step) => step > "051_derived_writes").map((step) => ({ step }))
      expect(yield* execute(url, known, ahead)).toEqual([all, []])
    }).pipe(Effect.scoped)
  )

  it.live("that wait for another session end when the service is stopped, and wait no longer", () =>
    Effect.gen(function* () {
      const { url, other } = yield* lockedMigrations
      const starting = yield* Effect.forkChild(start(url))
      yield* untilLockWaiter(other)
      // The start waits until the lock is released, unless it is interrupted.
      const stopped = Effect.timeoutOption(Fiber.interrupt(starting), "30 seconds")
      const [ended, waiting] = yield* Effect.ensuring(
        Effect.all([stopped, other.query(LOCK_WAITERS)]),
        Effect.ignore(other.query("ROLLBACK"))
      )
      expect(Option.isSome(ended)).toBe(true)
      expect(waiting.rows).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("fail with the reason if the user lacks a privilege", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const restricted = new URL(Redacted.value(url))
      restricted.username = `restricted_${restricted.pathname.slice(1)}`
      yield* execute(url, `CREATE ROLE ${restricted.username} LOGIN PASSWORD '${restricted.password}'`)
      const fault = yield* Effect.flip(start(Redacted.make(restricted.href)))
      expect(fault._tag === "SqlError" && reasonOf(fault)).toMatch(/^permission denied/)
    })
  )

  it.live("change nothing in a database that a newer version has migrated, and fail with that reason", () =>
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

  it.live("refuse a database that the statements of background jobs do not fit", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* start(url)
      yield* execute(url, "ALTER TABLE deliveries RENAME COLUMN attempts_in_run TO attempts_of_run")
      const fault = yield* Effect.flip(start(url))
      expect(fault).toMatchObject({ _tag: "DatabaseDiffers", difference: expect.stringContaining("attempts_in_run") })
    })
  )

  it.live("are rolled back when a step fails, and run completely once it no longer does", () =>
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
