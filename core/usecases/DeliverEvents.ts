// Delivers events: claims what is due, signs and sends it, notes what came of it, for as long as it runs. Any number of
// instances may do so at once. One slow endpoint holds up none but itself.
import { Cause, Clock, Context, Duration, Effect, FiberSet, Layer, Queue, Stream } from "effect"
import { type ClaimedDelivery, Deliveries } from "#core/ports/Deliveries.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { WebhookSender } from "#core/ports/WebhookSender.ts"
import { InFlight } from "./InFlight.ts"
import { makeRecordAttempts } from "./RecordAttempts.ts"
import { SignDelivery } from "./SignDelivery.ts"

const PER_ENDPOINT = 16

/** Longer than any attempt and its noting may take, short enough that one cut off by a crash is made again within 30 s. */
const LEASE_MS = 20_000

/** How long an idle engine sleeps at most: a lost wake-up costs no more, and no attempt is planned any sooner. */
const LOOK_AGAIN_MS = 5_000

/** And where something is due already but cannot be had: it waits for a place at its endpoint, perhaps on another instance. */
const BREATH_MS = 1_000

const AFTER_TROUBLE = Duration.seconds(1)

/** What is nearly done when the service stops is let finish, so that its receiver does not get it twice. */
const GRACE = Duration.seconds(1)

export class DeliverEvents extends Context.Service<
  DeliverEvents,
  {
    /** Runs until it is interrupted, and then hands back what it had not finished. */
    readonly run: Effect.Effect<never>
  }
>()("backlinks/usecases/DeliverEvents") {
  static readonly layer = Layer.effect(
    DeliverEvents,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const note = yield* makeRecordAttempts(yield* OrderBook)
      const sender = yield* WebhookSender
      const { signed } = yield* SignDelivery

      /** Given back where it was not sent to the end. What was sent is noted, even if nobody waits for that any more. */
      const deliver = Effect.fnUntraced(
        function* (claimed: ClaimedDelivery) {
          const { deliveryId, webhookId } = claimed.delivery
          const outcome = yield* Effect.flatMap(signed(claimed), sender.send).pipe(
            Effect.onInterrupt(() => Effect.ignore(deliveries.release([deliveryId])))
          )
          yield* note(webhookId, { claimed: claimed.delivery, outcome })
        },
        // Where the outcome cannot be noted, the lease runs out and the delivery is made again: at least once.
        (attempt, { delivery }) =>
          attempt.pipe(
            Effect.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Effect.logWarning("a delivery will be made again", cause).pipe(
                    Effect.annotateLogs("delivery_id", delivery.deliveryId)
                  )
            )
          )
      )

      const sleepUntil = Effect.fnUntraced(function* (atMs: number) {
        yield* Effect.sleep(Duration.millis(Math.max(0, atMs - (yield* Clock.currentTimeMillis))))
      })

      const run = Effect.gen(function* () {
        const wake = yield* Queue.sliding<void>(1)
        const rouse = Queue.offer(wake, undefined)
        const fibers = yield* FiberSet.make()
        yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(fibers), GRACE))
        yield* deliveries.queued.pipe(
          Stream.runForEach(() => rouse),
          Effect.catchCause((cause) => Effect.logWarning("wake-ups are listened for again", cause)),
          Effect.andThen(Effect.sleep(AFTER_TROUBLE)),
          Effect.forever,
          // Listening before the first claim, or what is queued between the two would be slept through.
          Effect.forkScoped({ startImmediately: true })
        )
        const underway = new InFlight(PER_ENDPOINT)
        let lookAtMs = 0

        const begin = (claimed: ClaimedDelivery, nowMs: number) => {
          const leave = underway.acquire(claimed.subscription, nowMs)
          const left = Effect.suspend(() => (leave() ? rouse : Effect.void))
          return FiberSet.run(fibers, Effect.ensuring(deliver(claimed), left))
        }

        /** Nothing comes between a claim and its attempts, or what was claimed would lie until its lease ran out. */
        const takeOn = Effect.fnUntraced(function* (nowMs: number) {
          const limit = underway.capacityAt(nowMs)
          const query = { nowMs, limit, perEndpoint: PER_ENDPOINT, leaseMs: LEASE_MS }
          const claimed = limit === 0 ? [] : yield* deliveries.claim(query)
          for (const one of claimed) yield* begin(one, nowMs)
          underway.recordClaim({ isFull: claimed.length === limit })
        }, Effect.uninterruptible)

        /** When to look without being woken. What is planned after this was asked for is due later than that. */
        const look = Effect.fnUntraced(function* (nowMs: number) {
          if (underway.isBlocked) lookAtMs = Math.min(lookAtMs, nowMs + BREATH_MS)
          if (nowMs < lookAtMs) return
          const dueAtMs = (yield* deliveries.nextDueAtMs()) ?? Number.POSITIVE_INFINITY
          underway.isBlocked = dueAtMs <= nowMs
          lookAtMs = underway.isBlocked ? nowMs + BREATH_MS : Math.min(dueAtMs, nowMs + LOOK_AGAIN_MS)
        })

        const wait = Effect.suspend(() => (underway.isFull ? Effect.sleep(InFlight.SLOW_AFTER) : sleepUntil(lookAtMs)))

        const pass = Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          yield* takeOn(nowMs)
          if (!underway.isFull) yield* look(nowMs)
          // Whatever was queued since the claim has left a wake-up behind, so nothing is slept through.
          yield* Effect.raceFirst(Queue.take(wake), wait)
        }).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.andThen(Effect.logWarning("deliveries are looked for again", cause), Effect.sleep(AFTER_TROUBLE))
          )
        )
        return yield* Effect.forever(pass)
      }).pipe(Effect.scoped)

      return DeliverEvents.of({ run })
    })
  )
}
