// Handlers of the calls that only read: audit log, live activity, webhooks, reconciliation.
import { Effect, Stream } from "effect"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import type { ActivityEvent as ActivityRecord } from "#core/domain/operations/ActivityEvent.ts"
import { invariantText } from "#core/domain/operations/Invariant.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import { endpointStatus } from "#core/domain/webhooks/EndpointHealth.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { FindById } from "#core/usecases/operations/FindById.ts"
import { FreeFinished } from "#core/usecases/operations/FreeFinished.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import { WatchActivity } from "#core/usecases/operations/WatchActivity.ts"
import { CheckSigningKeys } from "#core/usecases/webhooks/CheckSigningKeys.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import { MonitoringRpcs } from "../calls/MonitoringCalls.ts"
import { withOperatorError } from "../OperatorError.ts"
import type { ActivityEvent, Webhook } from "../records/MonitoringRecords.ts"
import { ShutdownSignal } from "../ShutdownSignal.ts"

const showActivity = ({ position: cursor, ...event }: ActivityRecord): ActivityEvent => ({ cursor, ...event })

const showWebhook = ({ webhookId, keyId, url, events, createdAtMs, health }: Subscription): Webhook => ({
  webhookId,
  keyId,
  url,
  events,
  createdAtMs,
  status: endpointStatus(health),
  consecutiveFailures: health.consecutiveFailures
})

export const layer = MonitoringRpcs.toLayer(
  Effect.gen(function* () {
    const activity = yield* WatchActivity
    const lookUp = yield* FindById
    const webhooks = yield* ManageWebhooks
    const signingKeys = yield* CheckSigningKeys
    const reconciliation = yield* Reconcile
    const finished = yield* FreeFinished
    const shutdown = yield* ShutdownSignal

    const accounts = yield* ViewAccount

    /** A credential of any kind. */
    const ownKey = Effect.fnUntraced(function* (accountId: AccountId, keyId: KeyId) {
      yield* lookUp.wallet(accountId)
      const keys = yield* accounts.keys(accountId)
      if (!keys.some(({ key }) => key.keyId === keyId)) return yield* new KeyNotFound({ keyId })
      return { keyId }
    })

    return MonitoringRpcs.of({
      readAudit: ({ limit, beforeId = null }) => withOperatorError(activity.audit({ limit, beforeId })),
      listWebhooks: ({ accountId, keyId }) =>
        withOperatorError(
          Effect.map(Effect.flatMap(ownKey(accountId, keyId), webhooks.list), (found) => found.map(showWebhook))
        ),
      listDeliveries: ({ accountId, keyId, webhookId, limit, beforeId = null }) =>
        withOperatorError(
          Effect.flatMap(ownKey(accountId, keyId), (owner) =>
            webhooks.deliveries(owner, { webhookId, limit, beforeId })
          )
        ),
      countSigningKeys: () => withOperatorError(signingKeys.count()),
      reconcile: () =>
        Effect.map(withOperatorError(reconciliation.reconcile()), ({ checked, violations, owing }) => ({
          looked: checked,
          owing,
          findings: violations.map(({ invariant, subject, message }) => ({
            law: invariant,
            subject,
            message,
            words: invariantText[invariant]
          }))
        })),
      showRetention: () => Effect.map(withOperatorError(finished.freed()), (freed) => ({ freed })),
      watch: ({ after = null }) =>
        activity.watch(after).pipe(Stream.map(showActivity), Stream.interruptWhen(shutdown.await))
    })
  })
)
