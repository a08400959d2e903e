// The operator plane as the bench calls it: the same client and the same calls as the operator's command line.
import { randomUUID } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { makeOperatorClient, type OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { TestService } from "./TestService.ts"

/** The bench's name in the audit log. */
export const OPERATOR_NAME = "bench"

export class Operator extends Context.Service<Operator, OperatorClient>()("backlinks/bench/service/Operator") {}

export const layerAt = (url: string, token: Redacted.Redacted<string>) =>
  Layer.effect(Operator, makeOperatorClient({ url, token, actor: OPERATOR_NAME }))

export const layer = Layer.unwrap(Effect.map(TestService, ({ url, operatorToken }) => layerAt(url, operatorToken)))

interface Limits {
  /** Quotes a day; `null` takes the shop's cap. */
  readonly dailyOrderCap: number | null
  readonly approveAboveCents: number | null
}

/** A name as part of an email address or an id. */
export const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/** A key of the account that may order. */
export const issueKey = Effect.fnUntraced(function* (key: {
  readonly accountId: AccountId
  readonly mode: "live" | "sandbox"
  readonly label: string
  readonly limits: Limits
}) {
  const operator = yield* Operator
  const { text } = yield* operator.issueKey({ ...key, scopes: ["read", "order"] })
  return Redacted.make(text, { label: "agent's key" })
})

/** An account with a key, and a top-up where `creditCents` is not 0. Its address is new, because scenarios are repeated. */
export const openAccount = Effect.fnUntraced(function* (account: {
  readonly name: string
  readonly mode: "live" | "sandbox"
  readonly creditCents: number
  readonly limits: Limits
}) {
  const operator = yield* Operator
  const { name, mode, creditCents: cents, limits } = account
  const email = `${slug(name)}-${randomUUID()}@bench.example`
  const { accountId } = yield* operator.openAccount({ name, email })
  if (cents > 0) yield* operator.topUp({ accountId, cents, reference: `opening of ${name}` })
  return { accountId, email, apiKey: yield* issueKey({ accountId, mode, label: name, limits }) }
})
