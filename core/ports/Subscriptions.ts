// Reads webhook subscriptions. They are added and revoked through the order book.
import { Context, type Effect } from "effect"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Active ones that this key made, oldest first. */
    readonly ofKey: (keyId: string) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    /** One of the active ones of all keys, whichever is found first without looking through them; `null` where there is none. */
    readonly anyActive: Effect.Effect<Subscription | null, StoreUnavailable>
  }
>()("backlinks/ports/Subscriptions") {}
