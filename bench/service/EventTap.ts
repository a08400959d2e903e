// Stands in front of three ports of the service: tells every change as soon as it is written, keeps count of deliveries that the
// service has in hand, and lets its webhooks travel one at a time. Changes nothing of what they do.
import { Context, Effect, Layer, PubSub } from "effect"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { WebhookSender } from "#core/ports/WebhookSender.ts"
import { toBenchEvents } from "../events/ChangeEvents.ts"
import { EventBus } from "../events/EventBus.ts"
import { IdleDetector } from "../time/IdleDetector.ts"

/** Tells the commits that came since it was last run. */
const makeTeller = Effect.gen(function* () {
  const { emit } = yield* EventBus
  const { commits, current } = yield* MemoryBooks
  const written = yield* PubSub.subscribe(commits)
  return Effect.map(PubSub.takeUpTo(written, Number.POSITIVE_INFINITY), (all) => {
    const books = current()
    for (const { changes } of all) {
      for (const change of changes) for (const happening of toBenchEvents(change, books)) emit(happening)
    }
  })
})

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const { acquireNetwork, releaseNetwork, trackDeliveries, untrackDelivery } = yield* IdleDetector
    const book = yield* OrderBook
    const deliveries = yield* Deliveries
    const sender = yield* WebhookSender
    const tellWritten = yield* makeTeller

    let isOnRoad = false
    const arrived = Effect.suspend(() => {
      if (!isOnRoad) return Effect.void
      isOnRoad = false
      return releaseNetwork
    })
    const setOut = Effect.andThen(
      acquireNetwork,
      Effect.sync(() => {
        isOnRoad = true
      })
    )

    /** A webhook keeps the road until its outcome is noted, so that nothing else comes between the two. */
    const noted = (deliveryIds: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        deliveryIds.forEach(untrackDelivery)
        return arrived
      })

    const transact = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) => {
      const told = Effect.ensuring(book.transact(reads, decide), tellWritten)
      return reads._tag === "ForDeliveries" ? Effect.ensuring(told, noted(reads.deliveryIds)) : told
    }

    return Context.make(OrderBook, { transact }).pipe(
      Context.add(Deliveries, {
        ...deliveries,
        claim: (query) =>
          Effect.tap(deliveries.claim(query), (claimed) =>
            Effect.sync(() => trackDeliveries(claimed.map(({ delivery }) => delivery.deliveryId)))
          ),
        release: (deliveryIds) =>
          Effect.tap(deliveries.release(deliveryIds), () => Effect.sync(() => deliveryIds.forEach(untrackDelivery)))
      }),
      Context.add(WebhookSender, {
        send: (dispatch) =>
          Effect.andThen(
            setOut,
            Effect.onInterrupt(sender.send(dispatch), () => arrived)
          )
      })
    )
  })
)
