// The primary is lost under load and its standby promoted; the database's address leads there from then on. The service is not
// restarted.
import { describe, it } from "@effect/vitest"
import { Clock, Effect, type Redacted, Schedule } from "effect"
import { expect } from "vitest"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { call, ORDERS, placedBy, postOrder, QUOTES } from "#test/scenarios/HttpCalls.ts"
import { movableDatabase } from "./MovableDatabase.ts"
import { replicatedDatabase } from "./ReplicatedDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"
import { execute } from "./TestDatabase.ts"
import { ENCRYPTION_KEY, writeStep010 } from "./upgrade/Step010.ts"

const AGENTS = 8
/** Answered before the primary is lost, and again after the address moved. */
const ORDERS_EACH_TIME = 40
/** For more orders than that. */
const CREDIT_CENTS = 100_000_000
const DEADLINE_MS = 120_000

const ENV = {
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  DAILY_ORDER_CAP: "0",
  SWEEP_INTERVAL: "1 hour",
  ENCRYPTION_KEY
}

const body = cart([item(7_000_002)])

interface Answered {
  readonly idempotencyKey: string
  readonly text: string
  readonly paths: ReadonlyArray<string>
  readonly atMs: number
}

/** Sent again under its key until it is answered. */
const orderUntilAnswered = Effect.fnUntraced(function* (key: string) {
  const idempotencyKey = freshKey()
  const answer = yield* Effect.repeat(postOrder(key, body, idempotencyKey), { until: ({ status }) => status !== 503 })
  const { order_id, quote_id } = placedBy(answer)
  const paths = [`${ORDERS}/${order_id}`, `${QUOTES}/${quote_id}`]
  return { idempotencyKey, text: answer.text, paths, atMs: yield* Clock.currentTimeMillis } satisfies Answered
})

const statusesOf = (key: string, { paths }: Answered) =>
  Effect.forEach(paths, (path) => Effect.map(call("GET", path, { key }), ({ status }) => status))

const orderCount = (url: Redacted.Redacted) =>
  Effect.map(execute(url, "SELECT FROM orders"), ([rows]) => rows?.length ?? 0)

describe("a fail-over to a synchronous standby", () => {
  it.live("loses no order that was answered, and orders go on without a restart", () =>
    Effect.gen(function* () {
      const { primary, standby, detach, crash, promote } = yield* replicatedDatabase
      yield* writeStep010(primary)
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
        const found = Effect.fnUntraced(function* (one: Answered) {
          expect(yield* statusesOf(key, one)).toEqual([200, 200])
          expect((yield* postOrder(key, body, one.idempotencyKey)).text).toBe(one.text)
        })
        yield* Effect.forEach(answered, found, { concurrency: AGENTS })
        expect(yield* orderCount(standby)).toBe(before + answered.length)
        const { violations } = yield* (yield* Reconcile).reconcile()
        // The version of step 010 gave two accounts one address.
        expect(violations.filter(({ invariant }) => invariant !== "email_is_unique")).toEqual([])
      }).pipe(Effect.provide(serviceOn(address.url, ENV)))
    }).pipe(Effect.scoped)
  )
})
