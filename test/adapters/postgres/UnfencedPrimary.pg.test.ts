// After a fail-over, the old primary was forgotten: it still takes writes while the standby that was promoted serves, and the address
// leads there. What instances do over open connections depends on whether the old primary waited for its standby.
import { describe, it } from "@effect/vitest"
import { Clock, Effect, type Redacted, Schedule } from "effect"
import { expect } from "vitest"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { writeStep048 } from "#test/adapters/postgres/upgrade/Step048.ts"
import { buyer, freshKey } from "#test/scenarios/Buyers.ts"
import { call, postOrder } from "#test/scenarios/HttpCalls.ts"
import { movableDatabase } from "./MovableDatabase.ts"
import {
  AGENTS,
  type Answered,
  body,
  CREDIT_CENTS,
  ENV,
  expectAllFound,
  orderCount,
  orderUntilAnswered,
  statusesOf
} from "./OrderingAgents.ts"
import { replicatedDatabase } from "./ReplicatedDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"
import { execute } from "./TestDatabase.ts"

const ORDERS_EACH_TIME = 40
const DEADLINE_MS = 120_000
/** A statement that waits for the lost standby is given up after six seconds, and its connection with it. */
const GOES_ON_WITHIN_MS = 15_000

/** Takes writes, unless they wait for the standby. */
const expectUnfenced = (url: Redacted.Redacted) =>
  execute(url, "SET synchronous_commit = local", "CREATE TABLE still_writable ()", "DROP TABLE still_writable")

/** Fences a server as the manual says: it stays readable, and its clients have to connect again. */
const fence = (url: Redacted.Redacted) =>
  execute(
    url,
    "ALTER SYSTEM SET default_transaction_read_only = on",
    "SELECT pg_reload_conf()",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
  )

const expectReconciled = Effect.gen(function* () {
  const { violations } = yield* (yield* Reconcile).reconcile()
  expect(violations).toEqual([])
})

const deployment = Effect.gen(function* () {
  const servers = yield* replicatedDatabase
  yield* writeStep048(servers.primary)
  return { ...servers, address: yield* movableDatabase(servers.primary, servers.standby) }
})

describe("an old primary that was not fenced", () => {
  it.live("and had a synchronous standby answers no order any more; orders go on, and none is lost", () =>
    Effect.gen(function* () {
      const { primary, standby, promote, address } = yield* deployment
      const before = yield* orderCount(primary)
      yield* Effect.gen(function* () {
        const { key } = yield* buyer({ creditCents: CREDIT_CENTS })
        const answered: Array<Answered> = []
        let movedAtMs = Number.POSITIVE_INFINITY
        const answeredSince = (ms: number) => answered.filter(({ atMs }) => atMs >= ms).length
        const agent = Effect.gen(function* () {
          while (answeredSince(movedAtMs) < ORDERS_EACH_TIME) {
            const one = yield* orderUntilAnswered(key)
            answered.push(one)
            // Unknown at no moment, though connections may still lead to the old primary.
            expect([200, 503]).toEqual(expect.arrayContaining(yield* statusesOf(key, one)))
          }
        })
        const agents = Effect.all(
          Array.from({ length: AGENTS }, () => agent),
          { concurrency: AGENTS, discard: true }
        )
        const failedOver = Effect.gen(function* () {
          const isUnderLoad = Effect.sync(() => answeredSince(0) >= ORDERS_EACH_TIME)
          yield* Effect.repeat(isUnderLoad, { until: (it) => it, schedule: Schedule.spaced("5 millis") })
          yield* promote
          // Until every order that waits for the standby was given up once, and sent again.
          expect((yield* postOrder(key, body, freshKey())).status).toBe(503)
          yield* expectUnfenced(primary)
          yield* address.move
          movedAtMs = yield* Clock.currentTimeMillis
        })
        yield* Effect.timeout(Effect.all([agents, failedOver], { concurrency: 2 }), DEADLINE_MS)
        const firstMs = Math.min(...answered.map(({ atMs }) => atMs).filter((ms) => ms >= movedAtMs))
        expect(firstMs - movedAtMs).toBeLessThan(GOES_ON_WITHIN_MS)
        yield* expectUnfenced(primary)
        yield* expectAllFound(key, answered)
        expect(yield* orderCount(standby)).toBe(before + answered.length)
        yield* expectReconciled
      }).pipe(Effect.provide(serviceOn(address.url, ENV)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "and did not wait for its standby keeps orders to itself, until it is set read-only and its sessions end",
    () =>
      Effect.gen(function* () {
        const { primary, standby, promote, address } = yield* deployment
        yield* execute(primary, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
        yield* Effect.gen(function* () {
          const { key } = yield* buyer({ creditCents: CREDIT_CENTS })
          const kept = yield* orderUntilAnswered(key)
          const common = yield* orderCount(primary)
          yield* Effect.repeat(orderCount(standby), { until: (count) => count === common })
          const promotedAtMs = yield* Clock.currentTimeMillis
          yield* promote
          yield* address.move
          const lost = yield* Effect.forEach(Array.from({ length: AGENTS }), () => orderUntilAnswered(key), {
            concurrency: AGENTS
          })
          expect(yield* orderCount(primary)).toBe(common + lost.length)
          expect(yield* orderCount(standby)).toBe(common)

          yield* fence(primary)
          const fencedAtMs = yield* Clock.currentTimeMillis
          const next = yield* orderUntilAnswered(key)
          expect(next.atMs - fencedAtMs).toBeLessThan(5_000)
          expect((yield* call("GET", "/readyz")).status).toBe(200)
          yield* expectAllFound(key, [kept, next])
          for (const one of lost) expect(yield* statusesOf(key, one)).toEqual([404, 404])
          const [found] = yield* execute(primary, `SELECT * FROM orders WHERE created_at_ms >= ${promotedAtMs}`)
          expect(found?.map((row) => row["order_id"]).sort()).toEqual(lost.map(({ orderId }) => orderId).sort())
          // An agent that sends its order again gets it placed.
          for (const { idempotencyKey } of lost) expect((yield* postOrder(key, body, idempotencyKey)).status).toBe(201)
          expect(yield* orderCount(standby)).toBe(common + lost.length + 1)
          yield* expectReconciled
        }).pipe(Effect.provide(serviceOn(address.url, ENV)))
      }).pipe(Effect.scoped)
  )
})
