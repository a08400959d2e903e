// The operator's desk as the bench uses it, over the operator plane's own calls: whoever publishes, tops up or opens an account
// here has no other way in than the operator's CLI has.
import { Context, Effect, Layer, Redacted } from "effect"
import { makeOperatorClient, type OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { House } from "./House.ts"

/** Who did it, in the audit log. */
export const ACTOR = "bench"

export class Desk extends Context.Service<Desk, OperatorClient>()("backlinks/bench/Desk") {}

/** At the service there. */
export const layerAt = (url: string, token: Redacted.Redacted<string>) =>
  Layer.effect(Desk, makeOperatorClient({ url, token, actor: ACTOR }))

/** At the service of the house. */
export const layer = Layer.unwrap(Effect.map(House, ({ url, operatorToken }) => layerAt(url, operatorToken)))

/** An account with a key, and credit where there is to be any. All that the operator does before an agent can begin. */
export const openHousehold = Effect.fnUntraced(function* (wish: {
  readonly name: string
  readonly mode: "live" | "sandbox"
  readonly creditCents: number
  /** Quotes a day; `null` leaves it to the shop. */
  readonly dailyOrderCap: number | null
}) {
  const desk = yield* Desk
  const { name, mode, creditCents: cents, dailyOrderCap } = wish
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}@bench.example`
  const { accountId } = yield* desk.openAccount({ name, email })
  if (cents > 0) yield* desk.topUp({ accountId, cents, reference: `opening of ${name}` })
  const limits = { maxOrderCents: null, maxDayCents: null, dailyOrderCap, allowedDomains: null }
  const { text } = yield* desk.issueKey({ accountId, mode, label: name, scopes: ["read", "order"], limits })
  return { accountId, apiKey: Redacted.make(text, { label: "agent's key" }) }
})
