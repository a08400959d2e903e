// The operator's operator as the bench uses it, over the operator plane's own calls: whoever publishes, tops up or opens an account
// here has no other way in than the operator's CLI has.
import { Context, Effect, Layer, Redacted } from "effect"
import { makeOperatorClient, type OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { TestService } from "./TestService.ts"

/** Who did it, in the audit log. */
export const OPERATOR_NAME = "bench"

export class Operator extends Context.Service<Operator, OperatorClient>()("backlinks/bench/Operator") {}

/** At the service there. */
export const layerAt = (url: string, token: Redacted.Redacted<string>) =>
  Layer.effect(Operator, makeOperatorClient({ url, token, actor: OPERATOR_NAME }))

/** At the service of the house. */
export const layer = Layer.unwrap(Effect.map(TestService, ({ url, operatorToken }) => layerAt(url, operatorToken)))

/** An account with a key, and credit where there is to be any. All that the operator does before an agent can begin. */
export const openAccount = Effect.fnUntraced(function* (wish: {
  readonly name: string
  readonly mode: "live" | "sandbox"
  readonly creditCents: number
  /** Quotes a day; `null` leaves it to the shop. */
  readonly dailyOrderCap: number | null
}) {
  const operator = yield* Operator
  const { name, mode, creditCents: cents, dailyOrderCap } = wish
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}@bench.example`
  const { accountId } = yield* operator.openAccount({ name, email })
  if (cents > 0) yield* operator.topUp({ accountId, cents, reference: `opening of ${name}` })
  const limits = { maxOrderCents: null, maxDayCents: null, dailyOrderCap, allowedDomains: null }
  const { text } = yield* operator.issueKey({ accountId, mode, label: name, scopes: ["read", "order"], limits })
  return { accountId, apiKey: Redacted.make(text, { label: "agent's key" }) }
})
