// Tells whoever waits for deliveries that some were queued: at once within the process, and by one notice for many to the other
// instances. A notice that is lost costs no more than the time until somebody looks again.
import { Context, Effect, Layer, PubSub, Queue, Schedule, Stream } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import { Database } from "./Database.ts"

const CHANNEL = "deliveries"

/** Notices are for others, who take some time anyway; so many of them are one. */
const GATHERING = "5 millis"

const listenAgain = Schedule.jittered(Schedule.spaced("1 second"))

/** Whether anything is to be sent that was not on its way before. */
export const queuesDeliveries = (changes: ReadonlyArray<Change>): boolean =>
  changes.some(
    (change) =>
      change._tag === "DeliveryQueued" || (change._tag === "DeliveryMoved" && change.delivery.attemptsInRun === 0)
  )

export class DeliveryNotifications extends Context.Service<
  DeliveryNotifications,
  {
    readonly notify: Effect.Effect<void>
    /** Every ring from here or elsewhere, one at first, and one whenever it has begun to hear the others (again). */
    readonly notifications: Stream.Stream<void>
  }
>()("backlinks/postgres/database/DeliveryNotifications") {}

export const layer: Layer.Layer<DeliveryNotifications, never, Database> = Layer.effect(
  DeliveryNotifications,
  Effect.gen(function* () {
    const database = yield* Database
    const heard = yield* PubSub.sliding<void>(1)
    const untold = yield* Queue.sliding<void>(1)
    const hear = PubSub.publish(heard, undefined)

    const tell = Effect.sleep(GATHERING).pipe(
      Effect.andThen(Effect.ignore(database.write("SELECT pg_notify($1, '')", [CHANNEL]))),
      // Whatever it was, the next ring is told again.
      Effect.catchDefect((defect) => Effect.logWarning("other instances are not told of deliveries", defect))
    )
    yield* Queue.take(untold).pipe(Effect.andThen(tell), Effect.forever, Effect.forkScoped)

    const hearOthers = Effect.gen(function* () {
      const notices = yield* database.listen(CHANNEL)
      yield* hear
      return yield* Effect.forever(Effect.andThen(Queue.take(notices), hear))
    }).pipe(Effect.scoped, Effect.retry(listenAgain))

    return DeliveryNotifications.of({
      notify: Effect.andThen(hear, Queue.offer(untold, undefined)).pipe(Effect.asVoid),
      notifications: Stream.unwrap(
        Effect.gen(function* () {
          const ringing = yield* PubSub.subscribe(heard)
          yield* Effect.forkScoped(hearOthers)
          return Stream.prepend<void>([undefined])(Stream.fromSubscription(ringing))
        })
      )
    })
  })
)
