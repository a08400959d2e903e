// What the steps of a running scenario share: its customers and orders, and how a result is compared with what the scenario expects.
import { Effect } from "effect"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { OrderId, QuoteId, type WebhookId } from "#core/domain/shared/Ids.ts"
import type { StepResult } from "../actors/Actors.ts"
import type { OpenPage } from "../actors/Browser.ts"
import type { Customer } from "../actors/Customer.ts"
import type { Publisher } from "../actors/Publisher.ts"

interface SentOrder {
  readonly customer: Customer
  readonly request: OrderRequest
  readonly key: string
  /** `null` where it was refused. */
  readonly body: QuoteResponse | null
  /** The payment page, once the human has opened it. */
  readonly page: OpenPage | null
}

export interface ScenarioContext {
  /** Keys are their names, and those of their further agents. */
  readonly customers: Map<string, Customer>
  readonly publisher: Publisher
  /** How many events of this type the webhook's receiver accepted. */
  readonly received: (webhookId: WebhookId | null, event: string) => number
  /** Keys are the names that the scenario gives them. */
  readonly orders: Map<string, SentOrder>
  readonly violate: (what: string) => void
}

/** Fields whose value is not the expected one, in words; empty if all are as expected. */
export const differences = (
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>
): string =>
  Object.entries(expected)
    .filter(([field, value]) => value !== undefined && actual[field] !== value)
    .map(([field, value]) => `${field} is ${actual[field]} instead of ${value}`)
    .join(", ")

/** Why it was refused; empty where it was not. */
export const refusal = (result: StepResult<unknown>): string => (result.ok ? "" : `${result.code}: ${result.message}`)

export const compare = <A>(
  result: StepResult<A>,
  expected: Readonly<Record<string, unknown>>,
  actual: (body: A) => Readonly<Record<string, unknown>>
): string => (result.ok ? differences(expected, actual(result.body)) : refusal(result))

export const lookUp = <A>(all: ReadonlyMap<string, A>, name: string): A => {
  const found = all.get(name)
  if (found === undefined) throw new Error(`The scenario has nothing called ${name}.`)
  return found
}

export const quoteIdOf = ({ orders }: ScenarioContext, name: string): QuoteId =>
  lookUp(orders, name).body?.quote_id ?? QuoteId.make("none")

/** Asks the quote where the response had no order yet. */
export const orderIdOf = Effect.fnUntraced(function* (context: ScenarioContext, name: string) {
  const { customer, body } = lookUp(context.orders, name)
  if (body?.order_id !== undefined) return body.order_id
  const quote = yield* customer.agent.quote(quoteIdOf(context, name))
  return (quote.ok ? quote.body.order_id : null) ?? OrderId.make("none")
})
