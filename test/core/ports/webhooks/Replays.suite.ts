// What every store promises of a replay: each event that a webhook missed is queued once, in the order in which it happened.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { replayMissed } from "#core/decisions/webhooks/Replays.ts"
import { changeWebhook } from "#core/decisions/webhooks/Subscriptions.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import { LinkId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { addSubscription, moveLinkTo } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import { answered, claim, countFor, type OwnedSubscription, recordOutcome } from "./DeliverySteps.ts"

const LIMIT = 50

export const replayTo = Effect.fnUntraced(function* (
  { caller, webhookId }: OwnedSubscription,
  fromMs = 0,
  origin: CallOrigin | null = null
) {
  const reads = { _tag: "ForReplay" as const, webhookId, fromMs, limit: LIMIT }
  return yield* (yield* OrderBook).transact(reads, replayMissed(webhookId, caller, origin))
})

const change = Effect.fnUntraced(function* ({ caller, webhookId }: OwnedSubscription, active: boolean) {
  const book = yield* OrderBook
  const request = { webhookId, caller, change: { active } }
  return yield* book.transact({ _tag: "ForSubscription", webhookId }, changeWebhook(request))
})

const logOf = Effect.fnUntraced(function* ({ webhookId }: OwnedSubscription) {
  const { deliveries } = yield* (yield* Deliveries).ofWebhook({ webhookId, limit: LIMIT, beforeId: null })
  return deliveries.toReversed()
})

/** A webhook that gave up the first event of an order, was disabled for the next ones, and is enabled again. */
const missing = Effect.gen(function* () {
  const { caller } = yield* buyer(50_000)
  const { webhookId } = yield* addSubscription(caller, { events: ["order.accepted", "order.updated"] })
  const own = { caller, webhookId }
  const bought = Effect.flatMap(listSite({ shelf: "Corail" }), (site) => order(caller, { items: linksOn(site) }))
  const first = yield* bought
  yield* change(own, false)
  const linkId = first.links[0]?.linkId ?? LinkId.make("")
  yield* moveLinkTo(linkId, "assigned")
  yield* bought
  yield* moveLinkTo(linkId, "published")
  yield* change(own, true)
  return own
})

const MISSED = ["order.accepted", "order.updated", "order.accepted", "order.updated"]

export const replaysSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Replays of ${name}`, store, (it) => {
    it.effect("queue what was given up and what was never queued, and nothing twice, however many ask at once", () =>
      Effect.gen(function* () {
        const own = yield* missing
        expect((yield* logOf(own)).map(({ state }) => state)).toEqual(["dropped"])
        const replies = yield* concurrently(times(5, () => replayTo(own)))
        expect(replies.map(({ queued }) => queued).toSorted()).toEqual([0, 0, 0, 0, 4])
        expect(yield* replayTo(own)).toMatchObject({ queued: 0, hasMore: false })
        const queued = yield* logOf(own)
        // Events of one millisecond are in the order of their ids.
        expect(queued.map(({ event, state }) => `${event} ${state}`).toSorted()).toEqual(
          MISSED.map((type) => `${type} pending`).toSorted()
        )
        const ids = queued.map(({ eventId }) => eventId)
        expect([...new Set(ids)].toSorted()).toEqual(ids)
      })
    )

    it.effect("of one call are one, whatever became of its deliveries, and of others beside it", () =>
      Effect.gen(function* () {
        const own = yield* missing
        const origin = (idPrefix: string) => ({ idPrefix, atMs: 0, secretBytes: new Uint8Array() })
        const asked = () => replayTo(own, 0, origin("call"))
        const replies = yield* concurrently(times(5, asked))
        expect(replies).toEqual(times(5, () => ({ webhookId: own.webhookId, queued: 4, hasMore: false })))
        yield* change(own, false)
        yield* change(own, true)
        expect(yield* asked()).toEqual(replies[0])
        expect((yield* logOf(own)).map(({ state }) => state)).toEqual(times(4, () => "dropped"))
        expect(yield* replayTo(own, 0, origin("another call"))).toEqual(replies[0])
        expect(yield* asked()).toEqual(replies[0])
      })
    )

    it.effect("are sent one at a time and in order, and then as many at once as ever", () =>
      Effect.gen(function* () {
        const own = yield* missing
        yield* replayTo(own)
        const sent: Array<string> = []
        for (const _ of MISSED) {
          const claimed = (yield* claim({ aheadMs: 1_000 })).filter(
            ({ delivery }) => delivery.webhookId === own.webhookId
          )
          expect(claimed).toHaveLength(1)
          for (const { delivery } of claimed) {
            sent.push(delivery.eventId)
            yield* recordOutcome(delivery.deliveryId, answered(200))
          }
        }
        expect(sent).toEqual((yield* logOf(own)).map(({ eventId }) => eventId))
        const site = yield* listSite()
        for (const _ of times(2, () => 0)) yield* order(own.caller, { items: linksOn(site) })
        expect(countFor(own, yield* claim({ aheadMs: 1_000 }))).toBe(2)
      })
    )

    it.effect("begin at their time, and have what the webhook names by now", () =>
      Effect.gen(function* () {
        const own = yield* missing
        expect(yield* replayTo(own, (yield* Clock.currentTimeMillis) + 3_600_000)).toMatchObject({ queued: 0 })
        const { caller, webhookId } = own
        const naming = changeWebhook({ webhookId, caller, change: { events: ["*"] } })
        yield* (yield* OrderBook).transact({ _tag: "ForSubscription", webhookId }, naming)
        expect(yield* replayTo(own)).toMatchObject({ queued: MISSED.length + 1 })
        expect((yield* logOf(own)).map(({ event }) => event).toSorted()).toEqual(
          [...MISSED, "order.published"].toSorted()
        )
      })
    )
  })
