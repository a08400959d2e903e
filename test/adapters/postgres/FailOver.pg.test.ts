// The primary is lost under load and its standby promoted; the database's address leads there from then on. The service is not
// restarted.
import { describe, it } from "@effect/vitest"
import { Clock, Effect, Schedule } from "effect"
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

/** Answered before the primary is lost, and again after the address moved. */
const ORDERS_EACH_TIME = 40
const DEADLINE_MS = 120_000

describe("a fail-over to a synchronous standby", () => {
  it.live("loses no order that was answered, and orders go on without a restart", () =>
    Effect.gen(function* () {
      const { primary, standby, detach, crash, promote } = yield* replicatedDatabase
      yield* writeStep048(primary)
      const before = yield* orderCount(primary)
      const address = yield* movableDatabase(primary, standby)
      yield* Effect.gen(function* () {
        const { key } = yield* buyer({ creditCents: CREDIT_CENTS })
        const answered: Array<Answered> = []
        let movedAtMs = Number.POSITIVE_INFINITY
        const answeredSince = (ms: number) => answered.filter(({ atMs }) => atMs >= ms).length
        const agent = Effect.gen(function* () {
          while (answeredSince(movedAtMs) < ORDERS_EACH_TIME) {
            const one = yield* orderUntilAnswered(key)
            answered.push(one)
            // Unknown at no moment.
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
          // Orders wait for the standby now; without that, they would be answered and lost.
          yield* detach
          yield* Effect.sleep("300 millis")
          yield* crash
          expect((yield* postOrder(key, body, freshKey())).status).toBe(503)
          yield* promote
          yield* address.move
          movedAtMs = yield* Clock.currentTimeMillis
        })
        yield* Effect.timeout(Effect.all([agents, failedOver], { concurrency: 2 }), DEADLINE_MS)
        const firstMs = Math.min(...answered.map(({ atMs }) => atMs).filter((ms) => ms >= movedAtMs))
        expect(firstMs - movedAtMs).toBeLessThan(5_000)
        expect((yield* call("GET", "/readyz")).status).toBe(200)
        yield* expectAllFound(key, answered)
        expect(yield* orderCount(standby)).toBe(before + answered.length)
        const { violations } = yield* (yield* Reconcile).reconcile()
        expect(violations).toEqual([])
      }).pipe(Effect.provide(serviceOn(address.url, ENV)))
    }).pipe(Effect.scoped)
  )
})
