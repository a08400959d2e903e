// Wording of service faults and of malformed requests.

import type { PayableId } from "#core/domain/shared/Ids.ts"
import { timestamp } from "../schema/Text.ts"
import { challenge, READ } from "./AccessErrors.ts"
import type { AdapterFailure, MalformedRequest } from "./AdapterFailure.ts"
import { credentialNouns } from "./CredentialNouns.ts"
import { type ErrorTexts, invalidFields } from "./ErrorText.ts"

/** The errors of `core/ports`, by shape, because this room does not import ports. */
export type ServiceFault =
  | { readonly _tag: "StoreUnavailable"; readonly retryAfterSeconds: number }
  | { readonly _tag: "BackupUnsupported" }
  | { readonly _tag: "SchemaTooNew"; readonly step: string }
  | {
      readonly _tag: "ProcessorUnavailable"
      readonly retryAfterSeconds: number
      readonly quoteId?: PayableId
      readonly repeatable?: boolean
    }

/** Until a balancer has asked for readiness again and leads to a newer instance. */
const SCHEMA_RETRY_AFTER_SECONDS = 5

/** After a service fault the order may have been written and only the response lost. */
const CHECK_BEFORE_RETRY =
  "An order sent without one may exist all the same: read GET /api/v1/agent/orders and the holds of GET /api/v1/agent/balance first."

export const serviceFaults: ErrorTexts<ServiceFault> = {
  StoreUnavailable: ({ retryAfterSeconds }) => ({
    code: "store_unavailable",
    message: "The service is busy and cannot tell what became of the request.",
    suggestion: `Send the very same request again, with the same Idempotency-Key, once Retry-After has passed. ${CHECK_BEFORE_RETRY}`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { retry_after_seconds: retryAfterSeconds }
  }),
  BackupUnsupported: () => ({
    code: "backup_unsupported",
    message: "The service runs with STORE=memory: nothing of it is kept, and nothing was backed up."
  }),
  SchemaTooNew: ({ step }) => ({
    code: "schema_too_new",
    message: `A newer version of the service has migrated the database (${step}). This instance takes no orders any more; nothing was written.`,
    suggestion:
      "Send the request again once Retry-After has passed, an order with an Idempotency-Key: it goes to an instance of the newer version. Operators: stop this instance.",
    headers: { "retry-after": String(SCHEMA_RETRY_AFTER_SECONDS) },
    details: { retry_after_seconds: SCHEMA_RETRY_AFTER_SECONDS, newer_step: step }
  }),
  ProcessorUnavailable: ({ retryAfterSeconds, quoteId, repeatable = true }) => ({
    code: "payment_processor_unavailable",
    ...(repeatable ? {} : { retryable: false, recovery: "correct" as const }),
    message: "The payment processor did not answer. The quote is kept and no money has moved.",
    suggestion:
      repeatable || quoteId === undefined
        ? `Send the very same request again once Retry-After has passed. An order with the same Idempotency-Key resumes this quote${quoteId === undefined ? "." : `; one without would be placed twice: read GET /api/v1/agent/quotes/${quoteId} until it has a payment_url instead.`}`
        : `Do not send the order again: without an Idempotency-Key it would be a second one. Read GET /api/v1/agent/quotes/${quoteId} until it has a payment_url.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { retry_after_seconds: retryAfterSeconds, ...(quoteId === undefined ? {} : { quote_id: quoteId }) }
  })
}

const BROKEN_HTTP: Readonly<Record<MalformedRequest["status"], string>> = {
  400: "The request is not well-formed HTTP.",
  408: "The request took too long to arrive.",
  417: "The Expect header asks for something that this server does not do.",
  431: "The request line and headers are too long."
}

export const adapterFailures: ErrorTexts<AdapterFailure> = {
  // Only MCP tools return this, so it names tools instead of routes. The API's address stays in the log.
  ApiUnreachable: ({ retryAfterSeconds }) => ({
    code: "store_unavailable",
    message:
      "The API that this MCP server relays to could not be reached, or gave no answer of its own. Whether it carried the request out is not known.",
    suggestion: `Call the tool again in ${retryAfterSeconds} seconds with the very same arguments, an order with the same idempotency_key: it is made once at most. An order sent without one may exist all the same: look at list_orders and the holds of check_balance first. If it goes on, tell whoever runs this MCP server to look at its API_URL.`,
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { retry_after_seconds: retryAfterSeconds }
  }),
  BodyTooLarge: ({ limitBytes }) => ({
    code: "body_too_large",
    message: `The request body is larger than ${limitBytes} bytes.`,
    suggestion: "Shorten briefs and anchors, or split the order.",
    details: { limit_bytes: limitBytes }
  }),
  ConflictingCredentials: () => ({
    code: "conflicting_credentials",
    message: "Two different API keys were sent, in the Authorization header and in the query.",
    suggestion: "Send one key, in the Authorization header."
  }),
  InsufficientRole: ({ call, required, held }) => ({
    code: "insufficient_role",
    message: `${call} requires the role ${required}; this token has the role ${held}. Nothing was done.`,
    suggestion: `Ask a colleague whose token has the role ${required === "admin" ? "admin" : `${required} or admin`}.`,
    details: { required, held }
  }),
  InternalError: () => ({
    code: "internal_error",
    message: "Something went wrong on our side.",
    suggestion: `Send the very same request again, with the same Idempotency-Key. ${CHECK_BEFORE_RETRY} If it goes on, report the request_id.`
  }),
  InvalidIdempotencyKey: () => ({
    code: "invalid_idempotency_key",
    message: "Idempotency-Key must be sent once and be 1 to 255 visible ASCII characters, without spaces.",
    param: "Idempotency-Key",
    suggestion: "Use a fresh UUID for each purchase your user decided on, and the same one for every retry of it."
  }),
  InvalidJson: ({ reason, offset }) => ({
    code: "invalid_json",
    message: `The request body is not acceptable JSON: ${reason}`,
    suggestion: "Send one JSON object in UTF-8.",
    ...(offset === undefined ? {} : { details: { offset } })
  }),
  InvalidMetricsToken: () => ({
    code: "invalid_metrics_token",
    message: "The token is not the one for metrics. API keys open nothing here.",
    suggestion: "Send the service's METRICS_TOKEN as `Authorization: Bearer <METRICS_TOKEN>`.",
    headers: { "www-authenticate": 'Bearer realm="metrics", error="invalid_token"' }
  }),
  InvalidOperatorToken: () => ({
    code: "invalid_operator_token",
    message: "The token is not the operator's. API keys open nothing here.",
    suggestion:
      "Send the service's OPERATOR_TOKEN, or a token of its OPERATOR_TOKENS, as `Authorization: Bearer <token>`.",
    headers: { "www-authenticate": 'Bearer realm="operator", error="invalid_token"' }
  }),
  InvalidSignature: () => ({
    code: "invalid_signature",
    message: "The notice is not signed with the secret agreed on, or its signature is too old. Nothing was done."
  }),
  MalformedRequest: ({ status }) => ({
    code: "malformed_request",
    status,
    message: BROKEN_HTTP[status],
    suggestion: "Check the client: this is not about what was asked, but about how it was sent."
  }),
  MethodNotAllowed: ({ allowed }) => ({
    code: "method_not_allowed",
    message: `This path does not take that method; it takes ${allowed.join(", ")}.`,
    suggestion: "GET /openapi.json and GET /llms.txt list every route.",
    details: { allowed },
    headers: { allow: allowed.join(", ") }
  }),
  MisplacedApiKey: ({ place, shown }) => ({
    code: "missing_api_key",
    recovery: "correct",
    message: `A key came in ${place}: send it as \`Authorization: Bearer …\`.${shown === null ? "" : ` It is ${shown}.`}`,
    suggestion: "Send the same request again with the key in that header, after the word Bearer, and nowhere else.",
    headers: challenge(READ)
  }),
  MissingMetricsToken: () => ({
    code: "missing_metrics_token",
    message: "No metrics token was sent.",
    suggestion: "Send the service's METRICS_TOKEN as `Authorization: Bearer <METRICS_TOKEN>`.",
    headers: { "www-authenticate": 'Bearer realm="metrics"' }
  }),
  MissingOperatorToken: () => ({
    code: "missing_operator_token",
    message: "No operator token was sent.",
    suggestion:
      "Send the service's OPERATOR_TOKEN, or a token of its OPERATOR_TOKENS, as `Authorization: Bearer <token>`.",
    headers: { "www-authenticate": 'Bearer realm="operator"' }
  }),
  OriginNotAllowed: () => ({
    code: "origin_not_allowed",
    message: "Web pages of this origin may not call this MCP server.",
    suggestion:
      "Call it from a program instead of a web page, or ask the operator of the server to add the origin to MCP_ALLOWED_ORIGINS."
  }),
  RateLimited: ({ kind, limit, retryAfterSeconds, resetsAtMs }, by) => ({
    code: "rate_limited",
    message: `This ${credentialNouns(by).noun} has used its ${limit} ${kind === "read" ? "read" : "order"} calls a minute.`,
    suggestion: "Wait as long as Retry-After says, then send the same request again, and slow down.",
    headers: { "retry-after": String(retryAfterSeconds) },
    details: { limit, retry_after_seconds: retryAfterSeconds, resets_at: timestamp(resetsAtMs) }
  }),
  RouteNotFound: () => ({
    code: "route_not_found",
    message: "There is nothing at this path.",
    suggestion: "GET /openapi.json and GET /llms.txt list every route."
  }),
  UnsupportedMediaType: () => ({
    code: "unsupported_media_type",
    message: "The request body must be JSON in UTF-8.",
    suggestion: "Send `Content-Type: application/json`, without a Content-Encoding."
  }),
  ValidationFailed: ({ errors }) => invalidFields(errors)
}
