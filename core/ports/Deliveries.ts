// The outbox on its way out: hands deliveries that are due to whoever sends them, to one sender at a time, and tells what
// was sent. Deliveries are queued and moved through the order book.
import { Context, type Effect, type Stream } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly subscription: Subscription
}

export interface Backlog {
  readonly due: number
  /** `null` where nothing is due. */
  readonly oldestDueAtMs: Millis | null
}

export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: ReadonlyArray<Delivery>
  readonly nextBeforeId: string | null
}

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /**
     * Pending deliveries that are due and that nobody has on lease, at most `perEndpoint` of a subscription, counting those on
     * lease already, and one at a time where it is failing. Fairly: of two endpoints the one with fewer on lease comes first,
     * then what was due first, so that nobody waits behind another's backlog. They are on lease until `nowMs + leaseMs`, or
     * until they are moved through the order book: a sender that dies loses them, one that notes its attempt is done with
     * them. Each is claimed by exactly one caller, on any instance.
     */
    readonly claim: (query: {
      readonly nowMs: Millis
      readonly limit: number
      readonly perEndpoint: number
      readonly leaseMs: Millis
    }) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable>
    /** Gives claimed deliveries back, unsent, for anybody to claim at once. */
    readonly release: (deliveryIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
    /** When the next pending delivery is due that is not on lease; `null` where none is. */
    readonly nextDueAtMs: () => Effect.Effect<Millis | null, StoreUnavailable>
    /** What is due and on nobody's lease: how many deliveries, and since when the oldest of them. */
    readonly backlog: (nowMs: Millis) => Effect.Effect<Backlog, StoreUnavailable>
    /**
     * A knock soon after something was queued, on whichever instance, and one at first, when it has begun to listen; sometimes
     * for nothing.
     */
    readonly queued: Stream.Stream<void>
    readonly ofWebhook: (query: {
      readonly webhookId: string
      readonly limit: number
      readonly beforeId: string | null
    }) => Effect.Effect<DeliveryPage, StoreUnavailable>
  }
>()("backlinks/ports/Deliveries") {}
