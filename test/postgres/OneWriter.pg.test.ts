// Flights are decided side by side and written one behind the other: whoever orders, one process of the database does the writing.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { expect } from "vitest"
import { Numbers, times, together } from "#test/ports/StoreSuite.ts"
import { buyer, linksOn, listSite, order } from "#test/ports/World.ts"
import { instance } from "./Fleet.ts"
import { execute, freshDatabase } from "./Server.ts"

/** Who wrote orders is written down, and takes long enough for it that the next are there meanwhile. */
const WITNESS = [
  "CREATE TABLE writers (pid integer)",
  `CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN PERFORM pg_sleep(0.02); INSERT INTO writers VALUES (pg_backend_pid()); RETURN NULL; END $$`,
  "CREATE TRIGGER witness AFTER INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION witness()"
]

const BUYERS = 20
const ORDERS_OF_EACH = 10

describe("flights of placements", () => {
  it.live("are all written over the connection that is kept for them", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* Effect.gen(function* () {
        yield* execute(url, ...WITNESS)
        const items = linksOn(yield* listSite())
        const buyers = yield* Effect.all(times(BUYERS, () => buyer(1_000_000)))
        // They come one after another and order again as soon as they are answered: several flights are under way all the time.
        const answers = yield* together(
          buyers.map(({ caller }, index) =>
            Effect.delay(Effect.all(times(ORDERS_OF_EACH, () => Effect.result(order(caller, { items })))), index * 5)
          )
        )
        expect(answers.flat().filter(Result.isFailure)).toEqual([])
      }).pipe(Effect.provide(Layer.merge(instance(url), Numbers.layer)))
      const [writers] = yield* execute(url, "SELECT DISTINCT pid FROM writers")
      expect(writers).toHaveLength(1)
    }).pipe(Effect.scoped)
  )
})
