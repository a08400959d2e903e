// Reads webhook subscriptions. They are added and revoked through the order book.
import { Context, type Effect } from "effect"
import type { KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** The active ones of this key, oldest first. */
    readonly ofKey: (keyId: KeyId) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    /** Active ones of all keys, by id, those after `after`. */
    readonly activeAfter: (page: {
      readonly after: WebhookId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    /** Any active one of any key, found without a scan; `null` if there is none. */
    readonly anyActive: Effect.Effect<Subscription | null, StoreUnavailable>
  }
>()("backlinks/ports/webhooks/Subscriptions") {}
