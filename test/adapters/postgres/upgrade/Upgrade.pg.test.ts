// A database of the version before, with rows in every table, is taken over: everything is read, and selling goes on.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Result, Schedule } from "effect"
import { expect } from "vitest"
import { readStep, STEPS } from "#adapters/postgres/database/MigrationSteps.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { CheckSigningKeys } from "#core/usecases/webhooks/CheckSigningKeys.ts"
import { ResealSigningKeys } from "#core/usecases/webhooks/ResealSigningKeys.ts"
import { cart, insertion, item } from "#test/scenarios/Buyers.ts"
import {
  BALANCE,
  call,
  type HttpResponse,
  isReplay,
  ORDERS,
  placedBy,
  postOrder,
  QUOTES,
  WEBHOOKS
} from "#test/scenarios/HttpCalls.ts"
import { serviceOn } from "../ServiceOnPostgres.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"
import { databaseOfStep010, ENCRYPTION_KEY, known } from "./Step010.ts"

const ENV = { ENCRYPTION_KEY, SWEEP_INTERVAL: "1 hour", RATE_LIMIT_READS: "0" }

const readJson = Effect.fnUntraced(function* (path: string, key: string) {
  const { status, text } = yield* call("GET", path, { key })
  expect(status, text).toBe(200)
  return JSON.parse(text)
})

const reconciled = Effect.gen(function* () {
  const { checked, violations } = yield* (yield* Reconcile).reconcile()
  expect(violations).toEqual([])
  return checked
})

/**
 * The two accounts of the rows share an address: both keep it, the older one has it, and reconciliation names the other until it gets one
 * of its own.
 */
const sharedAddress = Effect.gen(function* () {
  const accounts = yield* ManageAccounts
  const { accounts: known } = yield* accounts.list({ limit: 5, beforeId: null })
  const [younger, older] = known
  expect(known.map(({ email }) => email)).toEqual(["ada@brand.example", "ada@brand.example"])
  const { violations } = yield* (yield* Reconcile).reconcile()
  expect(violations).toEqual([
    {
      invariant: "email_is_unique",
      subject: younger?.accountId,
      message: `ada@brand.example is the address of ${older?.accountId}, which is older`
    }
  ])
  const third = yield* Effect.flip(accounts.open({ name: "Eve", email: "Ada@Brand.example" }, "upgrade"))
  expect(third._tag).toBe("EmailTaken")
  // The address is still the younger one's after the older one has given it up, and free after both have.
  for (const [index, one] of [older, younger].entries()) {
    const address = { accountId: one?.accountId ?? "", email: `ada-${index}@brand.example` }
    yield* accounts.changeEmail(address, "upgrade")
    const next = yield* Effect.result(accounts.changeEmail({ ...address, email: "ADA@brand.example" }, "upgrade"))
    expect(Result.isSuccess(next)).toBe(index === 1)
  }
})

describe("an upgrade from steps 001 to 010", () => {
  it.live("keeps every row, and selling goes on", () =>
    Effect.gen(function* () {
      const { url, emptyTables } = yield* databaseOfStep010
      expect(emptyTables).toEqual([])
      yield* Effect.gen(function* () {
        expect((yield* call("GET", "/readyz")).status).toBe(200)
        yield* sharedAddress
        expect(yield* reconciled).toMatchObject({ accounts: 2, quotes: 3, orders: 2, links: 3, deliveries: 1 })
        expect(yield* (yield* CheckSigningKeys).unsignable()).toBeNull()
        expect(yield* (yield* ResealSigningKeys).pass()).toMatchObject({ unopened: 0 })
        const [webhook] = yield* (yield* Subscriptions).activeAfter({ after: null, limit: 1 })
        expect(webhook?.sealedSigningKey).toMatch(/^v2\./)
        expect(yield* (yield* CheckSigningKeys).unsignable()).toBeNull()

        const { credit, card, paidOrderId, openQuoteId, siteId, articleId } = known
        const order = yield* readJson(`${ORDERS}/${paidOrderId}`, credit)
        expect(order.items.map(({ status }: { status: string }) => status)).toEqual(["cancelled", "assigned"])
        expect((yield* readJson(ORDERS, card)).count).toBe(1)
        expect((yield* readJson(WEBHOOKS, credit)).count).toBe(1)

        const again = [insertion({ siteId, articleId }), item(7_000_002)]
        const replay = yield* postOrder(credit, cart(again, { promo_code: "LIMITED" }), "paid-by-credit")
        expect(isReplay(replay)).toBe(true)
        expect(placedBy(replay).order_id).toBe(paidOrderId)

        yield* (yield* SweepQuotes).sweep()
        expect(yield* readJson(`${QUOTES}/${openQuoteId}`, card)).toMatchObject({ status: "abandoned" })
        expect(yield* readJson(BALANCE, card)).toMatchObject({ available_cents: 500, held_cents: 0 })

        const bought = placedBy(yield* postOrder(credit, cart([insertion({ siteId, articleId })]), "after-the-upgrade"))
        expect(bought.order_status).toBe("paid")
        expect(yield* reconciled).toMatchObject({ orders: 3 })
      }).pipe(Effect.provide(serviceOn(url, ENV)))
      const [stored] = yield* execute(url, "SELECT step, sha256 FROM schema_steps ORDER BY step")
      expect(stored).toEqual(STEPS.map(readStep).map(({ step, sha256 }) => ({ step, sha256 })))
      // Stored hashes are compared from now on.
      yield* execute(url, "UPDATE schema_steps SET sha256 = 'other' WHERE step = '008_rows'")
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(storeInstance(url))))
      expect(refused).toMatchObject({ _tag: "DatabaseDiffers", difference: "Its step 008_rows has another text." })
    })
  )
})

describe("an upgrade of rows that would be lost", () => {
  it.live.each([
    [
      "holds",
      "UPDATE holds SET state = 'open' WHERE state = 'captured'",
      "a row of holds does not follow from its quote"
    ],
    ["orders", "UPDATE orders SET total_cents = total_cents + 1", "a row of orders does not follow from its quote"],
    [
      "bindings",
      "UPDATE bindings SET bound_at_ms = bound_at_ms - 1",
      "a row of bindings does not follow from its quote"
    ],
    ["promo_uses", "UPDATE promo_uses SET until_ms = 1", "a row of promo_uses does not follow from its quote"],
    ["deliveries", "UPDATE deliveries SET account_id = 'acc_lost'", "account acc_lost is named and not there"],
    ["events", "UPDATE events SET account_id = 'acc_lost'", "has no such order or quote"],
    ["outbox", "UPDATE outbox SET delivery_id = 'dlv_lost'", "delivery dlv_lost is due and not there"]
  ] as const)("is refused, and changes nothing: %s that do not follow from other rows", ([table, change, words]) =>
    Effect.gen(function* () {
      const { url } = yield* databaseOfStep010
      const rows = Effect.map(execute(url, `SELECT to_jsonb(t) FROM ${table} t ORDER BY 1`), ([found]) => found)
      yield* execute(url, "SET session_replication_role = replica", change)
      const before = yield* rows
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(storeInstance(url))))
      expect(refused).toMatchObject({ _tag: "DatabaseDiffers", difference: expect.stringContaining(words) })
      expect(yield* rows).toEqual(before)
    })
  )
})

/** Sends the same request until the instance has noticed. */
const untilRefused = <E, R>(send: Effect.Effect<HttpResponse, E, R>) =>
  Effect.repeat(send, { until: ({ status }) => status === 503, schedule: Schedule.spaced("100 millis") })

describe("a running instance", () => {
  it.live(
    "is no longer ready, takes no orders and sweeps nothing, and says why, once a newer version has migrated its database",
    () =>
      Effect.gen(function* () {
        const { url } = yield* databaseOfStep010
        yield* Effect.gen(function* () {
          expect((yield* call("GET", "/readyz")).status).toBe(200)
          const { quote_id } = placedBy(yield* postOrder(known.card, cart([item(7_000_002, { tier2_links: 5 })])))
          const quoteStatus = Effect.map(
            execute(url, `SELECT status FROM quotes WHERE quote_id = '${quote_id}'`),
            ([rows = []]) => rows[0]?.["status"]
          )
          const expire = execute(url, `UPDATE quotes SET expires_at_ms = 1 WHERE quote_id = '${quote_id}'`)
          yield* execute(url, "INSERT INTO schema_steps (step, sha256) VALUES ('999_of_tomorrow', 'hash')")
          const { status, text } = yield* call("GET", "/readyz")
          expect(status).toBe(503)
          expect(JSON.parse(text).error.message).toContain(
            "newer version of the service has migrated the database (999_of_tomorrow)"
          )
          // What clients still send before the balancer notices is answered, but for orders.
          expect((yield* readJson(BALANCE, known.card)).ok).toBe(true)
          const refused = yield* untilRefused(postOrder(known.credit, cart([item(7_000_002)]), "before"))
          expect(refused.headers.get("retry-after")).toBe("5")
          expect(JSON.parse(refused.text).error).toMatchObject({
            code: "store_unavailable",
            message: expect.stringContaining("takes no orders any more; nothing was written"),
            suggestion: expect.stringContaining("again once Retry-After has passed, an order with an Idempotency-Key")
          })
          yield* expire
          yield* Effect.sleep("500 millis")
          expect(yield* quoteStatus).toBe("awaiting_payment")
        }).pipe(Effect.provide(serviceOn(url, { ...ENV, SWEEP_INTERVAL: "50 millis" })))
      })
  )
})
