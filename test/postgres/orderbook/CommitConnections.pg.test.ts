// Who writes flights that are decided side by side: one process of the database, one behind the other; but several where they would
// only wait for its disk.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { expect } from "vitest"
import { buyer, linksOn, listSite, order } from "#test/ports/ShopSetup.ts"
import { concurrently, times, UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { longWaits, type StoreOptions, storeInstance } from "../StoreInstances.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"

/** Who writes orders is written down. The statement takes so many seconds longer for it, and so many its commit. */
const witness = (statement: number, commit: number) => [
  "CREATE TABLE writers (pid integer)",
  `CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN PERFORM pg_sleep(${statement}); INSERT INTO writers VALUES (pg_backend_pid()); RETURN NULL; END $$`,
  "CREATE TRIGGER witness AFTER INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION witness()",
  `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN PERFORM pg_sleep(${commit}); RETURN NULL; END $$`,
  `CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON writers DEFERRABLE INITIALLY DEFERRED
   FOR EACH ROW EXECUTE FUNCTION linger()`
]

const BUYERS = 20
const ORDERS_OF_EACH = 6

/** By how many processes orders are written when many order at once. */
const writers = Effect.fnUntraced(function* (witnessed: ReadonlyArray<string>, options: StoreOptions = longWaits) {
  const url = yield* freshDatabase
  yield* Effect.gen(function* () {
    yield* execute(url, ...witnessed)
    const items = linksOn(yield* listSite())
    const buyers = yield* Effect.all(times(BUYERS, () => buyer(1_000_000)))
    // They come one after another and order again as soon as they are answered: several flights are under way all the time.
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

describe("flights of placements", () => {
  it.live("are all written over the connection that is kept for them", () =>
    Effect.gen(function* () {
      expect(yield* writers(witness(0.1, 0))).toBe(1)
    })
  )

  it.live("go over others, too, where a commit takes longer than its statement", () =>
    Effect.gen(function* () {
      // The first went over the one that is kept for them.
      expect(yield* writers(witness(0, 0.1))).toBeGreaterThan(2)
    })
  )

  it.live("but not where look-ups would find none free", () =>
    Effect.gen(function* () {
      expect(yield* writers(witness(0, 0.1), { ...longWaits, connections: 7 })).toBe(1)
    })
  )
})
