// The same call, many times at once, spread over all instances: one order for each idempotency key, the same bytes for every answer,
// and one count against the daily cap. Each key's cap is exactly the number of its orders.
import { Effect } from "effect"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { orderCall } from "./AgentLoad.ts"
import type { Deployment } from "./Deployment.ts"
import { inParallel } from "./InParallel.ts"
import { seededRandom } from "./SeededRandom.ts"
import { type Customer, issueKey, openAccount } from "./TestData.ts"

const CAP = 20
const KEYS_OF_ACCOUNT = 5
const CREDIT_CENTS = 1_000_000

export interface DuplicatePlan {
  /** Idempotency keys, a multiple of the cap. */
  readonly keys: number
  readonly copies: number
  /** Idempotency keys in use at the same time. */
  readonly atOnce: number
}

export interface DuplicateRun {
  readonly calls: number
  readonly seconds: number
  readonly violations: ReadonlyArray<string>
}

const customersWithCap = Effect.fnUntraced(function* (count: number) {
  const customers: Array<Customer> = []
  for (let n = 0; n < count; n++) {
    const accountId =
      n % KEYS_OF_ACCOUNT === 0 ? yield* openAccount(CREDIT_CENTS) : (customers.at(-1)?.accountId ?? AccountId.make(""))
    customers.push(yield* issueKey(accountId, CAP))
  }
  return customers
})

const body = JSON.stringify({
  items: [
    { site_id: 3, target_url: "https://brand.example/duplicates", anchor_text: "two of a kind", anchor_type: "branded" }
  ]
})

export const sendDuplicates = async ({ direct, client }: Deployment, plan: DuplicatePlan): Promise<DuplicateRun> => {
  const customers = await direct.run(customersWithCap(plan.keys / CAP))
  const random = seededRandom(plan.keys)
  const violations: Array<string> = []
  const sendCopies = async (customer: Customer, name: string) => {
    const call = orderCall(customer, name, body)
    const all = await Promise.all(Array.from({ length: plan.copies }, () => client.callUntilAnswered(call, random)))
    const answers = new Set(all.map(({ reply }) => `${reply.status} ${reply.body}`))
    const [answer = ""] = answers
    if (answers.size > 1 || !answer.startsWith("201 "))
      violations.push(`${name}: ${[...answers].slice(0, 3).join(" / ")}`)
  }
  const orders = customers.flatMap((customer, at) =>
    Array.from({ length: CAP }, (_, n) => ({ customer, name: `duplicate-${at}-${n}` }))
  )
  const startMs = performance.now()
  await inParallel(orders, plan.atOnce, ({ customer, name }) => sendCopies(customer, name))
  const seconds = (performance.now() - startMs) / 1_000
  for (const customer of customers) {
    const { reply } = await client.callUntilAnswered(orderCall(customer, "one-too-many", body), random)
    if (!reply.body.includes("daily_order_cap_reached"))
      violations.push(`beyond the cap: ${reply.status} ${reply.body}`)
  }
  const ids = customers.map(({ keyId }) => `'${keyId}'`).join()
  const [row] = await direct.rows(`
    SELECT (SELECT count(*)::int FROM orders WHERE key_id IN (${ids})) AS orders,
      (SELECT coalesce(sum(quotes), 0)::int FROM tallies WHERE key_id IN (${ids})) AS counted`)
  if (row?.["orders"] !== plan.keys) violations.push(`${row?.["orders"]} orders for ${plan.keys} keys`)
  if (row?.["counted"] !== plan.keys) violations.push(`${row?.["counted"]} counted for ${plan.keys} keys`)
  return { calls: plan.keys * plan.copies, seconds, violations }
}
