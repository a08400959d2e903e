// Adds and revokes webhook subscriptions. At most five are active per account, over all keys and both modes.
import { HashMap, Result } from "effect"
import { RevokedApiKey } from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import { healthy } from "#core/domain/webhooks/Delivery.ts"
import type { EventType } from "#core/domain/webhooks/Event.ts"
import { MAX_ACTIVE_SUBSCRIPTIONS, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { WebhookLimitReached, type WebhookNotFound } from "#core/domain/webhooks/WebhookRefusal.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft } from "../Draft.ts"
import { ownSubscription } from "./Deliveries.ts"

export interface Subscribe {
  /** Chosen before the decision, because the sealed key is bound to it. */
  readonly webhookId: WebhookId
  readonly caller: Caller
  /** Must have passed the URL policy and the probe. */
  readonly url: string
  readonly events: ReadonlyArray<EventType>
  readonly sealedSigningKey: string
}

export const subscribe =
  ({
    webhookId,
    caller,
    url,
    events,
    sealedSigningKey
  }: Subscribe): Decide<Subscription, RevokedApiKey | WebhookLimitReached> =>
  (books, context) => {
    const { accountId, keyId, mode } = caller
    // The key may have been revoked during the probe. Revoking a key revokes its subscriptions, so it must not get a new one.
    if (find(books.keys, keyId)?.revokedAtMs !== null) return Result.fail(new RevokedApiKey())
    const active = HashMap.reduce(books.subscriptions, 0, (count, one) =>
      one.accountId === accountId && one.revokedAtMs === null ? count + 1 : count
    )
    if (active >= MAX_ACTIVE_SUBSCRIPTIONS) {
      return Result.fail(new WebhookLimitReached({ limit: MAX_ACTIVE_SUBSCRIPTIONS }))
    }
    const draft = new Draft(books, context)
    const createdAtMs = context.nowMs
    const subscription: Subscription = {
      webhookId,
      accountId,
      keyId,
      mode,
      url,
      events,
      sealedSigningKey,
      previousKeys: [],
      health: healthy,
      createdAtMs,
      revokedAtMs: null
    }
    draft.record({ _tag: "SubscriptionAdded", subscription })
    audit(draft, keyId, { action: "webhook.add", subject: webhookId, accountId, details: { url } })
    return Result.succeed(draft.decided(subscription))
  }

export const unsubscribe =
  (webhookId: WebhookId, caller: Caller): Decide<Subscription, WebhookNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const one = yield* ownSubscription(books, webhookId, caller)
      const draft = new Draft(books, context)
      draft.record({ _tag: "SubscriptionRevoked", webhookId, atMs: context.nowMs })
      const { accountId, url } = one
      audit(draft, caller.keyId, { action: "webhook.remove", subject: webhookId, accountId, details: { url } })
      return draft.decided({ ...one, revokedAtMs: context.nowMs })
    })
