// A customer of the bench: an account that the operator opened, its agent, and the human who pays and is its owner.
import { Effect } from "effect"
import type { AccountId, WebhookId } from "#core/domain/shared/Ids.ts"
import { EventBus } from "../events/EventBus.ts"
import type { CustomerSpec } from "../scenarios/Scenario.ts"
import { openAccount, slug } from "../service/Operator.ts"
import { Actors } from "./Actors.ts"
import { makeMcpAgent } from "./McpAgent.ts"
import { type Member, makeMember } from "./Member.ts"
import { makePayer, type Payer } from "./Payer.ts"
import { type Agent, makeRestAgent, makeRestCalls, type RestCalls } from "./RestAgent.ts"

export interface Customer {
  readonly spec: CustomerSpec
  readonly accountId: AccountId
  readonly agent: Agent
  readonly rest: RestCalls
  readonly payer: Payer
  readonly member: Member
  readonly webhookId: WebhookId | null
}

/** Lives as long as the scope. */
export const createCustomer = Effect.fnUntraced(function* (spec: CustomerSpec) {
  const { emit } = yield* EventBus
  const { serialised } = yield* Actors
  const { name, via, mode } = spec
  const actorId = slug(name)
  const payerId = `${actorId}-human`
  const { accountId, email, apiKey } = yield* Effect.orDie(serialised(openAccount(spec)))
  emit({ _tag: "ActorJoined", actorId, kind: via === "mcp" ? "mcp-agent" : "agent", name, accountId, mode })
  emit({ _tag: "ActorJoined", actorId: payerId, kind: "payer", name: `${name}'s human`, accountId, mode })
  const identity = { actorId, apiKey }
  const rest = yield* makeRestCalls(identity)
  const agent = via === "mcp" ? yield* serialised(makeMcpAgent(identity)) : yield* makeRestAgent(identity, rest)
  const subscribed = spec.webhook ? yield* rest.subscribe : null
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const id of [actorId, payerId]) emit({ _tag: "ActorLeft", actorId: id })
    })
  )
  const webhookId = subscribed?.ok === true ? subscribed.body.id : null
  const human = { payer: yield* makePayer(payerId), member: yield* makeMember(payerId, email) }
  const customer: Customer = { spec, accountId, agent, rest, ...human, webhookId }
  return customer
})
