// Who is driven under load, and a round of it. Several take turns in short rounds, so that whatever else the machine does falls on all of
// them alike.
import { Console, Effect, type Redacted } from "effect"
import { execute } from "./DatabaseServer.ts"
import { drive, type Figures } from "./Drive.ts"
import type { Call } from "./HttpConnection.ts"
import type { Server } from "./Servers.ts"

/** Somebody who answers HTTP calls. */
export interface Contender {
  readonly servers: ReadonlyArray<Server>
  /** The status that every call must be answered with. */
  readonly expected: number
  readonly call: (n: number) => Call
}

/** Of a first round that does not count. */
export const WARM_UP_SECONDS = 3

export const show = (name: string, { perSecond, p50Ms, p99Ms, driverShare }: Figures): Effect.Effect<void> => {
  const latency = `p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms`
  const share = `driver ${(driverShare * 100).toFixed(0)} % of a core`
  return Console.log(`${name.padEnd(12)} ${perSecond.toFixed(0).padStart(7)}/s   ${latency}   ${share}`)
}

/** Nobody's round pays for what the one before left to be written to disk. */
export const tidyUp = (url: Redacted.Redacted) => execute(url, "CHECKPOINT")

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
