// Webhook subscriptions of an API key, and their deliveries. The key that made a webhook manages it, and owners of its account do for it.
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { redeliver, type TestIds, testEndpoint } from "#core/decisions/webhooks/Deliveries.ts"
import { type Replay, replayMissed } from "#core/decisions/webhooks/Replays.ts"
import { type Rotation, rotateSecret, rotateSeenSecret } from "#core/decisions/webhooks/SigningKeys.ts"
import {
  type ChangeWebhook,
  changeWebhook,
  subscribe,
  unsubscribe,
  unsubscribeFor
} from "#core/decisions/webhooks/Subscriptions.ts"
import {
  AccountViewRefused,
  type ExpiredApiKey,
  type RevokedApiKey,
  type SpendPolicyRefused
} from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import type { ListScope } from "#core/domain/access/ListScope.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { CONTEXT_ENTROPY_BYTES, type Millis, type Mode, makeId } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import { monotonicContexts } from "#core/domain/shared/MonotonicIds.ts"
import { type Delivery, EVENTS_KEPT_MS, MAX_REPLAYED } from "#core/domain/webhooks/Delivery.ts"
import type { EventChoice } from "#core/domain/webhooks/Event.ts"
import { callOf, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import {
  type DeliveryNotFound,
  type RedeliveryLimitReached,
  type SecretRotationLimitReached,
  type WebhookLimitReached,
  type WebhookNotChangeable,
  WebhookNotFound,
  type WebhookTestLimitReached,
  type WebhookUrlRefused
} from "#core/domain/webhooks/WebhookRefusal.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { Deliveries, type DeliveryPage } from "#core/ports/webhooks/Deliveries.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { TargetProbe } from "#core/ports/webhooks/TargetProbe.ts"
import { NoteRefusals } from "../shared/NoteRefusals.ts"
import { type MadeSecret, webhookSecrets } from "./WebhookSecrets.ts"

/** The secret is shown once. What deliveries are signed with is stored, sealed. */
export interface NewSubscription {
  readonly subscription: Subscription
  readonly secret: Redacted.Redacted<string>
}

export interface RotatedSecret {
  readonly secret: Redacted.Redacted<string>
  readonly previousValidUntilMs: Millis
}

const idsOfTest = (mode: Mode, { idPrefix }: CallOrigin): TestIds => ({
  eventId: makeId("evt_", mode, idPrefix, 0),
  deliveryId: makeId("dlv_", mode, idPrefix, 1)
})

type OwnFault = WebhookNotFound | StoreUnavailable

/** `origin`: that of a call which takes effect once; run again, it makes and changes what it did before, and nothing more. */
export class ManageWebhooks extends Context.Service<
  ManageWebhooks,
  {
    readonly create: (
      caller: Caller,
      request: { readonly url: string; readonly events: ReadonlyArray<EventChoice>; readonly scope?: ListScope },
      origin?: CallOrigin | null
    ) => Effect.Effect<
      NewSubscription,
      | AccountViewRefused
      | ExpiredApiKey
      | RevokedApiKey
      | SpendPolicyRefused
      | WebhookUrlRefused
      | WebhookLimitReached
      | StoreUnavailable
    >
    /** The active subscriptions of this key, oldest first. */
    readonly list: (caller: Pick<Caller, "keyId">) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    readonly get: (caller: Pick<Caller, "keyId">, webhookId: WebhookId) => Effect.Effect<Subscription, OwnFault>
    readonly change: (
      request: ChangeWebhook
    ) => Effect.Effect<Subscription, OwnFault | SpendPolicyRefused | WebhookNotChangeable | WebhookUrlRefused>
    /** One that has ended already is returned as it is. */
    readonly revoke: (caller: Caller, webhookId: WebhookId) => Effect.Effect<Subscription, OwnFault>
    /** For an owner of its account, whichever key or connection made it. */
    readonly end: ({ member }: SignedIn, webhookId: WebhookId) => Effect.Effect<Subscription, OwnFault>
    readonly test: (
      caller: Caller,
      webhookId: WebhookId,
      origin?: CallOrigin | null
    ) => Effect.Effect<Delivery, OwnFault | WebhookTestLimitReached>
    readonly deliveries: (
      caller: Pick<Caller, "keyId">,
      query: PageRequest<DeliveryId> & { readonly webhookId: WebhookId }
    ) => Effect.Effect<DeliveryPage, OwnFault>
    readonly redeliver: (
      caller: Caller,
      webhookId: WebhookId,
      deliveryId: DeliveryId,
      origin?: CallOrigin | null
    ) => Effect.Effect<Delivery, OwnFault | DeliveryNotFound | RedeliveryLimitReached>
    /** Queues what the webhook missed since then, within `EVENTS_KEPT_MS`; at most `MAX_REPLAYED` events. */
    readonly replay: (
      caller: Caller,
      webhookId: WebhookId,
      fromMs: Millis,
      origin?: CallOrigin | null
    ) => Effect.Effect<Replay, OwnFault | RedeliveryLimitReached>
    /**
     * `entropy`: random bytes that the secret is made of; the same give the same secret, which takes the place of another once, however many
     * ask for it at the same time.
     */
    readonly rotateSecret: (
      caller: Caller,
      webhookId: WebhookId,
      entropy?: Uint8Array
    ) => Effect.Effect<RotatedSecret, OwnFault | SecretRotationLimitReached>
  }
>()("backlinks/usecases/webhooks/ManageWebhooks") {
  static readonly layer = Layer.effect(
    ManageWebhooks,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const subscriptions = yield* Subscriptions
      const deliveries = yield* Deliveries
      const probe = yield* TargetProbe
      const secrets = yield* webhookSecrets
      const random = yield* SecureRandom.SecureRandom
      const { noting } = yield* NoteRefusals
      const { render } = yield* ServiceContext

      const nextContext = monotonicContexts()
      const newId = Effect.fnUntraced(function* (mode: Mode) {
        const entropy = yield* random.randomBytes(CONTEXT_ENTROPY_BYTES)
        return makeId("wh_", mode, nextContext(yield* Clock.currentTimeMillis, entropy, "").idPrefix, 0)
      })

      const ownIfAny = ({ keyId }: Pick<Caller, "keyId">, webhookId: WebhookId) =>
        Effect.map(subscriptions.ofKey(keyId), (all) => all.find((one) => one.webhookId === webhookId))

      const reads = (webhookId: WebhookId) => ({ _tag: "ForSubscription" as const, webhookId })

      const own = Effect.fnUntraced(function* (caller: Pick<Caller, "keyId">, webhookId: WebhookId) {
        return (yield* ownIfAny(caller, webhookId)) ?? (yield* new WebhookNotFound({ webhookId }))
      })

      const rotateOnce = Effect.fnUntraced(function* (
        caller: Caller,
        webhookId: WebhookId,
        made: MadeSecret
      ): Effect.fn.Return<Rotation, OwnFault | SecretRotationLimitReached> {
        const present = yield* own(caller, webhookId)
        const seen = { ...present, place: yield* secrets.placeOf(made.key, present) }
        const rotation = yield* book.transact(reads(webhookId), rotateSeenSecret(webhookId, seen, made.keys, caller))
        return rotation ?? (yield* rotateOnce(caller, webhookId, made))
      })

      return ManageWebhooks.of({
        create: Effect.fn("ManageWebhooks.create")(function* (caller, { url, events, scope = "key" }, origin = null) {
          if (scope === "account" && caller.seesAccount !== true)
            return yield* new AccountViewRefused({ held: caller.scopes })
          const webhookId = origin === null ? yield* newId(caller.mode) : makeId("wh_", caller.mode, origin.idPrefix, 0)
          const { secret, keys } = yield* secrets.make(webhookId, origin?.secretBytes)
          const known = origin === null ? undefined : yield* ownIfAny(caller, webhookId)
          if (known !== undefined) return { subscription: known, secret }
          yield* probe.check(url)
          const decide = subscribe({ webhookId, caller, url, events, scope, keys })
          const added = book.transact({ _tag: "ForAccount", accountId: caller.accountId }, decide)
          const subscription = yield* noting(added, caller, () => null)
          return { subscription, secret }
        }),
        list: Effect.fn("ManageWebhooks.list")(({ keyId }) => subscriptions.ofKey(keyId)),
        get: Effect.fn("ManageWebhooks.get")(own),
        change: Effect.fn("ManageWebhooks.change")(function* (request) {
          const { caller, webhookId, change, origin = null } = request
          const known = yield* own(caller, webhookId)
          const isMade = origin !== null && callOf(known, origin.idPrefix) !== undefined
          if (change.url !== undefined && !isMade) yield* probe.check(change.url)
          return yield* noting(book.transact(reads(webhookId), changeWebhook(request)), caller, () => null)
        }),
        revoke: Effect.fn("ManageWebhooks.revoke")((caller, webhookId) =>
          book.transact(reads(webhookId), unsubscribe(webhookId, caller))
        ),
        end: Effect.fn("ManageWebhooks.end")(({ member }, webhookId) =>
          book.transact(reads(webhookId), unsubscribeFor(webhookId, member))
        ),
        test: Effect.fn("ManageWebhooks.test")((caller, webhookId, origin = null) => {
          const ids = origin === null ? null : idsOfTest(caller.mode, origin)
          const reading = { ...reads(webhookId), tests: true, ...(ids === null ? {} : { deliveryId: ids.deliveryId }) }
          return book.transact(reading, testEndpoint(webhookId, caller, render, ids))
        }),
        deliveries: Effect.fn("ManageWebhooks.deliveries")(function* (caller, query) {
          yield* own(caller, query.webhookId)
          return yield* deliveries.ofWebhook(query)
        }),
        redeliver: Effect.fn("ManageWebhooks.redeliver")((caller, webhookId, deliveryId, origin = null) =>
          book.transact(
            { ...reads(webhookId), deliveryId },
            redeliver(webhookId, deliveryId, caller, origin?.atMs ?? null)
          )
        ),
        replay: Effect.fn("ManageWebhooks.replay")(function* (caller, webhookId, from, origin = null) {
          const fromMs = Math.max(from, (yield* Clock.currentTimeMillis) - EVENTS_KEPT_MS)
          const reads = { _tag: "ForReplay" as const, webhookId, fromMs, limit: MAX_REPLAYED + 1 }
          return yield* book.transact(reads, replayMissed(webhookId, caller, origin))
        }),
        rotateSecret: Effect.fn("ManageWebhooks.rotateSecret")(function* (caller, webhookId, entropy) {
          const made = yield* secrets.make(webhookId, entropy)
          const { previousValidUntilMs } =
            entropy === undefined
              ? yield* book.transact(reads(webhookId), rotateSecret(webhookId, made.keys, caller))
              : yield* rotateOnce(caller, webhookId, made)
          return { secret: made.secret, previousValidUntilMs }
        })
      })
    })
  )
}
