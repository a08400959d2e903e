// Events under fire: whatever happened is told, whoever is killed meanwhile and however often the database goes down; what did not
// happen is not. Signatures and bytes are checked by the receiver itself.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Redacted, Result } from "effect"
import { topUp } from "#core/decisions/Accounts.ts"
import type { Books } from "#core/decisions/Books.ts"
import { type Caller, callerOf } from "#core/domain/ApiKey.ts"
import type { Event } from "#core/domain/Event.ts"
import type { DecisionContext } from "#core/domain/DecisionContext.ts"
import { KeyRing } from "#core/ports/KeyRing.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { Shop } from "#core/ports/Shop.ts"
import { Subscribe } from "#core/usecases/Subscribe.ts"
import * as Given from "#test/core/Given.ts"
import { ask } from "#test/ports/World.ts"
import type { Dice } from "./Dice.ts"
import { type Pace, wreak } from "./Havoc.ts"
import { insistently } from "./Inside.ts"
import { issue, openAccount } from "./Market.ts"
import type { Receiver } from "./Receiver.ts"
import type { Stage } from "./Stage.ts"

const CREDIT_CENTS = 1_000_000_000

const callers = Effect.fnUntraced(function* (count: number) {
  const keys = yield* KeyRing
  const found: Array<Caller> = []
  for (let n = 0; n < count; n++) {
    const { accountId } = yield* issue(yield* openAccount(CREDIT_CENTS))
    for (const { key } of yield* keys.ofAccount(accountId)) found.push(callerOf(key))
  }
  return found
})

/** Owners with plenty of credit and a webhook each, which the receiver has the secret of. */
const openEars = async ({ inside }: Stage, receiver: Receiver, count: number): Promise<ReadonlyArray<Caller>> => {
  const owners = await inside.run(callers(count))
  for (const caller of owners) {
    const wish = { url: receiver.urlOf(caller.keyId), events: ["order.accepted" as const] }
    const { secret } = await inside.run(Effect.flatMap(Subscribe, ({ create }) => create(caller, wish)))
    await receiver.trust(caller.keyId, Redacted.value(secret))
  }
  return owners
}

/** There is always at least one owner. */
const noOwner = (): never => {
  throw new Error("nobody listens")
}

/** One order, once, however often the store is away meanwhile. It raises one event. */
const place = Effect.fnUntraced(function* (caller: Caller, name: string) {
  const { render } = yield* Shop
  const wish = { items: [Given.item({ siteId: 1 })], render, idempotency: { key: name, fingerprint: name } }
  yield* insistently(ask(caller, wish))
})

/** A transaction that raises an event and then breaks a law of the database: it is rolled back. Answers the event's id. */
const raiseInVain = Effect.fnUntraced(function* ({ accountId, keyId }: Caller) {
  const book = yield* OrderBook
  let eventId = ""
  const decide = (books: Books, moment: DecisionContext) =>
    Result.map(topUp({ accountId, cents: 5, reference: "", actor: null })(books, moment), ({ reply, changes }) => {
      eventId = `evt_${moment.idPrefix}99`
      const about = { keyId, accountId, orderId: "ord_none", linkId: null, mode: "live" as const, body: "{}", atMs: 0 }
      const event: Event = { eventId, type: "order.accepted", ...about }
      return { reply, changes: [...changes, { _tag: "EventRaised" as const, event }] }
    })
  // The event's order is not there, which the database finds out last.
  yield* Effect.exit(book.transact({ _tag: "ForAccount", accountId }, decide))
  return eventId
})

const eventIds = async ({ inside }: Stage, where = ""): Promise<ReadonlySet<string>> => {
  const [row] = await inside.rows(`SELECT coalesce(json_agg(event_id), '[]')::text AS ids FROM events ${where}`)
  return new Set<string>(JSON.parse(String(row?.["ids"])))
}

/** Deliveries that are still to be sent. */
const pending = async ({ inside }: Stage, where = ""): Promise<number> => {
  const [row] = await inside.rows(`SELECT count(*)::int AS count FROM outbox ${where}`)
  return Number(row?.["count"])
}

const untilSent = async (stage: Stage, withinMs: number): Promise<ReadonlyArray<string>> => {
  for (const untilMs = performance.now() + withinMs; performance.now() < untilMs; await sleep(200)) {
    if ((await pending(stage)) === 0) return []
  }
  return [`${await pending(stage)} deliveries are still waiting`]
}

export interface FloodPlan {
  readonly events: number
  readonly owners: number
  /** Kills and restarts go on until everything is written. */
  readonly pace: Pace
  /** How long it may then take until everything is sent. */
  readonly withinMs: number
}

export interface Told {
  readonly figures: ReadonlyArray<string>
  readonly complaints: ReadonlyArray<string>
}

/** Many events while havoc is wreaked: every id arrives, signed and with its own bytes, and none that was rolled back. */
export const flood = async (stage: Stage, receiver: Receiver, plan: FloodPlan, dice: Dice): Promise<Told> => {
  const { inside } = stage
  const owners = await openEars(stage, receiver, plan.owners)
  const startMs = performance.now()
  let written = false
  const writing = inside.run(
    Effect.forEach(
      Array.from({ length: plan.events }, (_, n) => n),
      (n) => place(owners[n % owners.length] ?? noOwner(), `event-${n}`),
      { concurrency: 128, discard: true }
    )
  )
  const havocs = wreak(stage, { dice, pace: plan.pace }, () => !written)
  await writing.finally(() => {
    written = true
  })
  const vain = await inside.run(Effect.forEach(owners, raiseInVain))
  const writtenMs = performance.now() - startMs
  const havoc = await havocs
  const complaints = [...(await untilSent(stage, plan.withinMs))]
  const tookMs = performance.now() - startMs
  const { ids, times, unsigned, otherBytes } = await receiver.summary()
  const keys = owners.map(({ keyId }) => `'${keyId}'`)
  const raised = await eventIds(stage, `WHERE key_id IN (${keys.join()})`)
  const every = await eventIds(stage)
  const arrived = new Set(ids)
  const missing = [...raised].filter((id) => !arrived.has(id))
  const phantoms = [...ids.filter((id) => !every.has(id)), ...vain.filter((id) => every.has(id))]
  if (raised.size !== plan.events) complaints.push(`${raised.size} events were raised by ${plan.events} orders`)
  if (missing.length > 0) complaints.push(`${missing.length} events never arrived, ${missing[0]} for one`)
  if (phantoms.length > 0) complaints.push(`${phantoms.length} events arrived that never were, ${phantoms[0]} for one`)
  if (unsigned > 0) complaints.push(`${unsigned} deliveries were not signed as they should`)
  if (otherBytes > 0) complaints.push(`${otherBytes} deliveries came again with other bytes`)
  const under = `${havoc.kills} kills and ${havoc.restarts} restarts`
  const figures = [
    `${raised.size} events, written in ${(writtenMs / 1_000).toFixed(1)} s under ${under}, all sent after ${(tookMs / 1_000).toFixed(1)} s; ${times - ids.length} came more than once`
  ]
  return { figures, complaints }
}

const AGAIN_WITHIN_MS = 30_000

/** Kills whoever is sending, in the middle of it: another, or its successor, sends the same again, signed anew. */
export const cutShort = async (stage: Stage, receiver: Receiver): Promise<Told> => {
  const { inside, instances } = stage
  const [owner = noOwner()] = await openEars(stage, receiver, 1)
  await receiver.hold()
  await inside.run(place(owner, "held"))
  const held = await receiver.untilHeld(() => true, AGAIN_WITHIN_MS)
  if (held === null) return { figures: [], complaints: ["nothing was sent to be held"] }
  let killedAtMs = 0
  const starts: Array<Promise<void>> = []
  for (const one of instances.places) {
    killedAtMs = performance.now()
    await one.kill()
    starts.push(one.start())
    if ((await receiver.untilHeld(({ hungUp }) => hungUp, 1_000)) !== null) break
  }
  const again = await receiver.untilHeld((one) => one.again !== null, AGAIN_WITHIN_MS)
  const tookMs = performance.now() - killedAtMs
  await Promise.all(starts)
  if (again?.again == null)
    return { figures: [], complaints: ["an attempt that was cut short was not made again within 30 s"] }
  const complaints = [
    ...(again.again.hash === held.hash ? [] : ["it came again with other bytes"]),
    ...(again.again.signedAt > held.signedAt ? [] : ["it came again with the old signature"])
  ]
  return {
    figures: [`an attempt that was cut short was made again after ${(tookMs / 1_000).toFixed(1)} s`],
    complaints
  }
}

/** Services that are told to stop hand back what they had taken and not sent. */
export const handedBack = async (stage: Stage): Promise<ReadonlyArray<string>> => {
  await Promise.all(stage.instances.places.map((place) => place.stop()))
  const kept = await pending(stage, `WHERE leased_until_ms > ${Date.now()}`)
  await Promise.all(stage.instances.places.map((place) => place.start()))
  return kept === 0 ? [] : [`${kept} deliveries were not handed back`]
}
