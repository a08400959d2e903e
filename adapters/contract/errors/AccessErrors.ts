// Wording of refusals about keys, scopes and webhooks, with the challenges of RFC 6750. Keys are never repeated.
import { ALL_SCOPES, type Scope } from "#core/domain/access/ApiKey.ts"
import type { UrlFault } from "#core/domain/shared/PublicAddress.ts"
import { MAX_REDELIVERIES } from "#core/domain/webhooks/Delivery.ts"
import type { NoAnswer } from "#core/domain/webhooks/WebhookRefusal.ts"
import { timestamp } from "../schema/Text.ts"
import { credentialNouns } from "./CredentialNouns.ts"
import { type RefusalTexts, safeExcerpt } from "./ErrorText.ts"

const REALM = 'Bearer realm="backlinks"'

/**
 * RFC 6750, section 3.1: a request without credentials gets the challenge without an error code. The scopes are those that a client should
 * ask for: it asks for all that it needs at once, because the new token replaces the one that it has.
 */
export const challenge = (
  scopes: ReadonlyArray<Scope>,
  error?: "invalid_token" | "insufficient_scope",
  more?: string
): Readonly<Record<string, string>> => ({
  "www-authenticate": [
    REALM,
    ...(error === undefined ? [] : [`error="${error}"`]),
    `scope="${scopes.join(" ")}"`,
    ...(more === undefined ? [] : [more])
  ].join(", ")
})

export const READ: ReadonlyArray<Scope> = ["read"]

const URL_FAULTS: Readonly<Record<UrlFault, string>> = {
  not_https: "is not an https URL",
  has_credentials: "contains a user name or password",
  port_not_allowed: "uses a port other than 443 or 8443",
  loopback: "points at the local machine",
  private_address: "does not point at the public internet",
  unresolvable: "has a host that cannot be resolved",
  redirects: "redirects",
  unreachable: "could not be reached"
}

const NO_ANSWERS: Readonly<Record<NoAnswer, string>> = {
  timeout: "did not answer within 5 seconds",
  connection_refused: "refused the connection",
  connection_reset: "reset or closed the connection before it answered",
  tls: "has no TLS certificate that is valid for its host, or does not speak TLS",
  unreachable: URL_FAULTS.unreachable,
  invalid_response: "answered with something that is not HTTP"
}

export const accessRefusals = {
  AccountViewRefused: ({ held }, by) => ({
    code: "insufficient_scope",
    message: `What others of the account placed is not shown to ${credentialNouns(by).yours}.`,
    suggestion: credentialNouns(by).afterAccountView,
    details: { required: "account", held: ["key"] },
    // A new consent lets it see the account, whatever scopes it has.
    headers: challenge(held, "insufficient_scope")
  }),
  CallKeyReused: () => ({
    code: "idempotency_key_reused",
    message: "This Idempotency-Key was already used for another request to this path. Nothing was done.",
    param: "Idempotency-Key",
    suggestion:
      "If this is a retry, send exactly the body of the first attempt. If it is another request, use another Idempotency-Key; each is bound for 24 hours."
  }),
  DeliveryNotFound: ({ deliveryId }) => ({
    code: "delivery_not_found",
    message: `This webhook has no delivery ${safeExcerpt(deliveryId)}.`,
    suggestion: "List the webhook's deliveries with GET /api/v1/agent/webhooks/{id}/deliveries."
  }),
  ExpiredApiKey: (_, by) => ({
    code: "expired_api_key",
    message: `This ${credentialNouns(by).noun} has expired, at the time that your user chose for it. Its webhooks have ended with it.`,
    suggestion: credentialNouns(by).afterRevoked,
    headers: challenge(READ, "invalid_token", 'error_description="The API key has expired"')
  }),
  InsufficientScope: ({ required, held }, by) => ({
    code: "insufficient_scope",
    message: `This needs the scope \`${required}\`, which ${credentialNouns(by).yours} does not have.`,
    suggestion: credentialNouns(by).afterScope,
    details: { required, held },
    headers: challenge(
      ALL_SCOPES.filter((scope) => scope === required || held.includes(scope)),
      "insufficient_scope"
    )
  }),
  InvalidApiKey: (_, by) => ({
    code: "invalid_api_key",
    message: credentialNouns(by).isInvalid,
    suggestion: credentialNouns(by).afterInvalid,
    headers: challenge(READ, "invalid_token", 'error_description="The API key or the token is not valid"')
  }),
  MissingApiKey: () => ({
    code: "missing_api_key",
    message: "No API key was sent.",
    suggestion: "Send `Authorization: Bearer <API_KEY>`; your user makes the key in the member area.",
    headers: challenge(READ)
  }),
  RedeliveryLimitReached: ({ limit, resetsAtMs, retryAfterSeconds, webhookId }) => ({
    code: "rate_limited",
    message: `Deliveries of this webhook were sent again ${limit} times within the last 24 hours.`,
    suggestion: `What is pending is sent by itself: GET /api/v1/agent/webhooks/${webhookId}/deliveries shows when. Read what was missed with GET /api/v1/agent/events; the next redelivery is possible after ${timestamp(resetsAtMs)}.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, retry_after_seconds: retryAfterSeconds, resets_at: timestamp(resetsAtMs) }
  }),
  ReplacedApiKey: (_, by) => ({
    code: "expired_api_key",
    message: `This ${credentialNouns(by).noun} was replaced, and its time is over. Limits, orders and webhooks go on under its successor.`,
    suggestion:
      "Tell your user: the successor was shown in the member area at that time. An order whose answer was lost is sent again with it, under the same Idempotency-Key.",
    headers: challenge(READ, "invalid_token", 'error_description="The API key has expired"')
  }),
  RevokedApiKey: (_, by) => ({
    code: "revoked_api_key",
    message: credentialNouns(by).isRevoked,
    suggestion: credentialNouns(by).afterRevoked,
    headers: challenge(READ, "invalid_token", 'error_description="The API key or the connection has been revoked"')
  }),
  SecretRotationLimitReached: ({ limit, resetsAtMs, retryAfterSeconds }) => ({
    code: "rate_limited",
    message: `The last ${limit} secrets of this webhook before the present one are still good, as each was promised to be for 24 hours. The present one stays.`,
    suggestion: `Verify deliveries with any of them; the next rotation is possible after ${timestamp(resetsAtMs)}. If the present secret leaked, delete the webhook and make another.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, retry_after_seconds: retryAfterSeconds, resets_at: timestamp(resetsAtMs) }
  }),
  WebhookLimitReached: ({ limit }) => ({
    code: "webhook_limit_reached",
    message: `The account has ${limit} active webhooks already, over all its keys and connections, live and sandbox together.`,
    suggestion: "Delete one that is no longer needed with DELETE /api/v1/agent/webhooks/{id}, or ask your user.",
    details: { limit }
  }),
  WebhookNotChangeable: ({ webhookId }) => ({
    code: "not_changeable",
    message:
      "An owner of the account turned this webhook off, and only an owner turns it on again. Nothing was changed.",
    suggestion:
      "Tell your user: it is turned on under Webhooks in the member area. Until then the list of events tells all that happens.",
    details: { webhook_id: webhookId, reason: "paused_by_owner", who_can: "owner" }
  }),
  WebhookNotFound: ({ webhookId }, by) => ({
    code: "webhook_not_found",
    message: `This ${credentialNouns(by).noun} has no active webhook ${safeExcerpt(webhookId)}.`,
    suggestion: `List the ${credentialNouns(by).noun}'s webhooks with GET /api/v1/agent/webhooks. A webhook is managed by the ${credentialNouns(by).noun} that made it.`
  }),
  WebhookTestLimitReached: ({ limit, resetsAtMs, retryAfterSeconds, deliveryId, webhookId }) => ({
    code: "rate_limited",
    message: `This webhook was sent ${limit} tests within the last 24 hours.`,
    suggestion: `Send one of them again with POST /api/v1/agent/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver, at most ${MAX_REDELIVERIES} times within 24 hours; a new test is possible after ${timestamp(resetsAtMs)}.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, retry_after_seconds: retryAfterSeconds, resets_at: timestamp(resetsAtMs) }
  }),
  WebhookUrlRefused: ({ reason, noAnswer }) => ({
    code: "webhook_url_refused",
    message: `The webhook URL ${noAnswer === undefined ? URL_FAULTS[reason] : NO_ANSWERS[noAnswer]}.`,
    param: "url",
    suggestion:
      "Give a public https URL on port 443 or 8443 that answers a POST itself, without redirecting. Without one, read GET /api/v1/agent/events, or follow an order with GET /api/v1/agent/orders/{id}.",
    details: { reason, ...(noAnswer === undefined ? {} : { error: noAnswer }) }
  })
} satisfies RefusalTexts
