// The connection is cut while the database commits, so that changes are written without a response. The store does not retry: only the
// caller knows whether to repeat the call, and a replay with an idempotency key finds what was written.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { expect } from "vitest"
import { changeWebhook } from "#core/decisions/webhooks/Subscriptions.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { abandon, addSubscription, cancelOrderById, pay, storeSessionOf } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, submitOrder, topUpAccount } from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { expectConsistentWallet, movements } from "#test/core/ports/wallet/LedgerChecks.ts"
import { replayTo } from "#test/core/ports/webhooks/Replays.suite.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { longWaits, storeInstance } from "../StoreInstances.ts"
import { execute, untilLockWaiter } from "../TestDatabase.ts"
import { lossyConnection } from "./LossyConnection.ts"

/** No statement times out while a test holds its lock. */
const longTimeout = { ...longWaits, statementTimeout: "5 minutes" } as const

const activeSessions = `SELECT FROM pg_stat_activity
WHERE application_name = 'backlinks' AND datname = current_database() AND state = 'active'`

/** A shop behind a lossy connection, and a way to lose the response of work on an account. */
const shop = Effect.gen(function* () {
  const url = yield* migratedDatabase
  const connection = yield* lossyConnection(url)
  const context = yield* Layer.build(Layer.merge(storeInstance(connection.url, longTimeout), UniqueNumbers.layer))
  /** Locks the account until the commit of `work` waits for it and the connection is cut, then releases it. Returns the error. */
  const loseResponse = <A, E>(accountId: string, work: Effect.Effect<A, E, OrderBook>) =>
    Effect.gen(function* () {
      const holder = yield* PgConnection.make({ url })
      yield* holder.query("BEGIN")
      yield* holder.query("SELECT FROM accounts WHERE account_id = $1 FOR UPDATE", [accountId])
      const done = yield* Effect.forkChild(Effect.flip(work), { startImmediately: true })
      yield* untilLockWaiter(holder)
      yield* connection.cut
      yield* holder.query("ROLLBACK")
      const error = yield* Fiber.join(done)
      const idle = Effect.repeat(execute(url, activeSessions), {
        until: ([rows]) => rows?.length === 0,
        schedule: Schedule.spaced("5 millis")
      })
      yield* idle
      return error
    }).pipe(Effect.scoped)
  return { context, loseResponse }
})

type LoseResponse = Effect.Success<typeof shop>["loseResponse"]
type Ports = Layer.Success<ReturnType<typeof storeInstance>> | UniqueNumbers

const withLostResponses =
  <E>(test: (loseResponse: LoseResponse) => Effect.Effect<void, E, Ports>) =>
  () =>
    Effect.flatMap(shop, ({ context, loseResponse }) => Effect.provide(test(loseResponse), context)).pipe(Effect.scoped)

const unavailable = { _tag: "StoreUnavailable", retryAfterSeconds: expect.any(Number) }

const bought = ["top_up 1000", "capture 500"]

describe("after a commit whose response was lost", () => {
  it.live(
    "an order without an idempotency key is placed once and not retried",
    withLostResponses((loseResponse) =>
      Effect.gen(function* () {
        const items = linksOn(yield* listSite())
        const { account, caller } = yield* buyer(1_000)
        expect(yield* loseResponse(account.accountId, submitOrder(caller, { items }))).toMatchObject(unavailable)
        expect(yield* movements(account.accountId)).toEqual(bought)
      })
    )
  )

  it.live(
    "an order with an idempotency key is found by a replay",
    withLostResponses((loseResponse) =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const items = linksOn(yield* listSite())
        const { account, caller } = yield* buyer(1_000)
        const request = submitOrder(caller, { items, idempotency: { key: "mine", fingerprint: "f" } })
        expect(yield* loseResponse(account.accountId, request)).toMatchObject(unavailable)
        expect((yield* request).kind).toBe("replay")
        expect(yield* movements(account.accountId)).toEqual(bought)
        const page = yield* orders.listed({
          shown: [caller.keyId],
          leftOut: [],
          status: null,
          limit: 50,
          beforeId: null
        })
        expect(page.total).toBe(1)
      })
    )
  )

  it.live(
    "a replay queues what a webhook missed once, and a repeated call finds nothing",
    withLostResponses((loseResponse) =>
      Effect.gen(function* () {
        const { account, caller } = yield* buyer(5_000)
        const { webhookId } = yield* addSubscription(caller)
        const turn = (active: boolean) =>
          Effect.flatMap(OrderBook, ({ transact }) =>
            transact({ _tag: "ForSubscription", webhookId }, changeWebhook({ webhookId, caller, change: { active } }))
          )
        yield* turn(false)
        yield* order(caller, { items: linksOn(yield* listSite()) })
        yield* turn(true)
        const own = { caller, webhookId }
        expect(yield* loseResponse(account.accountId, replayTo(own))).toMatchObject(unavailable)
        expect(yield* replayTo(own)).toMatchObject({ queued: 0 })
        const log = yield* (yield* Deliveries).ofWebhook({ webhookId, limit: 10, beforeId: null })
        expect(log.deliveries).toMatchObject([{ event: "order.accepted", state: "pending" }])
      })
    )
  )

  it.live(
    "a top-up is booked once",
    withLostResponses((loseResponse) =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        expect(yield* loseResponse(accountId, topUpAccount(accountId, 7))).toMatchObject(unavailable)
        expect(yield* movements(accountId)).toEqual(["top_up 7"])
      })
    )
  )

  it.live(
    "a payment, an abandonment and a cancellation are written once, and a repeated call says so",
    withLostResponses((loseResponse) =>
      Effect.gen(function* () {
        const items = linksOn(yield* listSite())
        const { account, caller } = yield* buyer(300)
        const { accountId } = account
        const { quote } = yield* order(caller, { items })
        yield* storeSessionOf(quote)
        expect(yield* loseResponse(accountId, pay(quote))).toMatchObject(unavailable)
        const repeated = yield* pay(quote)
        expect(repeated).toMatchObject({ outcome: "repeated", quote: { status: "paid" } })
        const paid = ["top_up 300", "hold 300", "capture 300"]
        expect(yield* movements(accountId)).toEqual(paid)

        const orderId = repeated.quote.orderId ?? OrderId.make("")
        expect(yield* loseResponse(accountId, cancelOrderById(orderId))).toMatchObject(unavailable)
        expect(yield* cancelOrderById(orderId)).toMatchObject({ links: [{ status: "cancelled" }] })
        expect(yield* movements(accountId)).toEqual([...paid, "recredit 500"])

        const second = (yield* order(caller, { items: [...items, ...items] })).quote
        expect(yield* loseResponse(accountId, abandon(second, "agent"))).toMatchObject(unavailable)
        expect(yield* abandon(second, "agent")).toMatchObject({ status: "abandoned" })
        expect(yield* movements(accountId)).toEqual([...paid, "recredit 500", "hold 500", "release 500"])
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 500, heldCents: 0 })
      })
    )
  )
})
