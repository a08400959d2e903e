// A server under load, and one round of calls to it.
import { Console, Effect, type Redacted } from "effect"
import { type CostPerCall, describeCost, withCost } from "./Costs.ts"
import { execute } from "./DatabaseServer.ts"
import { drive, type Figures } from "./Drive.ts"
import type { Call } from "./HttpConnection.ts"
import type { Server } from "./Servers.ts"

/** A server, or several of one kind. */
export interface Contender {
  readonly servers: ReadonlyArray<Server>
  /** The expected status of every call. */
  readonly expected: number
  readonly call: (n: number) => Call
}

/** The length of a first round that does not count. */
export const WARM_UP_SECONDS = 3

export const show = (name: string, { perSecond, p50Ms, p99Ms, driverShare }: Figures): Effect.Effect<void> => {
  const latency = `p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms`
  const share = `driver ${(driverShare * 100).toFixed(0)} % of a core`
  return Console.log(`${name.padEnd(12)} ${perSecond.toFixed(0).padStart(7)}/s   ${latency}   ${share}`)
}

/** Writes everything to disk, so that no round pays for the one before. */
export const checkpoint = (url: Redacted.Redacted) => execute(url, "CHECKPOINT")

export const round = (contender: Contender, connections: number, seconds: number) =>
  Effect.tryPromise({
    try: () =>
      drive(
        contender.servers.map(({ baseUrl }) => baseUrl),
        { connections, seconds, expected: contender.expected },
        contender.call
      ),
    catch: (error) => String(error)
  })

export const showCost = (name: string, cost: CostPerCall): Effect.Effect<void> =>
  Console.log(`${name.padEnd(12)} ${describeCost(cost)}`)

export const pidsOf = ({ servers }: Contender): ReadonlyArray<number> => servers.map(({ pid }) => pid)

/** A round, and what it cost the contender and its database. */
export const costedRound = (contender: Contender, url: Redacted.Redacted, connections: number, seconds: number) =>
  withCost(round(contender, connections, seconds), url, pidsOf(contender), ({ calls }) => calls)
