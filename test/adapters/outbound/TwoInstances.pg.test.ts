// Two instances of the service over one database, with real receivers over TLS: a delivery queued on one is sent by the other on
// notification, and a burst that both send is sent once.
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { DeliverEvents } from "#core/usecases/webhooks/DeliverEvents.ts"
import { SignDelivery } from "#core/usecases/webhooks/SignDelivery.ts"
import { authority } from "#test/adapters/outbound/SelfSigned.ts"
import { migratedDatabase } from "#test/adapters/postgres/MigratedDatabase.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { concurrently, times, UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { createEndpoint, type OwnedEndpoint, plaintextVault } from "#test/core/usecases/webhooks/DelivererHarness.ts"
import { type Receiver, type Responder, receiver, respondWith, signaturesMadeWith, signedAt } from "./Receiver.ts"
import { sender } from "./SenderSetup.ts"

const HOST = "hooks.example"

const { ca, issue } = authority()
const identity = issue(HOST)

const crypto = Layer.mergeAll(plaintextVault, NodeCrypto.layerMac, NodeCrypto.layerDigest)

/** Instances on one empty database and the real clock, none of which delivers yet. */
const instances = Effect.fnUntraced(function* (size: number) {
  const url = yield* migratedDatabase
  const one = DeliverEvents.layer.pipe(
    Layer.provide(SignDelivery.layer),
    Layer.provideMerge(Layer.mergeAll(storeInstance(url), crypto, sender({ ca })))
  )
  return yield* Effect.forEach(
    times(size, () => Layer.fresh(one)),
    (layer) => Layer.build(layer)
  )
})

const deliver = (context: Context.Context<DeliverEvents>) =>
  Effect.forkScoped(Context.get(context, DeliverEvents).run, { startImmediately: true })

interface Own extends OwnedEndpoint, Receiver {}

const ownEndpoint = Effect.fnUntraced(function* (answer?: Responder) {
  const there = yield* receiver(answer, { identity, host: HOST })
  return { ...there, ...(yield* createEndpoint(there.url)) } satisfies Own
})

/** The attempts of every delivery to the endpoint, once none is pending. */
const attemptsAt = Effect.fnUntraced(function* ({ webhookId }: OwnedEndpoint) {
  const { ofWebhook } = yield* Deliveries
  const { deliveries } = yield* ofWebhook({ webhookId, limit: 1_000, beforeId: null }).pipe(
    Effect.repeat({
      until: ({ deliveries }) => deliveries.every(({ state }) => state !== "pending"),
      schedule: Schedule.spaced("20 millis")
    })
  )
  return deliveries.map(({ eventId, state, attempts }) => ({ eventId, state, attempts: attempts.length }))
})

describe("two instances over one database", () => {
  const slowly: Responder = (response) => void setTimeout(() => response.writeHead(204).end(), 40)

  it.live("send a burst queued on both, every delivery once", () =>
    Effect.gen(function* () {
      const [first, second] = yield* instances(2)
      if (first === undefined || second === undefined) return yield* Effect.die("there are two")
      const endpoints = yield* Effect.all([...times(5, () => ownEndpoint(respondWith(204))), ownEndpoint(slowly)]).pipe(
        Effect.provide(first)
      )
      for (const one of [first, second]) yield* deliver(one)
      const bursts = endpoints.flatMap((own) =>
        times(40, (n) => Effect.provide(queueTest(own), n % 2 === 0 ? first : second))
      )
      const queued = yield* concurrently(bursts)
      for (const own of endpoints) {
        const eventIds = queued.filter(({ webhookId }) => webhookId === own.webhookId).map(({ eventId }) => eventId)
        const attempts = yield* Effect.provide(attemptsAt(own), second)
        expect(attempts.sort((a, b) => (a.eventId < b.eventId ? -1 : 1))).toEqual(
          eventIds.sort().map((eventId) => ({ eventId, state: "delivered", attempts: 1 }))
        )
        // Nothing is pending, so that nothing more can arrive.
        const arrivals = own.received.map((one) => `${one.headers["service-delivery"]} ${signedAt(one)}`)
        expect(new Set(arrivals).size).toBe(arrivals.length)
        expect(own.received.map(({ headers }) => headers["service-delivery"]).sort()).toEqual(eventIds)
        for (const one of own.received) expect(signaturesMadeWith(own.secret, one)).toEqual([0])
      }
    }).pipe(Effect.provide(UniqueNumbers.layer))
  )

  it.effect("start on notification what the other instance queued: the deliverer's own clock stands still", () =>
    Effect.gen(function* () {
      const [queuing, delivering] = yield* TestClock.withLive(instances(2))
      if (queuing === undefined || delivering === undefined) return yield* Effect.die("there are two")
      const own = yield* TestClock.withLive(Effect.provide(ownEndpoint(), queuing))
      // Ahead of the database's clock, by which deliveries are due, and fixed from here on: no poll without a notification.
      yield* TestClock.setTime(
        (yield* TestClock.withLive(Effect.clockWith((clock) => clock.currentTimeMillis))) + 60_000
      )
      yield* deliver(delivering)
      for (const _ of times(20, () => own)) {
        const { eventId } = yield* TestClock.withLive(Effect.provide(queueTest(own), queuing))
        const received = yield* own.next
        expect(received.headers["service-delivery"]).toBe(eventId)
        expect(signaturesMadeWith(own.secret, received)).toEqual([0])
      }
      expect(own.received).toHaveLength(20)
    }).pipe(Effect.provide(UniqueNumbers.layer))
  )
})
