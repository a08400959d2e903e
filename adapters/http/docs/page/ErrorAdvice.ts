// What a reader does about each error code, in a sentence or two.
import type { MCP_ERRORS, PublicErrorCode, TRANSPORT_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"

export type AdvisedCode = PublicErrorCode | keyof typeof TRANSPORT_ERRORS | keyof typeof MCP_ERRORS

export const ERROR_ADVICE: Readonly<Record<AdvisedCode, string>> = {
  malformed_request: "The HTTP itself is broken, too long or too slow: look at the client, not at what it asks for.",
  invalid_json: "Send one JSON object in UTF-8, without duplicate keys; `details.offset` is where it stops being JSON.",
  invalid_idempotency_key:
    "Send `Idempotency-Key` once, with 1 to 255 visible ASCII characters and no spaces. A UUID is fine.",
  conflicting_credentials: "Two different keys came with one request. Send one, in the header.",
  missing_api_key:
    "Send `Authorization: Bearer <API_KEY>`. If a key did come, but in another place, the message names the place.",
  invalid_api_key: "Check that the whole key is sent. If it is, ask its owner for a new one.",
  revoked_api_key: "Its owner revoked the key. Ask for a new one; quotes that wait for payment can still be paid.",
  expired_api_key: "The key's time is over. Use the one that replaced it, or ask its owner for a new one.",
  insufficient_scope: "The key lacks the scope in `details.required`. Ask its owner for one that has it.",
  spend_policy_refused:
    "The owner's limits forbid it; `details.rule` names the limit. Tell the owner, who can change it. Do not work around it.",
  origin_not_allowed:
    "A web page of another origin called `/mcp`. Call it from a program, or ask the operator to allow the origin.",
  site_not_found: "Search the catalogue, and use the `id` of a site.",
  quote_not_found:
    "Use the `quote_id` that the order answered. Sandbox keys see sandbox quotes alone, live keys live ones.",
  order_not_found: "List the orders. What is not paid for is a quote, and no order yet.",
  link_not_found: "Read the order: each of its items has a `link_id`.",
  webhook_not_found: "List the webhooks of this key. Another key's webhooks are that key's alone.",
  delivery_not_found: "List the deliveries of the webhook.",
  project_not_found: "List the projects of the account.",
  invoice_not_found: "List the invoices. An order has its invoice within a minute; the sandbox has none.",
  route_not_found: "Compare the path with this page: exact case, no slash at the end.",
  method_not_allowed: "The header `Allow` names the methods of this path.",
  site_unavailable: "The site takes no orders at present. Choose another one.",
  amount_below_minimum: "The rest is too small for a card. Add a link, or have credit topped up.",
  article_unavailable: "The article is sold or reserved. Choose another one, or order a new article.",
  price_above_limit:
    "It costs more than your `max_total_eur`, or than one card payment can be. Ask the user, or order less.",
  too_many_reservations: "Unpaid quotes reserve too much. Have those in `details.open` paid, or abandon them.",
  quote_not_open: "The quote is paid or given up already: read it, and do what it says.",
  not_cancellable: "Work has begun, or a person decided about the order. `details.who_can` says whom to ask.",
  not_changeable:
    "A person decided about the order, or the link was changed too often. `details.who_can` says whom to ask.",
  webhook_limit_reached: "Delete a webhook that is not needed any more.",
  invalid_transition: "The link is further on than that. Read the order, and tell the user.",
  body_too_large: "Shorten briefs, or split the order.",
  unsupported_media_type: "Send `Content-Type: application/json`, uncompressed.",
  validation_failed:
    "Correct each entry of `errors`: its `path` says where, its `message` what is allowed. Then send it again.",
  idempotency_key_reused:
    "The key belongs to another request. A retry sends the very same body; another purchase takes another key.",
  promo_code_invalid: "`details.reason` says why. Leave the code out, or send another one.",
  article_site_mismatch: "Take an `article_id` from the list of that site's articles.",
  webhook_url_refused: "`details.reason` says why. Give a public https address that answers a POST itself.",
  daily_order_cap_reached: "Order again after `details.resets_at`. Dry runs and retries still work.",
  rate_limited: "Wait as long as `Retry-After` says, send the same request again, and slow down.",
  internal_error:
    "Send the very same request again with the same `Idempotency-Key`. If it goes on, report the `request_id`.",
  payment_processor_unavailable:
    "No money has moved. After `Retry-After`, send the very same order with the same `Idempotency-Key`: it resumes the quote.",
  store_unavailable: "After `Retry-After`, send the very same request again with the same `Idempotency-Key`.",
  schema_too_new: "This instance is being replaced. After `Retry-After`, send the very same request again."
}
