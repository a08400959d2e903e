// A webhook subscription: where events of one key's orders are sent. Attempts and their schedule live with delivery.
import type { EventType } from "./Event.ts"
import type { Millis, Mode } from "./Moment.ts"

export const MAX_ACTIVE_SUBSCRIPTIONS = 5

export interface Subscription {
  readonly webhookId: string
  readonly accountId: string
  /** The key that made it: the only one that manages it. */
  readonly keyId: string
  readonly mode: Mode
  readonly url: string
  readonly events: ReadonlyArray<EventType>
  /** The HMAC key (never the secret itself), sealed by the `Vault`. */
  readonly sealedSigningKey: string
  readonly createdAtMs: Millis
  readonly revokedAtMs: Millis | null
}
