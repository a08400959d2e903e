// The same call, many times at once, spread over all instances: one order for each idempotency key, every answer the same bytes, and
// the daily cap counted once, which shows because each key's cap is just as many orders.
import { Effect } from "effect"
import { diceOf } from "./Dice.ts"
import { inParallel } from "./InParallel.ts"
import { issue, openAccount, type Shopper } from "./Market.ts"
import { orderCall } from "./Shopping.ts"
import type { Stage } from "./Stage.ts"

const CAP = 20
const KEYS_OF_ACCOUNT = 5
const CREDIT_CENTS = 1_000_000

export interface TwinsPlan {
  /** Idempotency keys, a multiple of the cap. */
  readonly keys: number
  readonly twins: number
  /** Idempotency keys that are fought over at the same time. */
  readonly atOnce: number
}

export interface Twins {
  readonly calls: number
  readonly seconds: number
  readonly complaints: ReadonlyArray<string>
}

const buyers = Effect.fnUntraced(function* (count: number) {
  const shoppers: Array<Shopper> = []
  for (let n = 0; n < count; n++) {
    const accountId = n % KEYS_OF_ACCOUNT === 0 ? yield* openAccount(CREDIT_CENTS) : (shoppers.at(-1)?.accountId ?? "")
    shoppers.push(yield* issue(accountId, CAP))
  }
  return shoppers
})

const body = JSON.stringify({
  items: [
    { site_id: 3, target_url: "https://brand.example/twins", anchor_text: "two of a kind", anchor_type: "branded" }
  ]
})

export const fightOver = async ({ inside, client }: Stage, plan: TwinsPlan): Promise<Twins> => {
  const shoppers = await inside.run(buyers(plan.keys / CAP))
  const dice = diceOf(plan.keys)
  const complaints: Array<string> = []
  const fight = async (shopper: Shopper, name: string) => {
    const call = orderCall(shopper, name, body)
    const all = await Promise.all(Array.from({ length: plan.twins }, () => client.insist(call, dice)))
    const answers = new Set(all.map(({ reply }) => `${reply.status} ${reply.body}`))
    const [answer = ""] = answers
    if (answers.size > 1 || !answer.startsWith("201 "))
      complaints.push(`${name}: ${[...answers].slice(0, 3).join(" / ")}`)
  }
  const fights = shoppers.flatMap((shopper, at) =>
    Array.from({ length: CAP }, (_, n) => ({ shopper, name: `twin-${at}-${n}` }))
  )
  const startMs = performance.now()
  await inParallel(fights, plan.atOnce, ({ shopper, name }) => fight(shopper, name))
  const seconds = (performance.now() - startMs) / 1_000
  for (const shopper of shoppers) {
    const { reply } = await client.insist(orderCall(shopper, "one-too-many", body), dice)
    if (!reply.body.includes("daily_order_cap_reached"))
      complaints.push(`beyond the cap: ${reply.status} ${reply.body}`)
  }
  const ids = shoppers.map(({ keyId }) => `'${keyId}'`).join()
  const [row] = await inside.rows(`
    SELECT (SELECT count(*)::int FROM orders WHERE key_id IN (${ids})) AS orders,
      (SELECT coalesce(sum(quotes), 0)::int FROM tallies WHERE key_id IN (${ids})) AS counted`)
  if (row?.["orders"] !== plan.keys) complaints.push(`${row?.["orders"]} orders for ${plan.keys} keys`)
  if (row?.["counted"] !== plan.keys) complaints.push(`${row?.["counted"]} counted for ${plan.keys} keys`)
  return { calls: plan.keys * plan.twins, seconds, complaints }
}
