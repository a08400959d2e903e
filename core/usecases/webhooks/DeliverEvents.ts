// Delivers events: signs and sends what is due, and records the outcomes. A slow endpoint delays only its own deliveries.
import { Context, Effect, Layer } from "effect"
import { maxConcurrentAttempts } from "#core/domain/webhooks/EndpointHealth.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { WebhookSender } from "#core/ports/webhooks/WebhookSender.ts"
import { handOn } from "../shared/HandOn.ts"
import { makeRecordAttempts } from "./RecordAttempts.ts"
import { SignDelivery } from "./SignDelivery.ts"

const MAX_PER_ENDPOINT = 16

/** Longer than an attempt with its recording, and short enough that an attempt lost in a crash is repeated within 30 s. */
const LEASE_MS = 20_000

/** A slow attempt costs a connection and nothing else. Each claim scans every waiting endpoint, and so waits for many ended attempts. */
const BOUNDS = { fast: 256, total: 1_024, minClaim: 96 }

/** No retry waits for less. */
const POLL_MS = 5_000

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
      const { claim, release, nextDueAtMs, queued } = yield* Deliveries
      const record = yield* makeRecordAttempts(yield* OrderBook)
      const { send } = yield* WebhookSender
      const { signed } = yield* SignDelivery

      const { run } = handOn({
        what: "deliveries",
        claim: (nowMs, limit) => claim({ nowMs, limit, perEndpoint: MAX_PER_ENDPOINT, leaseMs: LEASE_MS }),
        annotate: ({ delivery }) => ({ delivery_id: delivery.deliveryId }),
        attempt: (claimed) => Effect.flatMap(signed(claimed), send),
        record: ({ delivery }, outcome) => record(delivery.webhookId, { claimed: delivery, outcome }),
        release: ({ delivery }) => release([delivery.deliveryId]),
        receiverOf: ({ subscription: { webhookId, health } }) => ({
          id: webhookId,
          max: maxConcurrentAttempts(health, MAX_PER_ENDPOINT)
        }),
        bounds: BOUNDS,
        pollMs: POLL_MS,
        queued,
        nextDueAtMs
      })
      return DeliverEvents.of({ run })
    })
  )
}
