// Connections kept open to receivers, for as long as there is something to send and a little longer. Each line belongs to one
// origin and the very addresses that were judged for it, so that reuse never reaches anywhere else.
import type { Agent } from "@effect/platform-node/Undici"
import { Array, Duration, Effect, RcMap, type Scope } from "effect"
import { pinnedDispatcher, type Trust } from "./PinnedDispatcher.ts"
import { hostAddress, type VettedTarget } from "./VettedTarget.ts"

export interface Line {
  readonly agent: Agent
  /** Whether anything ever came back: only then may a connection of it be an old one. */
  hasAnswered: boolean
}

const IDLE_FOR = Duration.seconds(30)

/** An origin and addresses hold no spaces. The order in which a resolver happens to answer makes no difference. */
const nameOf = ({ target, addresses }: VettedTarget): string =>
  [new URL(target.href).origin, ...addresses.map(({ address }) => address).sort()].join(" ")

const open = Effect.fnUntraced(function* (name: string, trust: Trust) {
  const addresses = name.split(" ").slice(1).map(hostAddress)
  if (!Array.isReadonlyArrayNonEmpty(addresses)) return yield* Effect.die(`no address in "${name}"`)
  const agent = yield* pinnedDispatcher(addresses, trust, { reuse: true })
  return { agent, hasAnswered: false } satisfies Line as Line // widened: it may answer yet
})

/** The line to a target, for the scope of one request. */
export const makeLines = (
  trust: Trust
): Effect.Effect<(target: VettedTarget) => Effect.Effect<Line, never, Scope.Scope>, never, Scope.Scope> =>
  Effect.map(
    RcMap.make({ lookup: (name: string) => open(name, trust), idleTimeToLive: IDLE_FOR }),
    (lines) => (target) => RcMap.get(lines, nameOf(target))
  )
