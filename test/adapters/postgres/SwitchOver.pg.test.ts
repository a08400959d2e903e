// The primary is switched over under load while the old one stays readable: its address leads to another server, open connections do not.
// Two databases of one server stand for the two servers; the old one refuses writes, as a demoted primary does.
import { describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted } from "effect"
import { expect } from "vitest"
import { databaseOfStep048, ENCRYPTION_KEY, known } from "#test/adapters/postgres/upgrade/Step048.ts"
import { cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { BALANCE, call, ORDERS, placedBy, postOrder, QUOTES } from "#test/scenarios/HttpCalls.ts"
import { movableDatabase } from "./MovableDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"
import { storeInstance } from "./StoreInstances.ts"
import { execute } from "./TestDatabase.ts"

const AGENTS = 8
const DEADLINE_MS = 120_000

const { credit: key } = known

const nameIn = (url: Redacted.Redacted): string => new URL(Redacted.value(url)).pathname.slice(1)

/** Open sessions get the setting too, which `ALTER DATABASE` alone would not do; the new primary is exempted. */
const demoteAllBut = (primary: Redacted.Redacted) =>
  execute(
    primary,
    `ALTER DATABASE ${nameIn(primary)} SET default_transaction_read_only = off`,
    "ALTER SYSTEM SET default_transaction_read_only = on",
    "SELECT pg_reload_conf()"
  )

const promoteAll = (primary: Redacted.Redacted) =>
  Effect.orDie(
    execute(
      primary,
      "SET default_transaction_read_only = off",
      "ALTER SYSTEM RESET default_transaction_read_only",
      "SELECT pg_reload_conf()"
    )
  )

const order = Effect.suspend(() => postOrder(key, cart([item(7_000_002)]), freshKey()))

/** Orders until one succeeds after `sinceMs`, and reads back whatever was written; returns when it succeeded. */
const orderUntilWritten = Effect.fnUntraced(function* (sinceMs: () => number) {
  for (;;) {
    const sentMs = yield* Clock.currentTimeMillis
    const answer = yield* order
    if (answer.status === 503) continue
    const { order_id, quote_id } = placedBy(answer)
    if (sentMs < sinceMs()) continue
    const read = yield* Effect.all([
      call("GET", `${ORDERS}/${order_id}`, { key }),
      call("GET", `${QUOTES}/${quote_id}`, { key })
    ])
    expect(read.map(({ status }) => status)).toEqual([200, 200])
    return (yield* Clock.currentTimeMillis) - sinceMs()
  }
})

const ENV = {
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  DAILY_ORDER_CAP: "0",
  SWEEP_INTERVAL: "1 hour",
  ENCRYPTION_KEY
}

/** An old and a new primary, and a service at the address that moves. */
const deployment = Effect.gen(function* () {
  const [old, next] = yield* Effect.all([databaseOfStep048, databaseOfStep048])
  yield* Effect.scoped(Layer.build(storeInstance(next)))
  const address = yield* movableDatabase(old, next)
  return { next, move: address.move, service: serviceOn(address.url, ENV) }
})

const balances = Effect.all(
  Array.from({ length: 3 * AGENTS }, () => call("GET", BALANCE, { key })),
  { concurrency: AGENTS }
)

const untilRefused = Effect.repeat(order, { until: ({ status }) => status === 503 })

describe("a switch-over while the old primary stays readable", () => {
  it.live("stops orders for seconds, and no order that was written is answered 404", () =>
    Effect.gen(function* () {
      const { next, move, service } = yield* deployment
      yield* Effect.gen(function* () {
        let movedAtMs = Number.POSITIVE_INFINITY
        yield* balances
        const agents = Effect.all(
          Array.from({ length: AGENTS }, () => orderUntilWritten(() => movedAtMs)),
          { concurrency: AGENTS }
        )
        const switched = Effect.gen(function* () {
          yield* demoteAllBut(next)
          // Connections are renewed meanwhile, and still lead to the old primary.
          yield* untilRefused
          yield* move
          movedAtMs = yield* Clock.currentTimeMillis
        })
        const [tookMs] = yield* Effect.timeout(Effect.all([agents, switched], { concurrency: 2 }), DEADLINE_MS)
        expect(Math.max(...tookMs)).toBeLessThan(5_000)
        expect((yield* call("GET", "/readyz")).status).toBe(200)
      }).pipe(Effect.provide(service), Effect.ensuring(promoteAll(next)))
    }).pipe(Effect.scoped)
  )
})
