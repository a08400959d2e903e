// The line is cut while the database commits, so that it has written what nobody is told of. Nothing is tried again by itself: only
// the caller knows whether it wants the same once more, and who asks again with a name for it finds what was written.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { expect } from "vitest"
import type { OrderBook } from "#core/ports/OrderBook.ts"
import { Orders } from "#core/ports/Orders.ts"
import { expectConsistentWallet, movements } from "#test/ports/LedgerChecks.ts"
import { abandon, cancelOrderById, pay, storeSessionOf } from "#test/ports/OrderSteps.ts"
import { buyer, linksOn, listSite, order, submitOrder, topUpAccount } from "#test/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/ports/StoreSuite.ts"
import { longWaits, storeInstance } from "../StoreInstances.ts"
import { execute, freshDatabase, untilLockWaiter } from "../TestDatabase.ts"
import { lossyConnection } from "./LossyConnection.ts"

/** Nobody gives up on a lock while it is held for a test. */
const unhurried = { ...longWaits, statementTimeout: "5 minutes" } as const

const atWork = `SELECT FROM pg_stat_activity
WHERE application_name = 'backlinks' AND datname = current_database() AND state = 'active'`

/** A shop at the end of such a line, and how a deed on one account loses its answer. */
const shop = Effect.gen(function* () {
  const url = yield* freshDatabase
  const line = yield* lossyConnection(url)
  const context = yield* Layer.build(Layer.merge(storeInstance(line.url, unhurried), UniqueNumbers.layer))
  /** The account is held until the deed's commit waits for it and the line is cut; then the database goes on. Answers the deed's error. */
  const unanswered = <A, E>(accountId: string, deed: Effect.Effect<A, E, OrderBook>) =>
    Effect.gen(function* () {
      const holder = yield* PgConnection.make({ url })
      yield* holder.query("BEGIN")
      yield* holder.query("SELECT FROM accounts WHERE account_id = $1 FOR UPDATE", [accountId])
      const done = yield* Effect.forkChild(Effect.flip(deed), { startImmediately: true })
      yield* untilLockWaiter(holder)
      yield* line.cut
      yield* holder.query("ROLLBACK")
      const error = yield* Fiber.join(done)
      const idle = Effect.repeat(execute(url, atWork), {
        until: ([rows]) => rows?.length === 0,
        schedule: Schedule.spaced("5 millis")
      })
      yield* idle
      return error
    }).pipe(Effect.scoped)
  return { context, unanswered }
})

type Unanswered = Effect.Success<typeof shop>["unanswered"]
type Ports = Layer.Success<ReturnType<typeof storeInstance>> | UniqueNumbers

const played =
  <E>(test: (unanswered: Unanswered) => Effect.Effect<void, E, Ports>) =>
  () =>
    Effect.flatMap(shop, ({ context, unanswered }) => Effect.provide(test(unanswered), context)).pipe(Effect.scoped)

const unavailable = { _tag: "StoreUnavailable", retryAfterSeconds: expect.any(Number) }

const bought = ["top_up 1000", "hold 500", "capture 500"]

describe("whose answer was lost at commit", () => {
  it.live(
    "25: an order is bought once and not again by itself, though it has no idempotency key",
    played((unanswered) =>
      Effect.gen(function* () {
        const items = linksOn(yield* listSite())
        const { account, caller } = yield* buyer(1_000)
        expect(yield* unanswered(account.accountId, submitOrder(caller, { items }))).toMatchObject(unavailable)
        expect(yield* movements(account.accountId)).toEqual(bought)
      })
    )
  )

  it.live(
    "25: an order with an idempotency key is found by it",
    played((unanswered) =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const items = linksOn(yield* listSite())
        const { account, caller } = yield* buyer(1_000)
        const request = submitOrder(caller, { items, idempotency: { key: "mine", fingerprint: "f" } })
        expect(yield* unanswered(account.accountId, request)).toMatchObject(unavailable)
        expect((yield* request).kind).toBe("replay")
        expect(yield* movements(account.accountId)).toEqual(bought)
        const page = yield* orders.ofKey({ keyId: caller.keyId, status: null, limit: 50, beforeId: null })
        expect(page.total).toBe(1)
      })
    )
  )

  it.live(
    "25: a top-up is booked once",
    played((unanswered) =>
      Effect.gen(function* () {
        const { accountId } = (yield* buyer()).account
        expect(yield* unanswered(accountId, topUpAccount(accountId, 7))).toMatchObject(unavailable)
        expect(yield* movements(accountId)).toEqual(["top_up 7"])
      })
    )
  )

  it.live(
    "25: a payment, a change of mind and a cancellation happen once, and whoever says so again is told",
    played((unanswered) =>
      Effect.gen(function* () {
        const items = linksOn(yield* listSite())
        const { account, caller } = yield* buyer(300)
        const { accountId } = account
        const { quote } = yield* order(caller, { items })
        yield* storeSessionOf(quote)
        expect(yield* unanswered(accountId, pay(quote))).toMatchObject(unavailable)
        const told = yield* pay(quote)
        expect(told).toMatchObject({ outcome: "repeated", quote: { status: "paid" } })
        const paid = ["top_up 300", "hold 300", "capture 300"]
        expect(yield* movements(accountId)).toEqual(paid)

        const orderId = told.quote.orderId ?? ""
        expect(yield* unanswered(accountId, cancelOrderById(orderId))).toMatchObject(unavailable)
        expect(yield* Effect.flip(cancelOrderById(orderId))).toMatchObject({ _tag: "InvalidTransition" })
        expect(yield* movements(accountId)).toEqual([...paid, "recredit 500"])

        const second = (yield* order(caller, { items: [...items, ...items] })).quote
        expect(yield* unanswered(accountId, abandon(second, "agent"))).toMatchObject(unavailable)
        expect(yield* abandon(second, "agent")).toMatchObject({ status: "abandoned" })
        expect(yield* movements(accountId)).toEqual([...paid, "recredit 500", "hold 500", "release 500"])
        expect(yield* expectConsistentWallet(accountId)).toEqual({ balanceCents: 500, heldCents: 0 })
      })
    )
  )
})
