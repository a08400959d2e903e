// Every error code, with its HTTP status and who or what can fix it.
import type { ErrorBody } from "./ErrorBody.ts"

export interface Policy {
  readonly status: number
  /** Further statuses that the code is sent with. */
  readonly otherStatuses?: ReadonlyArray<number>
  readonly recovery: ErrorBody["error"]["recovery"]
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean
}

const correct = (status: number): Policy => ({ status, recovery: "correct", retryable: false })
const human = (status: number): Policy => ({ status, recovery: "human", retryable: false })
const retry = (status: number): Policy => ({ status, recovery: "retry", retryable: true })

/** Codes of the routes of the public API, over REST and MCP. */
export const PUBLIC_ERRORS = {
  invalid_json: correct(400),
  invalid_idempotency_key: correct(400),
  conflicting_credentials: correct(400),
  missing_api_key: human(401),
  invalid_api_key: human(401),
  revoked_api_key: human(401),
  expired_api_key: human(401),
  insufficient_scope: human(403),
  spend_policy_refused: human(403),
  site_not_found: correct(404),
  quote_not_found: correct(404),
  order_not_found: correct(404),
  link_not_found: correct(404),
  webhook_not_found: correct(404),
  delivery_not_found: correct(404),
  project_not_found: correct(404),
  invoice_not_found: correct(404),
  route_not_found: correct(404),
  method_not_allowed: correct(405),
  site_unavailable: correct(409),
  amount_below_minimum: correct(409),
  article_unavailable: correct(409),
  price_above_limit: correct(409),
  too_many_reservations: correct(409),
  quote_not_open: { status: 409, recovery: "none", retryable: false },
  not_cancellable: human(409),
  not_changeable: human(409),
  webhook_limit_reached: correct(409),
  invalid_transition: correct(409),
  body_too_large: correct(413),
  unsupported_media_type: correct(415),
  validation_failed: correct(422),
  idempotency_key_reused: correct(422),
  promo_code_invalid: correct(422),
  article_site_mismatch: correct(422),
  webhook_url_refused: correct(422),
  daily_order_cap_reached: { status: 429, recovery: "wait", retryable: false },
  rate_limited: { status: 429, recovery: "wait", retryable: true },
  internal_error: retry(500),
  payment_processor_unavailable: retry(502),
  store_unavailable: retry(503),
  schema_too_new: retry(503)
} as const satisfies Record<string, Policy>

/** Codes sent before routing: invalid HTTP, a head too long or too slow, an unsupported `Expect`. */
export const TRANSPORT_ERRORS = {
  malformed_request: { ...correct(400), otherStatuses: [408, 417, 431] }
} as const satisfies Record<string, Policy>

/** Codes of the MCP endpoint itself. */
export const MCP_ERRORS = { origin_not_allowed: human(403) } as const satisfies Record<string, Policy>

export const OPERATOR_ERRORS = {
  account_not_found: correct(404),
  api_key_not_found: correct(404),
  connection_not_found: correct(404),
  api_key_limit_reached: correct(409),
  reference_reused: correct(409),
  balance_too_low: correct(409),
  email_taken: correct(409),
  vat_id_differs: correct(409),
  published_elsewhere: correct(409),
  link_changed: correct(409),
  payment_not_found: correct(404),
  payment_resolved: { status: 409, recovery: "none", retryable: false },
  backup_unsupported: { status: 409, recovery: "none", retryable: false },
  payments_are_real: { status: 409, recovery: "none", retryable: false },
  missing_operator_token: human(401),
  invalid_operator_token: human(401),
  insufficient_role: human(403)
} as const satisfies Record<string, Policy>

/** Codes of the member area's pages; some are of the operator plane too. */
export const MEMBER_ERRORS = {
  not_signed_in: human(403),
  owner_only: human(403),
  not_confirmed: human(403),
  sign_in_too_old: human(403),
  factor_not_found: correct(404),
  factor_limit_reached: correct(409),
  passkey_refused: correct(422),
  password_refused: correct(422),
  code_refused: correct(422),
  member_not_found: correct(404),
  session_not_found: correct(404),
  sheet_not_found: correct(404),
  sheet_limit_reached: correct(409),
  sheet_changed: correct(409),
  credit_too_low: correct(409),
  top_up_not_found: correct(404),
  top_up_amount_invalid: correct(422),
  member_limit_reached: correct(409),
  already_invited: correct(409),
  invitation_not_found: correct(404),
  invitation_ended: human(410),
  invitation_limit_reached: { status: 429, recovery: "wait", retryable: false },
  connection_limit_reached: correct(409),
  last_owner: correct(409),
  sandbox_account: human(409),
  reviewer_name_taken: correct(409),
  reviewer_not_found: correct(404),
  account_closed: human(409),
  account_in_use: human(409),
  sign_in_link_invalid: human(410)
} as const satisfies Record<string, Policy>

/** Codes of `/metrics`. */
export const METRICS_ERRORS = {
  missing_metrics_token: human(401),
  invalid_metrics_token: human(401)
} as const satisfies Record<string, Policy>

/** Codes of responses to the payment processor's notices. */
export const NOTICE_ERRORS = {
  payment_mismatch: { status: 409, recovery: "none", retryable: false },
  invalid_signature: { status: 400, recovery: "none", retryable: false }
} as const satisfies Record<string, Policy>

/** Codes outside the routes of the public API. */
export const OTHER_ERRORS = {
  ...TRANSPORT_ERRORS,
  ...MCP_ERRORS,
  ...OPERATOR_ERRORS,
  ...MEMBER_ERRORS,
  ...METRICS_ERRORS,
  ...NOTICE_ERRORS
} as const

export type PublicErrorCode = keyof typeof PUBLIC_ERRORS
export type ErrorCode = PublicErrorCode | keyof typeof OTHER_ERRORS

const POLICIES: Readonly<Record<ErrorCode, Policy>> = { ...PUBLIC_ERRORS, ...OTHER_ERRORS }

// The literals have no keys besides those of their types.
export const errorCodes = Object.keys(POLICIES) as ReadonlyArray<ErrorCode>

export const policyOf = (code: ErrorCode): Policy => POLICIES[code]

export const statusesOf = (code: ErrorCode): ReadonlyArray<number> => {
  const { status, otherStatuses = [] } = policyOf(code)
  return [status, ...otherStatuses]
}
