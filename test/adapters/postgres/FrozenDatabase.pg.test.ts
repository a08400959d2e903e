// A database whose sessions stand still, and close no connection: every request is answered in time all the same, and what was begun is done
// once they go on.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { expect } from "vitest"
import { makeOperatorClient } from "#adapters/operator/OperatorClient.ts"
import { SECRET_KEY, StripeStandIn, layer as standIn, WEBHOOK_SECRET } from "#test/adapters/payments/StripeStandIn.ts"
import { openAccount, visit } from "#test/adapters/web/Visitors.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { BALANCE, call, ORDERS, placedBy, postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { deliver, outcomeOf, payUnnoticed } from "#test/scenarios/StripeQuoteSteps.ts"
import { opened as topUpOverStripe } from "#test/scenarios/StripeTopUpSteps.ts"
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

const TOKEN = "operator-token-of-a-test-0123456789"

const SETTINGS = {
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  OPERATOR_TOKEN: TOKEN,
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET
}

/** Requests of the authorization server, by a client that it has to look for. */
const REFRESH = call("POST", "/oauth/token", {
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: "grant_type=refresh_token&client_id=unknown&refresh_token=unknown"
})
const AUTHORIZE = visit({
  path: `/oauth/authorize?${new URLSearchParams({
    ...{ client_id: "unknown", response_type: "code", redirect_uri: "http://127.0.0.1/" },
    ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" }
  })}`
})

/** What a late answer of the operator plane says. */
const operatorCall = Effect.gen(function* () {
  const { url } = yield* RunningService
  const client = yield* makeOperatorClient({ url, token: Redacted.make(TOKEN) })
  return yield* Effect.flip(client.listAccounts({ limit: 1 }))
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
        // The library of the authorization server is loaded by its first request.
        expect((yield* REFRESH).status).toBe(401)
        const topUp = yield* topUpOverStripe
        const notice = deliver(yield* payUnnoticed(topUp.sessionId))
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
            const [answers, pages, others, told] = yield* Effect.all(
              [
                Effect.forEach([...api, call("GET", BALANCE, { key: unseen })], timed, {
                  concurrency: "unbounded"
                }),
                Effect.forEach(["/account", "/account/stop"], (path) => timed(visit({ path, token: owner })), {
                  concurrency: "unbounded"
                }),
                Effect.forEach(
                  [visit({ path: "/pay/unknown" }), REFRESH, AUTHORIZE, notice],
                  (asked) => timed(Effect.map(asked, ({ status, headers }) => [status, headers.get("retry-after")])),
                  { concurrency: "unbounded" }
                ),
                timed(operatorCall)
              ],
              { concurrency: "unbounded" }
            )
            for (const { answer, tookMs } of answers) {
              expect(refusalIn(answer)).toMatchObject({ status: 503, code: "store_unavailable" })
              expect(tookMs).toBeLessThan(IN_TIME_MS)
            }
            for (const { answer, tookMs } of others) {
              expect(answer).toEqual([503, "2"])
              expect(tookMs).toBeLessThan(IN_TIME_MS)
            }
            expect(told.answer).toMatchObject({ code: "store_unavailable" })
            expect(told.answer.suggestion).toContain("before you do it again")
            expect(told.tookMs).toBeLessThan(IN_TIME_MS)
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
        // The notice that was answered 503 is sent again, and was booked by then, or is now: once.
        const again503 = yield* Effect.repeat(notice, {
          until: ({ status }) => status !== 503,
          schedule: Schedule.spaced("200 millis")
        })
        expect(["credited", "repeated"]).toContain(outcomeOf(again503))
        expect(outcomeOf(yield* notice)).toBe("repeated")
        expect(yield* topUp.view).toBe("paid")
      }).pipe(Effect.provide(serviceOn(url, { ...SETTINGS, STRIPE_API_URL: (yield* StripeStandIn).url })))
    }).pipe(Effect.provide(standIn))
  )
})
