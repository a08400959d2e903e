// Webhook deliveries under faults: every committed event arrives, signed and with its own bytes, and no event of a rolled-back
// transaction does. The receiver checks signatures and bytes.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Redacted, Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import { topUp } from "#core/decisions/wallet/AdjustCredit.ts"
import { type Caller, callerOf } from "#core/domain/access/ApiKey.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { EventId, OrderId } from "#core/domain/shared/Ids.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import * as Given from "#test/core/Given.ts"
import { submitOrder } from "#test/core/ports/ShopSetup.ts"
import type { Deployment } from "./Deployment.ts"
import { retryWhileUnavailable } from "./DirectAccess.ts"
import { type FaultPace, injectFaults } from "./FaultInjection.ts"
import type { SeededRandom } from "./SeededRandom.ts"
import { issueKey, openAccount } from "./TestData.ts"
import type { Receiver } from "./WebhookReceiver.ts"

const CREDIT_CENTS = 1_000_000_000

const callers = Effect.fnUntraced(function* (count: number) {
  const keys = yield* ApiKeys
  const found: Array<Caller> = []
  for (let n = 0; n < count; n++) {
    const { accountId } = yield* issueKey(yield* openAccount(CREDIT_CENTS))
    for (const { key } of yield* keys.ofAccount(accountId)) found.push(callerOf(key))
  }
  return found
})

/** Customers with credit and a webhook each, whose secret the receiver has. */
const subscribeOwners = async (
  { direct }: Deployment,
  receiver: Receiver,
  count: number
): Promise<ReadonlyArray<Caller>> => {
  const owners = await direct.run(callers(count))
  for (const caller of owners) {
    const wish = { url: receiver.urlOf(caller.keyId), events: ["order.accepted" as const] }
    const { secret } = await direct.run(Effect.flatMap(ManageWebhooks, ({ create }) => create(caller, wish)))
    await receiver.setSecret(caller.keyId, Redacted.value(secret))
  }
  return owners
}

const noOwner = (): never => {
  throw new Error("at least one owner is needed")
}

/** Places one order, which raises one event. */
const place = Effect.fnUntraced(function* (caller: Caller, name: string) {
  const { render } = yield* ServiceContext
  const wish = { items: [Given.item({ siteId: 1 })], render, idempotency: { key: name, fingerprint: name } }
  yield* retryWhileUnavailable(submitOrder(caller, wish))
})

/** A transaction that raises an event, violates a constraint and is rolled back. Returns the event's id. */
const raiseRolledBack = Effect.fnUntraced(function* ({ accountId, keyId }: Caller) {
  const book = yield* OrderBook
  let eventId = EventId.make("")
  const decide = (books: Books, context: DecisionContext) =>
    Result.map(topUp({ accountId, cents: 5, reference: "", actor: null })(books, context), ({ reply, changes }) => {
      eventId = EventId.make(`evt_${context.idPrefix}99`)
      const about = {
        keyId,
        accountId,
        orderId: OrderId.make("ord_none"),
        linkId: null,
        quoteId: null,
        mode: "live" as const,
        body: "{}",
        atMs: 0
      }
      const event: Event = { eventId, type: "order.accepted", ...about }
      return { reply, changes: [...changes, { _tag: "EventRaised" as const, event }] }
    })
  // The foreign key to the event's order fails at commit.
  yield* Effect.exit(book.transact({ _tag: "ForAccount", accountId }, decide))
  return eventId
})

const eventIds = async ({ direct }: Deployment, where = ""): Promise<ReadonlySet<string>> => {
  const [row] = await direct.rows(`SELECT coalesce(json_agg(event_id), '[]')::text AS ids FROM events ${where}`)
  return new Set<string>(JSON.parse(String(row?.["ids"])))
}

/** The number of deliveries still to be sent. */
const pending = async ({ direct }: Deployment, where = ""): Promise<number> => {
  const [row] = await direct.rows(`SELECT count(*)::int AS count FROM outbox ${where}`)
  return Number(row?.["count"])
}

const untilSent = async (deployment: Deployment, withinMs: number): Promise<ReadonlyArray<string>> => {
  for (const untilMs = performance.now() + withinMs; performance.now() < untilMs; await sleep(200)) {
    if ((await pending(deployment)) === 0) return []
  }
  return [`${await pending(deployment)} deliveries are still waiting`]
}

export interface FloodPlan {
  readonly events: number
  readonly owners: number
  /** Faults are injected until everything is written. */
  readonly pace: FaultPace
  /** The time limit for sending everything after that. */
  readonly withinMs: number
}

export interface DeliveryRun {
  readonly figures: ReadonlyArray<string>
  readonly violations: ReadonlyArray<string>
}

/** Many events while faults are injected: every id arrives, and none of a rolled-back transaction. */
export const floodEvents = async (
  deployment: Deployment,
  receiver: Receiver,
  plan: FloodPlan,
  random: SeededRandom
): Promise<DeliveryRun> => {
  const { direct } = deployment
  const owners = await subscribeOwners(deployment, receiver, plan.owners)
  const startMs = performance.now()
  let written = false
  const writing = direct.run(
    Effect.forEach(
      Array.from({ length: plan.events }, (_, n) => n),
      (n) => place(owners[n % owners.length] ?? noOwner(), `event-${n}`),
      { concurrency: 128, discard: true }
    )
  )
  const injecting = injectFaults(deployment, { random, pace: plan.pace }, () => !written)
  await writing.finally(() => {
    written = true
  })
  const rolledBack = await direct.run(Effect.forEach(owners, raiseRolledBack))
  const writtenMs = performance.now() - startMs
  const counts = await injecting
  const violations = [...(await untilSent(deployment, plan.withinMs))]
  const tookMs = performance.now() - startMs
  const { ids, times, unsigned, otherBytes } = await receiver.summary()
  const keys = owners.map(({ keyId }) => `'${keyId}'`)
  const raised = await eventIds(deployment, `WHERE key_id IN (${keys.join()})`)
  const every = await eventIds(deployment)
  const arrived = new Set(ids)
  const missing = [...raised].filter((id) => !arrived.has(id))
  const phantoms = [...ids.filter((id) => !every.has(id)), ...rolledBack.filter((id) => every.has(id))]
  if (raised.size !== plan.events) violations.push(`${raised.size} events were raised by ${plan.events} orders`)
  if (missing.length > 0) violations.push(`${missing.length} events did not arrive, such as ${missing[0]}`)
  if (phantoms.length > 0)
    violations.push(`${phantoms.length} events arrived that were not committed, such as ${phantoms[0]}`)
  if (unsigned > 0) violations.push(`${unsigned} deliveries had a wrong signature`)
  if (otherBytes > 0) violations.push(`${otherBytes} deliveries were repeated with other bytes`)
  const under = `${counts.kills} kills and ${counts.restarts} restarts`
  const figures = [
    `${raised.size} events, written in ${(writtenMs / 1_000).toFixed(1)} s under ${under}, all sent after ${(tookMs / 1_000).toFixed(1)} s; ${times - ids.length} were received more than once`
  ]
  return { figures, violations }
}

const RETRY_LIMIT_MS = 30_000

/** Kills the process in the middle of a delivery attempt: another process sends the same bytes with a new signature. */
export const killDuringAttempt = async (deployment: Deployment, receiver: Receiver): Promise<DeliveryRun> => {
  const { direct, instances } = deployment
  const [owner = noOwner()] = await subscribeOwners(deployment, receiver, 1)
  await receiver.holdNext()
  await direct.run(place(owner, "held"))
  const held = await receiver.waitForHeld(() => true, RETRY_LIMIT_MS)
  if (held === null) return { figures: [], violations: ["nothing was sent to be held"] }
  let killedAtMs = 0
  const starts: Array<Promise<void>> = []
  for (const slot of instances.slots) {
    killedAtMs = performance.now()
    await slot.kill()
    starts.push(slot.start())
    if ((await receiver.waitForHeld(({ hungUp }) => hungUp, 1_000)) !== null) break
  }
  const again = await receiver.waitForHeld((one) => one.again !== null, RETRY_LIMIT_MS)
  const tookMs = performance.now() - killedAtMs
  await Promise.all(starts)
  if (again?.again == null)
    return { figures: [], violations: ["a delivery cut off by a kill was not attempted again within 30 s"] }
  const violations = [
    ...(again.again.hash === held.hash ? [] : ["it was repeated with other bytes"]),
    ...(again.again.signedAt > held.signedAt ? [] : ["it was repeated with the old signature"])
  ]
  return {
    figures: [`a delivery cut off by a kill was attempted again after ${(tookMs / 1_000).toFixed(1)} s`],
    violations
  }
}

/** A stopped service releases the leases of deliveries that it has not sent. */
export const leasesReleased = async (deployment: Deployment): Promise<ReadonlyArray<string>> => {
  await Promise.all(deployment.instances.slots.map((slot) => slot.stop()))
  const kept = await pending(deployment, `WHERE leased_until_ms > ${Date.now()}`)
  await Promise.all(deployment.instances.slots.map((slot) => slot.start()))
  return kept === 0 ? [] : [`${kept} deliveries were still leased`]
}
