// A database whose sessions stand still, and close no connection: every request is answered in time all the same, and what was begun is done
// once they go on.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, type Redacted, Schedule } from "effect"
import { expect } from "vitest"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { BALANCE, call, ORDERS, placedBy, postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { serviceOn } from "./ServiceOnPostgres.ts"

const sessionsOf = (url: Redacted.Redacted) =>
  Effect.scoped(
    Effect.flatMap(PgConnection.make({ url }), (connection) =>
      Effect.map(
        connection.query(
          "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'backlinks'"
        ),
        ({ rows }) => rows.map(({ pid }) => Number(pid))
      )
    )
  )

const signal = (pids: ReadonlyArray<number>, name: "SIGSTOP" | "SIGCONT") =>
  Effect.sync(() => {
    for (const pid of pids) process.kill(pid, name)
  })

const frozen = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.tap(sessionsOf(url), (pids) => signal(pids, "SIGSTOP")),
    (pids) => signal(pids, "SIGCONT")
  )

/** The contract's five seconds, and what a busy machine adds: the waits one after another took 17 and more. */
const IN_TIME_MS = 11_000

const timed = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const began = performance.now()
  return { answer: yield* request, tookMs: performance.now() - began }
})

describe("a database whose sessions stand still", () => {
  it.live("is waited for no longer than five seconds by any request", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const { key } = yield* buyer({ creditCents: 50_000 })
        // A key that this instance has not looked up.
        const { key: unseen } = yield* buyer()
        const { owner } = yield* openAccount
        placedBy(yield* postOrder(key, cart([item(siteId)]), freshKey()))
        const idempotencyKey = freshKey()
        const order = postOrder(key, cart([item(siteId)]), idempotencyKey)
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* frozen(url)
            const api = [
              order,
              postOrder(key, cart([item(siteId)])),
              call("GET", BALANCE, { key }),
              call("GET", ORDERS, { key })
            ]
            const [answers, pages] = yield* Effect.all(
              [
                Effect.forEach([...api, call("GET", BALANCE, { key: unseen })], timed, {
                  concurrency: "unbounded"
                }),
                Effect.forEach(["/account", "/account/stop"], (path) => timed(visit({ path, token: owner })), {
                  concurrency: "unbounded"
                })
              ],
              { concurrency: "unbounded" }
            )
            for (const { answer, tookMs } of answers) {
              expect(refusalIn(answer)).toMatchObject({ status: 503, code: "store_unavailable" })
              expect(tookMs).toBeLessThan(IN_TIME_MS)
            }
            for (const { answer, tookMs } of pages) {
              expect(answer.status).toBe(503)
              expect(tookMs).toBeLessThan(IN_TIME_MS)
            }
          })
        )
        // The order that was answered 503 may have been placed: the same key finds out, and it is one.
        const again = yield* Effect.repeat(order, {
          until: ({ status }) => status !== 503,
          schedule: Schedule.spaced("200 millis")
        })
        expect(placedBy(again).order_status).toBe("paid")
        const once = yield* postOrder(key, cart([item(siteId)]), idempotencyKey)
        expect(placedBy(once).order_id).toBe(placedBy(again).order_id)
      }).pipe(Effect.provide(serviceOn(url, { RATE_LIMIT_READS: "0", RATE_LIMIT_ORDERS: "0" })))
    })
  )
})
