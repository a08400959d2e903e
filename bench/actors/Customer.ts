// One customer on the bench: an account that the operator opened, its agent, and the human who pays. Made from a wish, and told.
import { Effect } from "effect"
import { EventBus } from "../events/EventBus.ts"
import type { Member } from "../scenarios/Scenario.ts"
import { openAccount } from "../service/Operator.ts"
import { Actors } from "./Actors.ts"
import { makeMcpAgent } from "./McpAgent.ts"
import { makePayer, type Payer } from "./Payer.ts"
import { type Agent, makeRestAgent, makeRestOnly, type RestOnly } from "./RestAgent.ts"

export interface Customer {
  readonly member: Member
  readonly accountId: string
  readonly agent: Agent
  readonly rest: RestOnly
  readonly payer: Payer
  /** `null` where it has none. */
  readonly webhookId: string | null
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

/** For as long as the scope is open. */
export const createCustomer = Effect.fnUntraced(function* (member: Member) {
  const { emit } = yield* EventBus
  const { serialised } = yield* Actors
  const { name, via, mode } = member
  const actorId = idOf(name)
  const payerId = `${actorId}-human`
  const { accountId, apiKey } = yield* Effect.orDie(serialised(openAccount(member)))
  emit({ _tag: "ActorJoined", actorId, kind: via === "mcp" ? "mcp-agent" : "agent", name, accountId, mode })
  emit({ _tag: "ActorJoined", actorId: payerId, kind: "payer", name: `${name}'s human`, accountId, mode })
  const identity = { actorId, apiKey }
  const rest = yield* makeRestOnly(identity)
  const agent = via === "mcp" ? yield* serialised(makeMcpAgent(identity)) : yield* makeRestAgent(identity, rest)
  const subscribed = member.webhook ? yield* rest.subscribe : null
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const leaving of [actorId, payerId]) emit({ _tag: "ActorLeft", actorId: leaving })
    })
  )
  const customer: Customer = {
    member,
    accountId,
    agent,
    rest,
    payer: yield* makePayer(payerId),
    webhookId: subscribed?.ok === true ? subscribed.body.id : null
  }
  return customer
})
