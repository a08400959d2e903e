// A pool of keep-alive connections to receivers. They are shared by origin and vetted addresses, so that a reused connection
// never leads to an address that was not vetted for this request.
import type { Agent } from "@effect/platform-node/Undici"
import { Array, Duration, Effect, RcMap, type Scope } from "effect"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { hostAddress, type VettedTarget } from "./VettedTarget.ts"

type Addresses = VettedTarget["addresses"]

export interface PooledAgent {
  readonly agent: Agent
  /** Whether any request has been answered: only then can one of its connections be a reused one. */
  hasResponded: boolean
}

const IDLE_TIMEOUT = Duration.seconds(30)

/** Neither origin nor address contains a space. Sorted, because a resolver may return the addresses in any order. */
const poolKeyOf = (origin: string, addresses: Addresses): string =>
  [origin, ...addresses.map(({ address }) => address).sort()].join(" ")

const open = Effect.fnUntraced(function* (key: string, trust: Trust) {
  const addresses = key.split(" ").slice(1).map(hostAddress)
  if (!Array.isReadonlyArrayNonEmpty(addresses)) return yield* Effect.die(`no address in "${key}"`)
  const agent = yield* pinnedDispatcher(addresses, trust, { reuse: true })
  return { agent, hasResponded: false } satisfies PooledAgent as PooledAgent // widened: `hasResponded` changes
})

/** Returns the function that gives a target's agent for the scope of one request. */
export const makeConnectionPool = (
  trust: Trust
): Effect.Effect<
  (origin: string, addresses: Addresses) => Effect.Effect<PooledAgent, never, Scope.Scope>,
  never,
  Scope.Scope
> =>
  Effect.map(
    RcMap.make({ lookup: (key: string) => open(key, trust), idleTimeToLive: IDLE_TIMEOUT }),
    (agents) => (origin, addresses) => RcMap.get(agents, poolKeyOf(origin, addresses))
  )
