// The guide for agents: order of calls, money, errors, webhooks and sandbox, for the OpenAPI document and /llms.txt.
import {
  ERROR_RULE,
  LIBRARY_RULE,
  moneyRules,
  PURPOSE,
  SANDBOX_RULE,
  SIGNATURE_RULE
} from "#adapters/contract/shared/ServiceDescription.ts"

/** The rules of money, with the API's routes. */
export const moneyRulesOfRest = moneyRules({
  readQuote: "`GET /api/v1/agent/quotes/{id}`",
  abandonQuote: "`POST /api/v1/agent/quotes/{id}/abandon` or the human on its payment page",
  cancelLinks:
    'Links that are `to_assign` in an order that credit alone has paid for, unapproved, are cancelled by `POST /api/v1/agent/orders/{id}/cancel` with the key that placed it (`only: "cancellable"` keeps those that cannot be, and says why), those of any order by an owner in the member area, all others by the operator, until they are online'
})

export const apiGuide = `${PURPOSE}

## Order of calls
1. \`GET /api/v1/agent/catalog\` — find sites (\`GET /api/v1/agent/catalog/facets\` has the values of its filters, of which \`niche\`, \`language\` and \`shelf\` may be given once for each value); \`GET /api/v1/agent/catalog/{id}\` and \`GET /api/v1/agent/catalog/{id}/articles\` for details.
2. \`GET /api/v1/agent/balance\` — see what prepaid credit there is; \`GET /api/v1/agent/me\` — whose key this is, whether it is paused, when it ends, its limits, and what is left of them today.
3. \`POST /api/v1/agent/orders\` with \`dry_run: true\` — see the price, the discount and what a human would have to pay. Show \`summary\` to the user.
4. \`POST /api/v1/agent/orders\` with an \`Idempotency-Key\` — buy, once the user agreed. One key per purchase the user decided on; reuse it on every retry of that purchase, also with another key of the account.
5. Do what \`next_action\` says: nothing, or give \`payment_url\` to the user and poll \`GET /api/v1/agent/quotes/{id}\`.
6. \`GET /api/v1/agent/orders/{id}\` — follow each link until it is published (\`due_at\`; show \`summary\` to the user), or subscribe a webhook. \`GET /api/v1/agent/events\` lists what happened, without one. \`PATCH /api/v1/agent/orders/{id}/links/{link_id}\` changes target, anchor and brief of a link that is not written yet. \`GET /api/v1/agent/orders\` lists what this key placed, with \`totals\`, and says in \`other_credentials\` how much of the account that leaves out: \`scope=account\` lists all of it, in this key's mode. \`placed_by\` tells which key, connection or member placed something. \`GET /api/v1/agent/links\` has the links of all orders, \`GET /api/v1/agent/links.csv\` the same as a file, and \`GET /api/v1/agent/quotes\` what waits for a payment or an approval.
7. \`GET /api/v1/agent/invoices\` — the account's invoices, credit notes and receipts, for the user's accounting.
8. \`GET /api/v1/agent/top-up?amount_eur=…\` — the page on which the user tops up credit, to be passed on. Nothing is charged by the call.

An order and each of its items take a \`reference\`, such as a purchase order number: it is in every answer about them, and \`reference\` finds them in lists.

## Money
${moneyRulesOfRest.map((rule) => `- ${rule}`).join("\n")}

## Errors
${ERROR_RULE} After a lost connection ask \`GET /api/v1/agent/quotes?idempotency_key=…\` whether the order went through, whichever key or connection of the account sent it. Every POST and PATCH takes an \`Idempotency-Key\`: the same request takes effect once; for other calls than orders it is bound for 24 hours to the key or connection, method and path. What is cancelled, abandoned or deleted already is a success.

## Webhooks
\`POST /api/v1/agent/webhooks\` answers the \`secret\`, once. With \`scope: "account"\` it is told of all orders of the account in this mode, not only of this key's. Every event is then a POST to your URL, at least once, with \`Service-Event\`, \`Service-Delivery\` (the event's id: ignore one you have seen) and \`Service-Signature: t=<unix>,v1=<hex>\`. Verify over the raw bytes, before parsing, in constant time, and answer 2xx quickly; anything else is tried again. \`PATCH /api/v1/agent/webhooks/{id}\` changes URL or events, and \`active: true\` enables one again that was disabled for its failures; \`POST /api/v1/agent/webhooks/{id}/replay\` then delivers what it missed. ${SIGNATURE_RULE} ${LIBRARY_RULE}

## Sandbox
${SANDBOX_RULE}, \`POST /api/v1/agent/sandbox/…\` drives an order through its life.

## Compatibility
The path carries the version. Answers may grow new fields, and enumerations of answers new values; fields are never removed or given another meaning within \`/api/v1\`.`
