// Errors in the terms of a model that calls tools: it has no key and no routes, so that suggestions name tools and what to tell the
// user. All else of an error is as over REST.
import { Option, Schema } from "effect"
import { type CredentialKind, credentialNouns } from "#adapters/contract/errors/CredentialNouns.ts"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import type { ErrorCode } from "#adapters/contract/errors/ErrorCode.ts"
import { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"

type ErrorFields = ErrorBody["error"]

type Suggest = (error: ErrorFields, by: CredentialKind) => string

const isNumber = (value: unknown): value is number => typeof value === "number"

const pauseOf = ({ details }: ErrorFields): string => {
  const seconds = details?.["retry_after_seconds"]
  return isNumber(seconds) ? `in ${seconds} seconds` : "in a few seconds"
}

const SET_KEY = "the API key is set in the settings of the MCP client, and made in the member area of this service"

const CONNECT = "the MCP client connects again and opens a page of this service, on which your user consents"

/** What to tell the user where the credential does not do. */
const REMEDIES = {
  key: {
    scope: `Tell your user that a key with this scope is needed: ${SET_KEY}. Retrying does not help.`,
    invalid: `Tell your user that the key is not valid: ${SET_KEY}.`,
    revoked: `Tell your user that a new key is needed: ${SET_KEY}. Open quotes made with the old one can still be paid, and an order whose answer was lost is sent again under the same idempotency_key.`
  },
  connection: {
    scope: `Tell your user that this scope is needed: ${CONNECT}. Retrying does not help.`,
    invalid: `Tell your user that the connection is over: ${CONNECT}.`,
    revoked: `Tell your user that the connection was revoked: ${CONNECT}. Open quotes made by it can still be paid, and an order whose answer was lost is sent again under the same idempotency_key.`
  }
} as const

const CHECK_FIRST =
  "Did you call create_order without an idempotency_key more than 10 minutes ago, look at `open_quotes` of check_balance and at list_orders first: the order may exist all the same."

const ofMode = (by: CredentialKind, what: string): string => {
  const { noun } = credentialNouns(by)
  return `A sandbox ${noun} sees only sandbox ${what}, a live ${noun} only live ones.`
}

/** What is said where no quote has the key, by `order_again` of the details. */
const UNDER_NO_KEY: ReadonlyMap<unknown, string> = new Map([
  [
    "once",
    "No key and no connection of this account has made a live order with this idempotency_key. To buy, call create_order with this very idempotency_key, which does not buy twice."
  ],
  [
    "again",
    "No sandbox order of this account has this idempotency_key. One that finished weeks ago may have been deleted with it: create_order would make it again, which costs nothing."
  ],
  [
    "forbidden",
    "No order of this account and mode has this idempotency_key. You may not order: tell your user, or let the agent call create_order again that did before, with this very idempotency_key."
  ]
])

/** Suggestions that differ from REST's, which name routes and headers. */
const SUGGESTIONS: Partial<Record<ErrorCode, Suggest>> = {
  article_site_mismatch: () =>
    "Take an article_id from list_site_articles, called with the site_id of that item. Nothing was written.",
  conflicting_credentials: () =>
    "Tell your user: the MCP client sends two different API keys, in its header and in the URL. One of them is to be removed.",
  // A key whose time is over has no successor, unlike a text that was replaced.
  expired_api_key: ({ message }, by) =>
    message.includes("has expired,")
      ? REMEDIES[by].revoked
      : `Tell your user that its successor is to be used: ${by === "key" ? SET_KEY : CONNECT}. Limits and webhooks go on under it, and an order whose answer was lost is sent again under the same idempotency_key.`,
  idempotency_key_reused: ({ details }) =>
    details === undefined
      ? "If this is a retry, call the tool with exactly the arguments of the first attempt. If it is another request, use a new idempotency_key."
      : "If this is a retry, call create_order with exactly the arguments of the first attempt. If it is another purchase, use a new idempotency_key. get_quote_status with this idempotency_key shows what became of the first one.",
  insufficient_scope: ({ details, suggestion }, by) =>
    details?.["required"] === "account" ? (suggestion ?? "") : REMEDIES[by].scope,
  internal_error: () =>
    `Call the tool again with the very same arguments. create_order takes the same idempotency_key, too. ${CHECK_FIRST} If it goes on, give your user the request_id for the operator.`,
  invalid_api_key: (_, by) => REMEDIES[by].invalid,
  invoice_not_found: () => "Tell your user: invoices are in the member area, on its page Invoices.",
  missing_api_key: ({ recovery }) =>
    recovery === "correct"
      ? "Tell your user: the MCP client sends the API key where it is not read. Its settings are to send it as the message says."
      : `Tell your user that no key is configured: ${SET_KEY}.`,
  link_not_found: () => "Take link_id and order_id of the link from get_order_status.",
  not_cancellable: ({ details, suggestion }) =>
    details?.["order_id"] !== undefined && suggestion !== undefined
      ? suggestion
      : "Tell your user. get_quote_status says payment_pending until the bank debit is decided: then the order is placed, or the quote can be paid in another way or expires.",
  order_not_found: (_, by) =>
    `Find the order_id with list_orders. ${ofMode(by, "orders")} What is not paid for yet is no order: read it with get_quote_status.`,
  payment_processor_unavailable: (error) =>
    `Call create_order again ${pauseOf(error)} with the very same arguments: the same quote goes on. If you sent no idempotency_key and 10 minutes have passed, do not call it again, which could buy twice: read get_quote_status with the quote_id of \`details\` or of \`open_quotes\` in check_balance until it has a payment_url.`,
  project_not_found: () => "List the projects with list_ai_visibility_projects.",
  quote_not_found: ({ details }, by) => {
    const orderAgain = UNDER_NO_KEY.get(details?.["order_again"])
    if (orderAgain !== undefined) return orderAgain
    return `Take a quote_id of \`open_quotes\` in check_balance. create_order answered it, too. ${ofMode(by, "quotes")}`
  },
  quote_not_open: () =>
    "Read get_quote_status for what became of it. To buy after all, call create_order with a new idempotency_key.",
  rate_limited: (error) => `Call the tool again ${pauseOf(error)} with the same arguments, and slow down.`,
  revoked_api_key: (_, by) => REMEDIES[by].revoked,
  schema_too_new: (error) =>
    `Call the tool again ${pauseOf(error)} with the very same arguments: another instance of the service answers it. Nothing was written.`,
  site_not_found: () => "Find sites with search_sites, and use the `id` of one.",
  site_unavailable: () => "Choose another site with search_sites. Nothing was written.",
  spend_policy_refused: ({ details, suggestion }) =>
    details?.["rule"] === "credit_owed"
      ? "Nothing was written. Tell your user to top up at least what is owed (`details.owed_cents`): the next credit settles it. Then call create_order again with the same arguments. check_balance shows what is still owed as `owed_cents`."
      : (suggestion ?? "Ask your user, who set this limit, to change it or the order. Nothing was written."),
  store_unavailable: (error) =>
    `Call the tool again ${pauseOf(error)} with the very same arguments. create_order with the same idempotency_key is made once at most. ${CHECK_FIRST}`,
  too_many_reservations: ({ param }) =>
    `Tell your user which open quotes reserve this (\`details.open\`, or \`open_quotes\` of check_balance): each is paid or given up on the page at its payment_url, which get_quote_status shows, and expires at its expires_at. Then call create_order again, or now ${param === "promo_code" ? "without promo_code" : "with fewer insertions"}. An order that prepaid credit covers reserves nothing.`,
  validation_failed: () =>
    "Correct every entry of `errors` and call the tool again; nothing was bound to an idempotency_key sent along."
}

/** Suggestions that differ where there are tools for the days after a purchase. */
const FURTHER_SUGGESTIONS: Partial<Record<ErrorCode, Suggest>> = {
  spend_policy_refused: (error, by) =>
    error.details?.["rule"] === "credit_owed"
      ? "Nothing was written. Call request_top_up with at least what is owed (`details.owed_cents`) and pass on its `tell_user`: the next credit settles it. Then call create_order again with the same arguments. check_balance shows what is still owed as `owed_cents`."
      : (SUGGESTIONS.spend_policy_refused?.(error, by) ?? "")
}

/** The argument that a tool takes for what REST takes in a header. */
const paramOf = (param: string): string => (param === "Idempotency-Key" ? "idempotency_key" : param)

/** An error in the terms of a surface, for a caller by a key or by a connection. */
export type WordError = (body: ErrorBody, by?: CredentialKind) => ErrorBody

const inTermsOf = (suggestions: Partial<Record<ErrorCode, Suggest>>): WordError => {
  const byCode: ReadonlyMap<string, Suggest> = new Map(Object.entries(suggestions))
  return (body, by = "key") => {
    const { error } = body
    const suggestion = byCode.get(error.code)?.(error, by) ?? error.suggestion
    return {
      ...body,
      error: {
        ...error,
        ...(error.param === undefined ? {} : { param: paramOf(error.param) }),
        ...(suggestion === undefined ? {} : { suggestion })
      }
    }
  }
}

export const inTermsOfTools = inTermsOf(SUGGESTIONS)

export const inTermsOfAllTools = inTermsOf({ ...SUGGESTIONS, ...FURTHER_SUGGESTIONS })

const errorBodyOf = Schema.decodeUnknownOption(ErrorBody)

/** Words a refusal by `word` for what the caller presented; a success stays as it is. */
export const refusalWordedBy =
  (word: WordError) =>
  (by: CredentialKind) =>
  (response: JsonResponse): JsonResponse =>
    response.status < 400
      ? response
      : Option.match(errorBodyOf(response.body), {
          onNone: () => response,
          onSome: (body) => JsonResponse.fromBody(response.status, word(body, by), response.headers)
        })
