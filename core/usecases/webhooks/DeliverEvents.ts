// The delivery loop: claims due deliveries, signs and sends them, and records the outcomes. Any number of instances may run it. A slow
// endpoint delays only its own deliveries.
import { Cause, Clock, Context, Duration, Effect, FiberSet, Layer, Queue, Stream } from "effect"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { type ClaimedDelivery, Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { WebhookSender } from "#core/ports/webhooks/WebhookSender.ts"
import { InFlight } from "./InFlight.ts"
import { makeRecordAttempts } from "./RecordAttempts.ts"
import { SignDelivery } from "./SignDelivery.ts"

const MAX_PER_ENDPOINT = 16

/** Longer than an attempt with its recording, and short enough that an attempt lost in a crash is repeated within 30 s. */
const LEASE_MS = 20_000

/** The longest sleep of an idle loop, and so the longest delay after a lost notification. No retry waits for less. */
const MAX_SLEEP_MS = 5_000

/** The sleep while a due delivery waits for the concurrency limit of its endpoint, perhaps because of another instance. */
const BLOCKED_POLL_MS = 1_000

const ERROR_BACKOFF = Duration.seconds(1)

/** Attempts that are nearly done when the service stops may finish, so that their receivers do not get them twice. */
const GRACE = Duration.seconds(1)

export class DeliverEvents extends Context.Service<
  DeliverEvents,
  {
    /** Runs until it is interrupted; then releases the deliveries that are not sent. */
    readonly run: Effect.Effect<never>
  }
>()("backlinks/usecases/webhooks/DeliverEvents") {
  static readonly layer = Layer.effect(
    DeliverEvents,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const record = yield* makeRecordAttempts(yield* OrderBook)
      const sender = yield* WebhookSender
      const { signed } = yield* SignDelivery

      /** Releases the delivery if sending is interrupted. The outcome of a finished attempt is recorded even after an interruption. */
      const deliver = Effect.fnUntraced(
        function* (claimed: ClaimedDelivery) {
          const { deliveryId, webhookId } = claimed.delivery
          const outcome = yield* Effect.flatMap(signed(claimed), sender.send).pipe(
            Effect.onInterrupt(() => Effect.ignore(deliveries.release([deliveryId])))
          )
          yield* record(webhookId, { claimed: claimed.delivery, outcome })
        },
        // If it cannot be signed or its outcome cannot be recorded, the lease expires and the delivery is repeated: at least once.
        (attempt, { delivery }) =>
          attempt.pipe(
            Effect.catchCause((cause) =>
              Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Effect.logWarning("a delivery was not signed or not recorded, and will be repeated", cause).pipe(
                    Effect.annotateLogs("delivery_id", delivery.deliveryId)
                  )
            )
          )
      )

      const sleepUntil = Effect.fnUntraced(function* (atMs: number) {
        yield* Effect.sleep(Duration.millis(Math.max(0, atMs - (yield* Clock.currentTimeMillis))))
      })

      const run = Effect.gen(function* () {
        const wakeUps = yield* Queue.sliding<void>(1)
        const wake = Queue.offer(wakeUps, undefined)
        const fibers = yield* FiberSet.make()
        yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(fibers), GRACE))
        yield* deliveries.queued.pipe(
          Stream.runForEach(() => wake),
          Effect.catchCause((cause) => Effect.logWarning("notifications of new deliveries were interrupted", cause)),
          Effect.andThen(Effect.sleep(ERROR_BACKOFF)),
          Effect.forever,
          // Listens before the first claim, so that no delivery that is queued in between is missed.
          Effect.forkScoped({ startImmediately: true })
        )
        const inFlight = new InFlight(MAX_PER_ENDPOINT)
        let pollAtMs = 0

        const start = (claimed: ClaimedDelivery, nowMs: number) => {
          const release = inFlight.acquire(claimed.subscription, nowMs)
          const ended = Effect.suspend(() => (release() ? wake : Effect.void))
          return FiberSet.run(fibers, Effect.ensuring(deliver(claimed), ended))
        }

        /** Uninterruptible between claim and start, or the claimed deliveries would wait for their leases to expire. */
        const claimBatch = Effect.fnUntraced(function* (nowMs: number) {
          const limit = inFlight.capacityAt(nowMs)
          const query = { nowMs, limit, perEndpoint: MAX_PER_ENDPOINT, leaseMs: LEASE_MS }
          const claimed = limit === 0 ? [] : yield* deliveries.claim(query)
          for (const one of claimed) yield* start(one, nowMs)
          inFlight.recordClaim({ isFull: claimed.length === limit })
        }, Effect.uninterruptible)

        /** Plans the next claim without a wake-up. A retry that is planned after this read is not due before it. */
        const poll = Effect.fnUntraced(function* (nowMs: number) {
          if (inFlight.isBlocked) pollAtMs = Math.min(pollAtMs, nowMs + BLOCKED_POLL_MS)
          if (nowMs < pollAtMs) return
          const dueAtMs = (yield* deliveries.nextDueAtMs()) ?? Number.POSITIVE_INFINITY
          inFlight.isBlocked = dueAtMs <= nowMs
          pollAtMs = inFlight.isBlocked ? nowMs + BLOCKED_POLL_MS : Math.min(dueAtMs, nowMs + MAX_SLEEP_MS)
        })

        const wait = Effect.suspend(() => (inFlight.isFull ? Effect.sleep(InFlight.SLOW_AFTER) : sleepUntil(pollAtMs)))

        const pass = Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          yield* claimBatch(nowMs)
          if (!inFlight.isFull) yield* poll(nowMs)
          // A delivery that was queued since the claim has left a wake-up, so it is not missed.
          yield* Effect.raceFirst(Queue.take(wakeUps), wait)
        }).pipe(
          Effect.catchCause((cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.andThen(Effect.logWarning("deliveries could not be claimed", cause), Effect.sleep(ERROR_BACKOFF))
          )
        )
        return yield* Effect.forever(pass)
      }).pipe(Effect.scoped)

      return DeliverEvents.of({ run })
    })
  )
}
