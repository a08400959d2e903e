// What must be true when it is quiet again: the books are sound, every answer stands to the byte, nothing was made twice, nothing
// is stuck. Tells in words whatever is not.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import type { Client } from "./Client.ts"
import { type Dice, diceOf } from "./Dice.ts"
import { inParallel } from "./InParallel.ts"
import type { Inside } from "./Inside.ts"
import { CODES } from "./Market.ts"
import { type Asked, type Diary, decodeAnswer } from "./Shopping.ts"

/** At most a few of each kind are told. */
const few = (complaints: ReadonlyArray<string>): ReadonlyArray<string> => complaints.slice(0, 5)

export const reconciled = async (inside: Inside): Promise<ReadonlyArray<string>> => {
  const { findings } = await inside.run(Effect.flatMap(Reconcile, ({ reconcile }) => reconcile()))
  return findings.map(({ law, subject, message }) => `${law}: ${subject}: ${message}`)
}

const countOf = async (inside: Inside, sql: string): Promise<number> => {
  const [row] = await inside.rows(`SELECT count(*)::int AS count FROM ${sql}`)
  return Number(row?.["count"])
}

/** Every quote comes to its end: paid, given up, or expired and swept. */
export const resolved = async (inside: Inside, withinMs: number): Promise<ReadonlyArray<string>> => {
  const untilMs = performance.now() + withinMs
  for (;;) {
    const open = await countOf(inside, "quotes WHERE status = 'awaiting_payment'")
    if (open === 0) return []
    if (performance.now() > untilMs) return [`${open} quotes are still open`]
    await sleep(100)
  }
}

/** Each order again, at any instance: the very bytes of the first answer. */
export const replayed = async (
  client: Client,
  answered: ReadonlyArray<Pick<Asked, "call" | "body">>,
  dice: Dice = diceOf(1)
): Promise<ReadonlyArray<string>> => {
  const complaints = await inParallel(answered, 32, async ({ call, body }) => {
    const { reply } = await client.insist(call, dice)
    const same = reply.status === 201 && reply.replayed && reply.body === body
    return same ? [] : [`replayed as ${reply.status} ${reply.body}, answered as ${body}`]
  })
  return few(complaints.flat())
}

/** Every order and quote that somebody was told of. */
export const kept = async (inside: Inside, { answered }: Diary): Promise<ReadonlyArray<string>> => {
  const [row] = await inside.rows(`
    SELECT (SELECT coalesce(json_agg(order_id), '[]') FROM orders)::text AS orders,
      (SELECT coalesce(json_agg(quote_id), '[]') FROM quotes)::text AS quotes`)
  const orders = new Set<unknown>(JSON.parse(String(row?.["orders"])))
  const quotes = new Set<unknown>(JSON.parse(String(row?.["quotes"])))
  const answers = answered.map(({ body }) => decodeAnswer(body))
  const lost = answers.filter(
    ({ quote_id, order_id }) => !quotes.has(quote_id) || (order_id != null && !orders.has(order_id))
  )
  return few(lost.map(({ quote_id }) => `quote ${quote_id} was answered and is lost`))
}

/** One quote for an idempotency key, one session for a quote, no code used more often than it may be. */
export const once = async (inside: Inside): Promise<ReadonlyArray<string>> => {
  const rules: ReadonlyArray<readonly [string, string]> = [
    [
      "idempotency keys made more than one quote",
      "(SELECT FROM quotes WHERE idempotency_key IS NOT NULL GROUP BY key_id, idempotency_key HAVING count(*) > 1) q"
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
                `(SELECT FROM quotes WHERE mode = 'live' AND status = 'paid' AND discount ->> 'code' = '${code}' HAVING count(*) > ${most}) q`
              ]
            ]
    )
  ]
  const complaints: Array<string> = []
  for (const [words, sql] of rules) {
    const count = await countOf(inside, sql)
    if (count > 0) complaints.push(`${count} ${words}`)
  }
  return complaints
}
