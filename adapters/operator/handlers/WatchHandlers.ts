// What the server does for calls that look on: audit, live happenings, webhooks, and the proof of the books.
import { Effect, Stream } from "effect"
import { endpointStatus } from "#core/domain/Delivery.ts"
import { lawInWords } from "#core/domain/Finding.ts"
import type { ActivityEvent as Told } from "#core/domain/ActivityEvent.ts"
import { KeyNotFound } from "#core/domain/Refusal.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { LookUp } from "#core/usecases/LookUp.ts"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import { Subscribe } from "#core/usecases/Subscribe.ts"
import { TendWebhooks } from "#core/usecases/TendWebhooks.ts"
import { WatchShop } from "#core/usecases/WatchShop.ts"
import { ClosingTime } from "../ClosingTime.ts"
import { WatchRpcs } from "../calls/WatchCalls.ts"
import type { Happening, Webhook } from "../records/WatchRecords.ts"
import { refusing } from "./Refusing.ts"

const showHappening = ({ position: cursor, ...told }: Told): Happening => ({ cursor, ...told })

const showWebhook = ({ webhookId, keyId, url, events, createdAtMs, health }: Subscription): Webhook => ({
  webhookId,
  keyId,
  url,
  events,
  createdAtMs,
  status: endpointStatus(health),
  consecutiveFailures: health.consecutiveFailures
})

export const layer = WatchRpcs.toLayer(
  Effect.gen(function* () {
    const shop = yield* WatchShop
    const lookUp = yield* LookUp
    const webhooks = yield* Subscribe
    const deliveries = yield* TendWebhooks
    const books = yield* Reconcile
    const closing = yield* ClosingTime

    const ownKey = Effect.fnUntraced(function* (accountId: string, keyId: string) {
      const { keys } = yield* lookUp.account(accountId)
      if (!keys.some(({ key }) => key.keyId === keyId)) return yield* new KeyNotFound({ keyId })
      return { keyId }
    })

    return WatchRpcs.of({
      readAudit: ({ limit, beforeId = null }) => refusing(shop.audit({ limit, beforeId })),
      listWebhooks: ({ accountId, keyId }) =>
        refusing(
          Effect.map(Effect.flatMap(ownKey(accountId, keyId), webhooks.list), (found) => found.map(showWebhook))
        ),
      listDeliveries: ({ accountId, keyId, webhookId, limit, beforeId = null }) =>
        refusing(
          Effect.flatMap(ownKey(accountId, keyId), (owner) =>
            deliveries.deliveries(owner, { webhookId, limit, beforeId })
          )
        ),
      reconcile: () =>
        Effect.map(refusing(books.reconcile()), ({ looked, findings }) => ({
          looked,
          findings: findings.map((finding) => ({ ...finding, words: lawInWords[finding.law] }))
        })),
      watch: ({ after = null }) => shop.watch(after).pipe(Stream.map(showHappening), Stream.interruptWhen(closing.come))
    })
  })
)
