// What must be true after a run: the books are consistent, every answer replays to the byte, every effect happened once, no quote is
// stuck. Each check returns its violations as sentences.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { type AnsweredOrder, decodeOrderResponse, type LoadRecord } from "./AgentLoad.ts"
import type { Client } from "./Client.ts"
import type { DirectAccess } from "./DirectAccess.ts"
import { inParallel } from "./InParallel.ts"
import { type SeededRandom, seededRandom } from "./SeededRandom.ts"
import { CODES } from "./TestData.ts"

/** At most five of each kind. */
const few = (violations: ReadonlyArray<string>): ReadonlyArray<string> => violations.slice(0, 5)

export const reconciled = async (direct: DirectAccess): Promise<ReadonlyArray<string>> => {
  const { violations } = await direct.run(Effect.flatMap(Reconcile, ({ reconcile }) => reconcile()))
  return violations.map(({ invariant, subject, message }) => `${invariant}: ${subject}: ${message}`)
}

const countOf = async (direct: DirectAccess, sql: string): Promise<number> => {
  const [row] = await direct.rows(`SELECT count(*)::int AS count FROM ${sql}`)
  return Number(row?.["count"])
}

/** Every quote is paid, abandoned, or expired and swept. */
export const resolved = async (direct: DirectAccess, withinMs: number): Promise<ReadonlyArray<string>> => {
  const untilMs = performance.now() + withinMs
  for (;;) {
    const open = await countOf(direct, "quotes WHERE status = 'awaiting_payment'")
    if (open === 0) return []
    if (performance.now() > untilMs) return [`${open} quotes are still open`]
    await sleep(100)
  }
}

/** Each order, sent again to any instance, gets the bytes of the first answer. */
export const replayed = async (
  client: Client,
  answered: ReadonlyArray<Pick<AnsweredOrder, "call" | "body">>,
  random: SeededRandom = seededRandom(1)
): Promise<ReadonlyArray<string>> => {
  const violations = await inParallel(answered, 32, async ({ call, body }) => {
    const { reply } = await client.callUntilAnswered(call, random)
    const same = reply.status === 201 && reply.replayed && reply.body === body
    return same ? [] : [`replayed as ${reply.status} ${reply.body}, answered as ${body}`]
  })
  return few(violations.flat())
}

/** Every order and quote that was answered is stored. */
export const retained = async (direct: DirectAccess, { answered }: LoadRecord): Promise<ReadonlyArray<string>> => {
  const [row] = await direct.rows(`
    SELECT (SELECT coalesce(json_agg(order_id), '[]') FROM orders)::text AS orders,
      (SELECT coalesce(json_agg(quote_id), '[]') FROM quotes)::text AS quotes`)
  const orders = new Set<unknown>(JSON.parse(String(row?.["orders"])))
  const quotes = new Set<unknown>(JSON.parse(String(row?.["quotes"])))
  const answers = answered.map(({ body }) => decodeOrderResponse(body))
  const lost = answers.filter(
    ({ quote_id, order_id }) => !quotes.has(quote_id) || (order_id != null && !orders.has(order_id))
  )
  return few(lost.map(({ quote_id }) => `quote ${quote_id} was answered and is lost`))
}

/** One quote for an idempotency key, one session for a quote, no code redeemed more often than its limit. */
export const uniqueEffects = async (direct: DirectAccess): Promise<ReadonlyArray<string>> => {
  const rules: ReadonlyArray<readonly [string, string]> = [
    [
      "idempotency keys made more than one quote",
      "(SELECT FROM quotes WHERE idempotency_key IS NOT NULL GROUP BY account_no, mode, bound_scope, CASE WHEN bound_scope IS NULL THEN key_id END, idempotency_key HAVING count(*) > 1) q"
    ],
    [
      "quotes that a card is to pay never got their payment link",
      "quotes WHERE status = 'paid' AND card_cents > 0 AND session_id IS NULL"
    ],
    ...Object.entries(CODES).flatMap(
      ([code, most]): ReadonlyArray<readonly [string, string]> =>
        most === null
          ? []
          : [
              [
                `code ${code} was used more often than ${most} times`,
                `(SELECT FROM quotes WHERE status = 'paid' AND promo_code = '${code}' HAVING count(*) > ${most}) q`
              ]
            ]
    )
  ]
  const violations: Array<string> = []
  for (const [words, sql] of rules) {
    const count = await countOf(direct, sql)
    if (count > 0) violations.push(`${count} ${words}`)
  }
  return violations
}
