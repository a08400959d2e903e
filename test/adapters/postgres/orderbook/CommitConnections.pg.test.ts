// Which connections placements are committed over, whether a commit works or waits for the disk.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { expect } from "vitest"
import { CONCURRENT_COMMITS } from "#adapters/postgres/database/Database.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { longWaits, type StoreOptions, storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

/** Triggers that record which backend writes orders, and delay the statement and its commit by these seconds. */
const recordWriters = (statementSeconds: number, commitSeconds: number) => [
  "CREATE TABLE writers (pid integer)",
  `CREATE FUNCTION record_writer() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN PERFORM pg_sleep(${statementSeconds}); INSERT INTO writers VALUES (pg_backend_pid()); RETURN NULL; END $$`,
  "CREATE TRIGGER record_writer AFTER INSERT ON quotes FOR EACH STATEMENT EXECUTE FUNCTION record_writer()",
  `CREATE FUNCTION delay_commit() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN PERFORM pg_sleep(${commitSeconds}); RETURN NULL; END $$`,
  `CREATE CONSTRAINT TRIGGER delay_commit AFTER INSERT ON writers DEFERRABLE INITIALLY DEFERRED
   FOR EACH ROW EXECUTE FUNCTION delay_commit()`
]

const BUYERS = 20
const ORDERS_OF_EACH = 6

/** How many backends write the orders when many are placed at once. */
const writersOf = Effect.fnUntraced(function* (triggers: ReadonlyArray<string>, options: StoreOptions = longWaits) {
  const url = yield* migratedDatabase
  yield* Effect.gen(function* () {
    yield* execute(url, ...triggers)
    const items = linksOn(yield* listSite())
    const buyers = yield* Effect.all(times(BUYERS, () => buyer(1_000_000)))
    // Buyers start one after another and order again after each response, so that several batches are running all the time.
    const answers = yield* concurrently(
      buyers.map(({ caller }, index) =>
        Effect.delay(Effect.all(times(ORDERS_OF_EACH, () => Effect.result(order(caller, { items })))), index * 5)
      )
    )
    expect(answers.flat().filter(Result.isFailure)).toEqual([])
  }).pipe(Effect.provide(Layer.merge(storeInstance(url, options), UniqueNumbers.layer)))
  const [rows = []] = yield* execute(url, "SELECT DISTINCT pid FROM writers")
  return rows.length
}, Effect.scoped)

describe("commits of placements", () => {
  it.live("use a connection for each batch that may run", () =>
    Effect.gen(function* () {
      expect(yield* writersOf(recordWriters(0, 0.1))).toBe(CONCURRENT_COMMITS)
      expect(yield* writersOf(recordWriters(0.1, 0))).toBe(CONCURRENT_COMMITS)
    })
  )

  it.live("use one connection if reads would find none free otherwise", () =>
    Effect.gen(function* () {
      expect(yield* writersOf(recordWriters(0, 0.1), { ...longWaits, connections: 7 })).toBe(1)
    })
  )
})
