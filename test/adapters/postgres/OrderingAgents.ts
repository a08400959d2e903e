// Agents that order while the database's address leads from one server to another, and what they remember of their orders.
import { Clock, Effect, type Redacted } from "effect"
import { expect } from "vitest"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { ENCRYPTION_KEY } from "#test/adapters/postgres/upgrade/Step048.ts"
import { cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { call, ORDERS, placedBy, postOrder, QUOTES } from "#test/scenarios/HttpCalls.ts"
import { execute } from "./TestDatabase.ts"

export const AGENTS = 8
/** For more orders than agents place. */
export const CREDIT_CENTS = 100_000_000

export const ENV = {
  RATE_LIMIT_READS: "0",
  RATE_LIMIT_ORDERS: "0",
  DAILY_ORDER_CAP: "0",
  SWEEP_INTERVAL: "1 hour",
  ENCRYPTION_KEY
}

export const body = cart([item(7_000_002)])

export interface Answered {
  readonly idempotencyKey: string
  readonly orderId: string
  readonly text: string
  readonly paths: ReadonlyArray<string>
  readonly atMs: number
}

/** Sent again under its key until it is answered. */
export const orderUntilAnswered = Effect.fnUntraced(function* (key: string) {
  const idempotencyKey = freshKey()
  const answer = yield* Effect.repeat(postOrder(key, body, idempotencyKey), { until: ({ status }) => status !== 503 })
  const { order_id, quote_id } = placedBy(answer)
  const paths = [`${ORDERS}/${order_id}`, `${QUOTES}/${quote_id}`]
  const atMs = yield* Clock.currentTimeMillis
  return { idempotencyKey, orderId: order_id ?? OrderId.make(""), text: answer.text, paths, atMs } satisfies Answered
})

export const statusesOf = (key: string, { paths }: Answered) =>
  Effect.forEach(paths, (path) => Effect.map(call("GET", path, { key }), ({ status }) => status))

/** Each order is there, and its replay has the same bytes. */
export const expectAllFound = (key: string, answered: ReadonlyArray<Answered>) =>
  Effect.forEach(
    answered,
    Effect.fnUntraced(function* (one: Answered) {
      expect(yield* statusesOf(key, one)).toEqual([200, 200])
      expect((yield* postOrder(key, body, one.idempotencyKey)).text).toBe(one.text)
    }),
    { concurrency: AGENTS, discard: true }
  )

export const orderCount = (url: Redacted.Redacted) =>
  Effect.map(execute(url, "SELECT FROM orders"), ([rows]) => rows?.length ?? 0)
