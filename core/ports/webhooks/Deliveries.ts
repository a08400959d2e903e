// The queue of webhook deliveries: leases due deliveries to senders and lists past ones. Deliveries are queued and updated through the
// order book.
import { Context, type Effect, type Stream } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import type { Claim } from "../shared/Outbox.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly subscription: Subscription
}

export interface Backlog {
  readonly due: number
  /** `null` if nothing is due. */
  readonly oldestDueAtMs: Millis | null
}

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: ReadonlyArray<Delivery>
  readonly nextBeforeId: DeliveryId | null
}

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Leases deliveries that are pending, due and not leased. A lease also ends when its delivery changes through the order book: an
     * attempt is recorded, a redelivery is requested, or the delivery is dropped. A subscription has at most `perEndpoint` leases at a time, and one while it is failing. Endpoints with fewer
     * leases come first, then earlier deliveries, so that no endpoint waits behind the backlog of another.
     */
    readonly claim: (
      query: Claim & { readonly perEndpoint: number }
    ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Ends the leases of deliveries that were not sent, so that they can be claimed at once. */
    readonly release: (deliveryIds: ReadonlyArray<DeliveryId>) => Effect.Effect<void, StoreUnavailable>
    /** When the next delivery that is pending and not leased is due; `null` if there is none. */
    readonly nextDueAtMs: () => Effect.Effect<Millis | null, StoreUnavailable>
    /** The deliveries that are due and not leased. */
    readonly backlog: (nowMs: Millis) => Effect.Effect<Backlog, StoreUnavailable>
    /** Emits once when it listens, and then soon after a delivery was queued on any instance. Spurious emissions are possible. */
    readonly queued: Stream.Stream<void>
    readonly ofWebhook: (
      query: PageRequest<DeliveryId> & { readonly webhookId: WebhookId }
    ) => Effect.Effect<DeliveryPage, StoreUnavailable>
  }
>()("backlinks/ports/webhooks/Deliveries") {}
