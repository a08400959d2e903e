// The gauges of the connection pools and the admission queue, while another session's lock makes the store wait.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Metric, Schedule } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { expect } from "vitest"
import { Database } from "#adapters/postgres/database/Database.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeInstance } from "../StoreInstances.ts"

const LOCK = 4711

const registry = Context.make(Metric.MetricRegistry, new Map())

const gauges = Effect.map(PrometheusMetrics.format(), (text) =>
  Object.fromEntries(
    [...text.matchAll(/^backlinks_(\S+) (\d+)$/gm)].map(([, series, value]) => [series, Number(value)])
  )
)

/** One connection in each pool. */
const idle = {
  'database_connections{pool="orders",state="in_use"}': 0,
  'database_connections{pool="orders",state="idle"}': 1,
  'database_connections_max{pool="orders"}': 1,
  'database_waiting{pool="orders"}': 0,
  'database_connections{pool="commits",state="in_use"}': 0,
  'database_connections{pool="commits",state="idle"}': 1,
  'database_connections_max{pool="commits"}': 1,
  'database_waiting{pool="commits"}': 0,
  'database_connections{pool="searches",state="in_use"}': 0,
  'database_connections{pool="searches",state="idle"}': 1,
  'database_connections_max{pool="searches"}': 1,
  'database_waiting{pool="searches"}': 0,
  'store_waiting{queue="orders"}': 0,
  'store_waiting{queue="searches"}': 0,
  'store_waiting_max{queue="orders"}': 50,
  'store_waiting_max{queue="searches"}': 60
}

it.live("gauges show busy connections and waiting calls, and return to idle", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const options = {
      connections: 3,
      maxWaiting: 50,
      maxWaitingSearches: 60,
      maxWait: "60 seconds",
      statementTimeout: "50 seconds"
    } as const
    const { read } = Context.get(yield* Layer.build(storeInstance(url, options)), Database)
    expect(yield* gauges).toStrictEqual(idle)

    const other = yield* PgConnection.make({ url })
    yield* other.query("SELECT pg_advisory_lock($1)", [LOCK])
    const calls = yield* Effect.forkScoped(
      Effect.all(
        times(4, () => read("SELECT pg_advisory_lock_shared($1), pg_advisory_unlock_shared($1)", [LOCK])),
        { concurrency: "unbounded" }
      )
    )
    const waiting = yield* gauges.pipe(
      Effect.repeat({
        until: (seen) => seen['store_waiting{queue="orders"}'] === 3,
        schedule: Schedule.spaced("5 millis")
      })
    )
    expect(waiting).toStrictEqual({
      ...idle,
      'database_connections{pool="orders",state="in_use"}': 1,
      'database_connections{pool="orders",state="idle"}': 0,
      'database_waiting{pool="orders"}': 3,
      'store_waiting{queue="orders"}': 3
    })

    yield* other.query("SELECT pg_advisory_unlock($1)", [LOCK])
    yield* Fiber.join(calls)
    expect(yield* gauges).toStrictEqual(idle)
  }).pipe(Effect.provide(Layer.succeedContext(registry)))
)

it.live("the gauges of a store are removed once it is closed", () =>
  Effect.gen(function* () {
    yield* Effect.scoped(Layer.build(storeInstance(yield* migratedDatabase)))
    expect(yield* gauges).toStrictEqual({})
  }).pipe(Effect.provide(Layer.succeed(Metric.MetricRegistry, new Map())))
)
