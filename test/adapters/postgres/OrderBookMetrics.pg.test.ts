// Two instances receive the same orders at the same time and replay each other's responses; their counters add up to what is in the database.
import { it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { expect } from "vitest"
import { scrape } from "#test/adapters/http/server/ScrapeMetrics.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, isReplay, ORDERS } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"
import { execute } from "./TestDatabase.ts"

const env = { DAILY_ORDER_CAP: "0", RATE_LIMIT_ORDERS: "0", WELCOME_OFFER_PERCENT: "0" }

const BUYERS = 6
const ORDERS_EACH = 8

const booksQuery = `
SELECT (SELECT count(*) FROM orders)::int AS orders,
  (SELECT sum(amount_cents) FROM ledger WHERE kind = 'hold')::int AS held,
  (SELECT sum(amount_cents) FROM ledger WHERE kind = 'capture')::int AS captured,
  (SELECT sum(amount_cents) FROM ledger WHERE kind = 'top_up')::int AS "toppedUp"`

const Books = Schema.decodeUnknownSync(
  Schema.Struct({ orders: Schema.Int, held: Schema.Int, captured: Schema.Int, toppedUp: Schema.Int })
)

it.live("the counters of two instances add up to the books, with each order counted once", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const one = yield* Layer.build(serviceOn(url, env))
    const other = yield* Layer.build(serviceOn(url, env))
    const shops = [Context.get(one, RunningService), Context.get(other, RunningService)]

    const replays = yield* Effect.gen(function* () {
      const { siteId } = yield* listSite()
      // Enough credit for half of the orders, and for a part of one more.
      const buyers = yield* Effect.all(times(BUYERS, () => buyer({ creditCents: (ORDERS_EACH / 2) * 500 + 200 })))
      const requests = buyers.flatMap(({ key }) => times(ORDERS_EACH, () => ({ key, idempotencyKey: freshKey() })))
      const answers = yield* Effect.forEach(
        requests.flatMap((request) => shops.map((shop) => ({ ...request, shop }))),
        ({ key, idempotencyKey, shop }) =>
          call("POST", `${shop.url}${ORDERS}`, {
            key,
            body: cart([item(siteId)]),
            headers: { "idempotency-key": idempotencyKey }
          }),
        { concurrency: "unbounded" }
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      return answers.filter(isReplay).length
    }).pipe(Effect.provide(one))

    const seen = yield* Effect.forEach(shops, (shop) => Effect.provideService(scrape, RunningService, shop))
    const both = (series: string): number => seen.reduce((sum, one) => sum + (one.get(`backlinks_${series}`) ?? 0), 0)
    const [rows] = yield* execute(url, booksQuery)
    const books = Books(rows?.[0])
    expect(books).toEqual({ orders: 24, held: 1_200, captured: 12_000, toppedUp: 13_200 })
    expect({
      orders: both('orders_placed_total{mode="live",paid="credit"}'),
      held: both("money_held_cents_total"),
      captured: both("money_captured_cents_total"),
      toppedUp: both("money_topped_up_cents_total")
    }).toEqual(books)
    expect(replays).toBe(BUYERS * ORDERS_EACH)
    expect(both("idempotent_replays_total")).toBe(replays)
  })
)
