// A customer of the bench: an account that the operator opened, its agents, and the human who pays and is its owner.
import { Effect, type Redacted } from "effect"
import type { AccountId, WebhookId } from "#core/domain/shared/Ids.ts"
import { EventBus } from "../events/EventBus.ts"
import type { CustomerSpec } from "../scenarios/Scenario.ts"
import { issueKey, openAccount, slug } from "../service/Operator.ts"
import { Actors } from "./Actors.ts"
import { type LaterCalls, makeLaterCalls } from "./LaterCalls.ts"
import { makeMcpAgent } from "./McpAgent.ts"
import { type Member, makeMember } from "./Member.ts"
import { makePayer, type Payer } from "./Payer.ts"
import { type Agent, makeRestAgent, makeRestCalls, type RestCalls } from "./RestAgent.ts"

export interface Customer {
  readonly spec: CustomerSpec
  readonly accountId: AccountId
  readonly agent: Agent
  readonly rest: RestCalls
  readonly later: LaterCalls
  readonly payer: Payer
  readonly member: Member
  readonly webhookId: WebhookId | null
}

const limitsOf = ({ dailyOrderCap, approveAboveCents }: CustomerSpec) => ({ dailyOrderCap, approveAboveCents })

/** An agent that buys with the key, as long as the scope lives. */
const agentWith = Effect.fnUntraced(function* (
  { name, via, mode }: CustomerSpec,
  accountId: AccountId,
  apiKey: Redacted.Redacted<string>
) {
  const { emit } = yield* EventBus
  const { serialised } = yield* Actors
  const actorId = slug(name)
  emit({ _tag: "ActorJoined", actorId, kind: via === "mcp" ? "mcp-agent" : "agent", name, accountId, mode })
  yield* Effect.addFinalizer(() => Effect.sync(() => emit({ _tag: "ActorLeft", actorId })))
  const identity = { actorId, apiKey }
  const rest = yield* makeRestCalls(identity)
  const agent = via === "mcp" ? yield* serialised(makeMcpAgent(identity)) : yield* makeRestAgent(identity, rest)
  return { agent, rest, later: yield* makeLaterCalls(identity, rest) }
})

/** Lives as long as the scope. */
export const createCustomer = Effect.fnUntraced(function* (spec: CustomerSpec) {
  const { emit } = yield* EventBus
  const { serialised } = yield* Actors
  const { name, mode } = spec
  const payerId = `${slug(name)}-human`
  const account = { ...spec, limits: limitsOf(spec) }
  const { accountId, email, apiKey } = yield* Effect.orDie(serialised(openAccount(account)))
  const agent = yield* agentWith(spec, accountId, apiKey)
  emit({ _tag: "ActorJoined", actorId: payerId, kind: "payer", name: `${name}'s human`, accountId, mode })
  yield* Effect.addFinalizer(() => Effect.sync(() => emit({ _tag: "ActorLeft", actorId: payerId })))
  const subscribed = spec.webhook ? yield* agent.rest.subscribe : null
  const webhookId = subscribed?.ok === true ? subscribed.body.id : null
  const human = { payer: yield* makePayer(payerId), member: yield* makeMember(payerId, email) }
  const customer: Customer = { spec, accountId, ...agent, ...human, webhookId }
  return customer
})

/** The customer as another agent of the account, which has its own key. */
export const addKey = Effect.fnUntraced(function* (customer: Customer, name: string) {
  const { serialised } = yield* Actors
  const { accountId } = customer
  const spec = { ...customer.spec, name }
  const key = { accountId, mode: spec.mode, label: name, limits: limitsOf(spec) }
  const apiKey = yield* Effect.orDie(serialised(issueKey(key)))
  return { ...customer, spec, ...(yield* agentWith(spec, accountId, apiKey)) }
})
