// Retention in PostgreSQL: an index for every reference to a row that it deletes, a transaction that was cut off, and tables that stop
// growing.
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { DeliveryId, LinkId } from "#core/domain/shared/Ids.ts"
import { Retention } from "#core/ports/operations/Retention.ts"
import { ANY_END, expectSound, freeAll, keyed } from "#test/core/ports/operations/RetentionSteps.ts"
import { moveLinkTo } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { answered, queueTests, recordOutcome, scopedSubscription } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { longWaits, storeInstance } from "./StoreInstances.ts"
import { execute } from "./TestDatabase.ts"

/** Foreign keys to tables of which rows are deleted, without an index that begins with their column and has every row that refers. */
const slowReferences = `
SELECT c.conrelid::regclass::text AS "from", c.confrelid::regclass::text AS "to"
FROM pg_constraint c
WHERE c.contype = 'f' AND c.confrelid IN (
  'quotes'::regclass, 'links'::regclass, 'events'::regclass, 'deliveries'::regclass, 'payments'::regclass
) AND NOT EXISTS (
  SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = c.conkey[1]
  WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1]
    AND coalesce(pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname), true)
)`

const sizes = `
SELECT (SELECT count(*) FROM quotes)::int AS quotes, (SELECT count(*) FROM orders)::int AS orders,
  (SELECT count(*) FROM links)::int AS links, (SELECT count(*) FROM events)::int AS events,
  (SELECT count(*) FROM deliveries)::int AS deliveries, (SELECT count(*) FROM bindings)::int AS bindings,
  (SELECT coalesce(sum(length(answer_body)), 0) FROM bindings)::int AS answers`

describe("retention", () => {
  it.live("deletes no row that is searched for in a whole table", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.scoped(Layer.build(storeInstance(url)))
      const [found] = yield* execute(url, slowReferences)
      expect(found).toEqual([])
    })
  )

  it.live("keeps the tables from growing while a sandbox buys, publishes and hears of it", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const site = yield* listSite()
        const { caller } = yield* buyer(0, { mode: "sandbox" })
        const own = yield* scopedSubscription(caller)
        const round = Effect.fnUntraced(function* (number: number) {
          for (const index of times(3, (one) => one)) {
            const wish = { items: linksOn(site), sandboxCreditCents: 500, ...keyed(`${number} ${index}`) }
            const { links } = yield* order(caller, wish)
            yield* moveLinkTo(links[0]?.linkId ?? LinkId.make(""), "published")
          }
          for (const { deliveryId } of yield* queueTests(own, 3)) yield* recordOutcome(deliveryId, answered(200))
          const [pending] = yield* execute(url, "SELECT delivery_id AS id FROM deliveries WHERE state = 'pending'")
          for (const row of pending ?? []) yield* recordOutcome(DeliveryId.make(String(row["id"])), answered(200))
          yield* freeAll("deliveries")
          yield* freeAll("sandbox")
          yield* freeAll("answers")
          const [[size] = []] = yield* execute(url, sizes)
          return size
        })
        const first = yield* round(0)
        for (const number of [1, 2, 3]) expect(yield* round(number)).toEqual(first)
        yield* expectSound
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(storeInstance(url), UniqueNumbers.layer)))
    })
  )

  it.live("leaves everything as it was where the database ends its transaction, and goes on in the next pass", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const retention = yield* Retention
        const site = yield* listSite()
        const { caller } = yield* buyer(0, { mode: "sandbox" })
        for (const index of times(6, (one) => one)) {
          yield* order(caller, { items: linksOn(site), sandboxCreditCents: 500, ...keyed(`${index}`) })
        }
        const [[before] = []] = yield* execute(url, sizes)
        // The backend ends in the middle of the statement that deletes.
        yield* execute(
          url,
          `CREATE FUNCTION end_backend() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN OLD; END $$`,
          "CREATE TRIGGER ends BEFORE DELETE ON links FOR EACH ROW EXECUTE FUNCTION end_backend()"
        )
        const step = { kind: "sandbox" as const, spanMs: ANY_END, limit: 4, after: null }
        expect((yield* Effect.flip(retention.free(step)))._tag).toBe("StoreUnavailable")
        expect((yield* execute(url, sizes))[0]?.[0]).toEqual(before)
        yield* expectSound
        yield* execute(url, "DROP TRIGGER ends ON links")
        expect(yield* freeAll("sandbox")).toMatchObject({ quotes: 6, orders: 6, bindings: 6 })
        yield* expectSound
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(storeInstance(url, longWaits), UniqueNumbers.layer)))
    })
  )
})
