// Drives the service and its peers with the same questions, in short rounds that take turns, so that whatever else the machine
// does falls on all of them alike; or, if so asked, the service alone. Also tells what memory its processes hold.
import { Console, Effect, type Redacted } from "effect"
import { type Contender, round, show, tidyUp, WARM_UP_SECONDS } from "./Contender.ts"
import { figuresOf } from "./Drive.ts"
import { rounded, type Summary } from "./Load.ts"
import { type Held, heldOf, watched } from "./ResidentMemory.ts"
import type { Options } from "./Options.ts"
import { type Bench, findPgbench, pgbench } from "./Pgbench.ts"

export interface Peers {
  readonly handwritten: Contender
  /** What pgbench runs, a file of `peers`, with as many clients as it does best with. */
  readonly script: Pick<Bench, "url" | "file" | "statements" | "variables" | "clients">
}

export interface Contest {
  readonly name: string
  /** Of the service's database, on the server that is everybody's. */
  readonly url: Redacted.Redacted
  readonly service: Contender
  /** `null` where the service is alone. */
  readonly peers: Peers | null
}

const SKIPPED = "pgbench is skipped: there is none on this machine (it comes with PostgreSQL's own packages)"

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const bench = (program: string, script: Peers["script"], seconds: number) =>
  Effect.tryPromise({
    try: () => pgbench({ ...script, program, seconds }),
    catch: (error) => String(error)
  })

/** What is asked of the peers in a round. Nobody but whose turn it is has anything to do meanwhile. */
const peersTurn = Effect.fnUntraced(function* (
  { handwritten, script }: Peers,
  program: string | null,
  connections: number,
  seconds: number
) {
  yield* tidyUp(script.url)
  const byHand = yield* round(handwritten, connections, seconds)
  yield* tidyUp(script.url)
  return { byHand, benched: program === null ? null : yield* bench(program, script, seconds) }
})

/** Rounds in turn. */
const contend = Effect.fnUntraced(function* ({ url, service, peers }: Contest, options: Options) {
  const { connections, seconds, rounds } = options
  const program = peers === null ? null : yield* Effect.promise(findPgbench)
  if (peers !== null && program === null) yield* Console.log(SKIPPED)
  // pgbench counts in whole seconds.
  const each = Math.max(1, Math.round(seconds / rounds))
  for (const contender of peers === null ? [service] : [service, peers.handwritten])
    yield* round(contender, connections, WARM_UP_SECONDS)
  return yield* Effect.forEach(
    Array.from({ length: rounds }),
    Effect.fnUntraced(function* () {
      yield* tidyUp(url)
      const pids = service.servers.map(({ pid }) => pid)
      const { result: served, memoryMb } = yield* watched(round(service, connections, each), pids)
      return { served, memoryMb, ofPeers: peers === null ? null : yield* peersTurn(peers, program, connections, each) }
    })
  )
})

/** Of one over another, where there is another. */
const ratio = (one: number, another: number | null): number | null =>
  another === null ? null : rounded(one / another, 3)

const showMemory = (halves: ReadonlyArray<Held | null>): Effect.Effect<void> =>
  Console.log(
    `service memory, halves of the time: ${halves
      .map((held) => (held === null ? "unknown" : `${held.low} to ${held.high} MB, on average ${held.mean}`))
      .join("; ")}`
  )

/** How the service compares; a ratio is `null` where there was nobody to compare with. */
export const besidePeers = Effect.fnUntraced(function* (contest: Contest, options: Options) {
  const rounds = yield* contend(contest, options)
  const service = figuresOf(rounds.map(({ served }) => served))
  const byHand = rounds.flatMap(({ ofPeers }) => ofPeers?.byHand ?? [])
  const handwritten = byHand.length === 0 ? null : figuresOf(byHand)
  const benched = rounds.flatMap(({ ofPeers }) => ofPeers?.benched ?? [])
  const pgbenched = benched.length === 0 ? null : mean(benched)
  const readings = rounds.flatMap((each) => each.memoryMb)
  const half = Math.ceil(readings.length / 2)
  const memoryMb = [heldOf(readings.slice(0, half)), heldOf(readings.slice(half))] as const
  yield* show("service", service)
  if (handwritten !== null) yield* show("handwritten", handwritten)
  if (pgbenched !== null) yield* Console.log(`${"pgbench".padEnd(12)} ${pgbenched.toFixed(0).padStart(7)}/s`)
  const ratios = {
    handwritten: ratio(service.perSecond, handwritten?.perSecond ?? null),
    pgbench: ratio(service.perSecond, pgbenched)
  }
  if (ratios.handwritten !== null)
    yield* Console.log(`beside handwritten ${ratios.handwritten}, beside pgbench ${ratios.pgbench ?? "unknown"}`)
  yield* showMemory(memoryMb)
  return {
    name: contest.name,
    per_second: Math.round(service.perSecond),
    p50_ms: rounded(service.p50Ms),
    p99_ms: rounded(service.p99Ms),
    ratios,
    memory_mb: memoryMb
  } satisfies Summary
})

/** In words, each ratio that is below its floor. */
export const missedBy = ({ name, ratios }: Summary, floors: Readonly<Record<string, number>>): ReadonlyArray<string> =>
  Object.entries(floors).flatMap(([peer, floor]) => {
    const ratio = ratios[peer] ?? null
    return ratio === null || ratio >= floor ? [] : [`${name}: ${ratio} of ${peer}, below ${floor}`]
  })
