// Decorates four ports of the service: publishes every change and every issued document once it is written, tracks the deliveries that
// the service has claimed, and sends one webhook at a time.
import { Context, Effect, Layer, PubSub } from "effect"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { DeliveryId } from "#core/domain/shared/Ids.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { WebhookSender } from "#core/ports/webhooks/WebhookSender.ts"
import { documentIssued, toBenchEvents } from "../events/ChangeEvents.ts"
import { EventBus } from "../events/EventBus.ts"
import { IdleDetector } from "../time/IdleDetector.ts"

/** An effect that publishes the commits since its last run. */
const makePublishCommits = Effect.gen(function* () {
  const { emit } = yield* EventBus
  const { commits, current } = yield* MemoryBooks
  const subscription = yield* PubSub.subscribe(commits)
  return Effect.map(PubSub.takeUpTo(subscription, Number.POSITIVE_INFINITY), (all) => {
    const books = current()
    for (const { changes } of all) {
      for (const change of changes) for (const event of toBenchEvents(change, books)) emit(event)
    }
  })
})

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const { acquireNetwork, releaseNetwork, trackDeliveries, untrackDelivery } = yield* IdleDetector
    const book = yield* OrderBook
    const deliveries = yield* Deliveries
    const sender = yield* WebhookSender
    const publishCommits = yield* makePublishCommits
    const invoices = yield* Invoices
    const { emit } = yield* EventBus

    let holdsNetwork = false
    const acquire = Effect.andThen(
      acquireNetwork,
      Effect.sync(() => {
        holdsNetwork = true
      })
    )
    const release = Effect.suspend(() => {
      if (!holdsNetwork) return Effect.void
      holdsNetwork = false
      return releaseNetwork
    })

    /** A webhook holds the network until its outcome is recorded, so that no other request comes between the two. */
    const recorded = (deliveryIds: ReadonlyArray<DeliveryId>) =>
      Effect.suspend(() => {
        deliveryIds.forEach(untrackDelivery)
        return release
      })

    const transact = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) => {
      const published = Effect.ensuring(book.transact(reads, decide), publishCommits)
      return reads._tag === "ForDeliveries" ? Effect.ensuring(published, recorded(reads.deliveryIds)) : published
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
      Context.add(Invoices, {
        ...invoices,
        issue: (step) =>
          Effect.tap(invoices.issue(step), ({ issued }) =>
            Effect.sync(() => {
              for (const one of issued) for (const event of documentIssued(one)) emit(event)
            })
          )
      }),
      Context.add(WebhookSender, {
        send: (dispatch) =>
          Effect.andThen(
            acquire,
            Effect.onInterrupt(sender.send(dispatch), () => release)
          )
      })
    )
  })
)
