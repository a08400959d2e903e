// Webhook subscriptions: creation, list, deletion and secret rotation.
import { Schema } from "effect"
import { ListScope } from "#core/domain/access/ListScope.ts"
import { endpointStatus } from "#core/domain/webhooks/EndpointHealth.ts"
import { EventChoice } from "#core/domain/webhooks/Event.ts"
import { choicesOf, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { Count, PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, CreatedAt, text, timestamp } from "../schema/Text.ts"
import { LIBRARY_RULE, SIGNATURE_RULE } from "../shared/ServiceDescription.ts"
import { outcomeFields } from "./Deliveries.ts"
import { EventName } from "./Events.ts"

const Events = Schema.Array(EventChoice).annotate({ description: "The events that are delivered." })

export const WebhookRequest = Schema.Struct({
  url: text(1).annotate({
    description: "Public HTTPS URL on port 443 or 8443. It is probed once with an empty POST and must not redirect.",
    examples: ["https://hooks.shop.example/backlinks"]
  }),
  events: Events.check(
    Schema.makeFilter((events) => events.length >= 1 && new Set(events).size === events.length, {
      message: "Name one or more events, each once.",
      toJsonSchema: () => ({ minItems: 1, uniqueItems: true })
    })
  ).annotate({
    description: "One or more events, or `*` for all, later ones too. `order.updated` repeats, at each change of links."
  }),
  scope: Schema.optionalKey(
    ListScope.annotate({
      default: "key",
      description:
        "`account`: events of all orders and quotes of the account in this mode, no matter who placed them; the owners are told. `key`: of this key's alone."
    })
  )
}).annotate({ identifier: "WebhookRequest", description: "Where to send which events." })
export type WebhookRequest = typeof WebhookRequest.Type

export const WebhookChange = Schema.Struct({
  url: Schema.optionalKey(WebhookRequest.fields.url),
  events: Schema.optionalKey(WebhookRequest.fields.events),
  active: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "`true` enables a disabled webhook again: it gets what happens from now on, and what it missed by a replay. `false` disables it until then, and drops what waits."
    })
  )
})
  .check(
    Schema.makeFilter((change) => Object.keys(change).length > 0, {
      message: "Name at least one of url, events and active.",
      toJsonSchema: () => ({ minProperties: 1 })
    })
  )
  .annotate({
    identifier: "WebhookChange",
    description: "What to change: one member at least. What is left out, or `null`, stays as it is."
  })
export type WebhookChange = typeof WebhookChange.Type

const webhookFields = {
  id: answerId.webhook,
  url: Schema.String.annotate({ description: "Where events are sent." }),
  events: Events,
  scope: ListScope.annotate({ description: "Whose events it receives: this key's, or the account's in this mode." }),
  created_at: CreatedAt,
  active: Schema.Boolean.annotate({
    description: "`false` while it is disabled: nothing is sent but tests and redeliveries."
  })
}

/** The document does not require it: a replay after 10 minutes omits it. */
const Secret = Schema.String.annotate({
  description: `\`whsec_…\`, shown only here, and absent from a replay of the same Idempotency-Key after 10 minutes. To verify Service-Signature with it: ${SIGNATURE_RULE} ${LIBRARY_RULE}`
})

export const WebhookCreated = Schema.Struct({ ok: Ok, ...webhookFields, secret: Secret, sandbox: Sandbox }).annotate({
  identifier: "WebhookCreated",
  description: "The new subscription with its secret. Store the secret: it is never shown again."
})
export type WebhookCreated = typeof WebhookCreated.Type

export const WebhookRecord = Schema.Struct({
  ...webhookFields,
  status: Schema.Literals(["active", "failing", "disabled"]).annotate({
    description:
      "`disabled` after 5 days of nothing but failures, when the receiver answered 410, or by `active: false`. `active: true` enables it again."
  }),
  standard_webhooks: Schema.Boolean.annotate({
    description:
      "Whether deliveries carry `webhook-signature`, which libraries of Standard Webhooks verify. `false` for a secret that is older than it: rotate it once."
  }),
  consecutive_failures: Count.annotate({ description: "Attempts that failed since the last success." }),
  last_delivery: Schema.NullOr(
    Schema.Struct({
      at: outcomeFields.at,
      event: EventName,
      http_status: outcomeFields.http_status,
      error: outcomeFields.error
    })
  ).annotate({
    description: "The newest attempt of any delivery; `null` before the first."
  })
}).annotate({ identifier: "Webhook", description: "A subscription and how its deliveries fare." })
export type WebhookRecord = typeof WebhookRecord.Type

export const Webhook = Schema.Struct({ ok: Ok, ...WebhookRecord.fields, sandbox: Sandbox }).annotate({
  identifier: "WebhookAnswer",
  description: "One subscription and how its deliveries fare."
})
export type Webhook = typeof Webhook.Type

export const WebhookList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  webhooks: Schema.Array(WebhookRecord).annotate({ description: "Those that are not deleted, oldest first." }),
  sandbox: Sandbox
}).annotate({ identifier: "WebhookList", description: "This key's active subscriptions." })
export type WebhookList = typeof WebhookList.Type

export const WebhookDeleted = Schema.Struct({
  ok: Ok,
  id: answerId.webhook,
  active: Schema.Literal(false).annotate({ description: "Always `false`: it is deleted." }),
  sandbox: Sandbox
}).annotate({ identifier: "WebhookDeleted", description: "The subscription is revoked; nothing more is sent to it." })
export type WebhookDeleted = typeof WebhookDeleted.Type

export const SecretRotated = Schema.Struct({
  ok: Ok,
  id: answerId.webhook,
  secret: Secret,
  previous_valid_until: at(
    "Until then deliveries carry the signature of the secret before, too: `t=…,v1=<new>,v1=<old>`, even if it is replaced again meanwhile: while four earlier ones are good, it is not replaced again (`rate_limited`)."
  ),
  sandbox: Sandbox
}).annotate({ identifier: "SecretRotated", description: "The new secret, shown only here." })
export type SecretRotated = typeof SecretRotated.Type

export const showWebhook = ({ webhookId, url, scope, createdAtMs, health, revokedAtMs, ...named }: Subscription) => ({
  id: webhookId,
  url,
  events: choicesOf(named),
  scope: scope ?? ("key" as const),
  created_at: timestamp(createdAtMs),
  active: revokedAtMs === null && health.disabledAtMs === null
})

export const showWebhookRecord = (subscription: Subscription): WebhookRecord => {
  const { health } = subscription
  const last = health.lastAttempt
  return {
    ...showWebhook(subscription),
    status: endpointStatus(health),
    standard_webhooks: subscription.sealedStandardKey !== undefined,
    consecutive_failures: health.consecutiveFailures,
    last_delivery:
      last === null
        ? null
        : { at: timestamp(last.atMs), event: last.event, http_status: last.httpStatus, error: last.fault }
  }
}

export const showOneWebhook = (subscription: Subscription): Webhook => ({
  ok: true,
  ...showWebhookRecord(subscription),
  sandbox: subscription.mode === "sandbox"
})
