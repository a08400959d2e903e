// Rules that JSON Schema cannot say, each with the sentence of the document that names it: a call that breaks none of the schemas may be
// refused for one of these alone, or for the state of things.
import type { FieldError } from "#adapters/contract/errors/ErrorBody.ts"
import { isObject, type JsonObject, type JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { bodySchema, type Operation, resolved } from "./DocumentedResponses.ts"

/** Codes about the state of things, which the responses of the operation name. */
const OF_STATE = new Set([
  ...["insufficient_scope", "spend_policy_refused"],
  ...["site_not_found", "quote_not_found", "order_not_found", "link_not_found", "webhook_not_found"],
  ...["delivery_not_found", "project_not_found", "invoice_not_found"],
  ...["site_unavailable", "amount_below_minimum", "article_unavailable", "price_above_limit", "too_many_reservations"],
  ...["quote_not_open", "not_cancellable", "not_changeable", "webhook_limit_reached", "invalid_transition"],
  ...["idempotency_key_reused", "promo_code_invalid", "article_site_mismatch", "webhook_url_refused", "rate_limited"]
])

type Rule = readonly [message: RegExp, sentence: RegExp, place?: string]

const RULES: ReadonlyArray<Rule> = [
  [/not a cursor of this list|belongs to other filters/, /Opaque position from `next_cursor`/],
  [/^Send either cursor or offset/, /Not together with `cursor`/, "offset"],
  [/^Must be a date or a time in UTC/, /A date or RFC 3339 in UTC/],
  [/^Must not be before/, /then or earlier/],
  [/^Finds one quote, so send no other parameter/, /With `idempotency_key` alone, the one quote/],
  [/^Must be a domain name/, /this domain or a name below it/],
  [/more than spaces and accents/, /accents/],
  [/format "insertion" takes an article_id|An insertion needs the article_id/, /Exactly when `format` is `insertion`/],
  [/is already in items/, /which takes one link/],
  [/^Must be an absolute http or https URL|^Must name a host|^Must not/, /absolute http or https, a public host name/],
  [/^Must (?:not )?contain/, /on one line.*visible|visible characters on one line|this `reference`/],
  [/has no such opportunity/, /opportunity of that project's plan/],
  [/^An opportunity_id needs the project_id/, /only together with `project_id`/],
  [/^Only a sandbox key/, /Sandbox keys only/],
  [/has no link/, /links of this order/],
  [/^Name at least one of/, /one (?:member )?at least/]
]

const memberAt = (schema: JsonObject, name: string): JsonObject => {
  const { properties, items } = resolved(schema)
  const inside = isObject(properties) ? properties[name] : undefined
  if (isObject(inside)) return inside
  return isObject(items) ? memberAt(items, name) : {}
}

/** All that the document says of the place: of the member or parameter, and of what it is within. */
const saidOf = (operation: Operation, path: string): string => {
  const parameter = operation.parameters.find(({ name }) => name === path)
  if (parameter !== undefined) return `${parameter.description} ${operation.description}`
  let schema: JsonObject = bodySchema(operation) ?? {}
  const said: Array<JsonValue | undefined> = [operation.description, schema["description"]]
  for (const name of path.replace(/\[\d+\]/g, "").split(".")) {
    schema = memberAt(schema, name)
    said.push(schema["description"], resolved(schema)["description"])
  }
  return said.join(" ")
}

/** `named`, or what the document does not say. */
export const namedRule = (operation: Operation, code: string, { path, message }: FieldError): string => {
  if (OF_STATE.has(code)) return "named"
  const rule = RULES.find(
    ([shown, sentence, place = path]) => shown.test(message) && sentence.test(saidOf(operation, place))
  )
  return rule === undefined ? `${code} at ${path} is not named: ${message}` : "named"
}
