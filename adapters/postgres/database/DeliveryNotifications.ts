// Notifies the deliverers of all instances that deliveries were queued. A lost notification only delays a delivery to the next poll.
import { Context, Effect, Layer, PubSub, Queue, Schedule, Stream } from "effect"
import { queuesDeliveries } from "#core/decisions/Difference.ts"
import type { CommitListener } from "../orderbook/Commits.ts"
import { Database } from "./Database.ts"

const CHANNEL = "deliveries"

/** Notifications to other instances within this time are sent as one. */
const COALESCING_TIME = "5 millis"

const reconnect = Schedule.jittered(Schedule.spaced("1 second"))

export class DeliveryNotifications extends Context.Service<
  DeliveryNotifications,
  {
    /** At once within the process, shortly after to the other instances. */
    readonly notify: Effect.Effect<void>
    /** Notifies if deliveries were queued. */
    readonly onCommitted: CommitListener
    /** Emits once at first, for each notification, and whenever the channel of the other instances was (re)connected. */
    readonly notifications: Stream.Stream<void>
  }
>()("backlinks/postgres/database/DeliveryNotifications") {}

export const layer: Layer.Layer<DeliveryNotifications, never, Database> = Layer.effect(
  DeliveryNotifications,
  Effect.gen(function* () {
    const database = yield* Database
    const local = yield* PubSub.sliding<void>(1)
    const unsent = yield* Queue.sliding<void>(1)
    const publish = PubSub.publish(local, undefined)

    const notifyOthers = Effect.sleep(COALESCING_TIME).pipe(
      Effect.andThen(Effect.ignore(database.write("SELECT pg_notify($1, '')", [CHANNEL]))),
      // The loop survives a defect: later notifications are still sent.
      Effect.catchDefect((defect) => Effect.logWarning("Other instances were not notified of deliveries", defect))
    )
    yield* Queue.take(unsent).pipe(Effect.andThen(notifyOthers), Effect.forever, Effect.forkScoped)

    const forwardFromOthers = database.listen(CHANNEL).pipe(
      Effect.flatMap((received) => Effect.forever(Effect.andThen(Queue.take(received), publish))),
      Effect.scoped,
      Effect.retry(reconnect)
    )

    const notify = Effect.andThen(publish, Queue.offer(unsent, undefined)).pipe(Effect.asVoid)

    return DeliveryNotifications.of({
      notify,
      onCommitted: (changed) => (queuesDeliveries(changed) ? notify : Effect.void),
      notifications: Stream.unwrap(
        Effect.gen(function* () {
          const subscription = yield* PubSub.subscribe(local)
          yield* Effect.forkScoped(forwardFromOthers)
          return Stream.prepend<void>([undefined])(Stream.fromSubscription(subscription))
        })
      )
    })
  })
)
