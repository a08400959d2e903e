// Measures the service beside its peers, or alone, with the same calls in short rounds that alternate, so that other work on the machine
// affects all of them alike. Also reports the memory of its processes.
import { Console, Effect, type Redacted } from "effect"
import { type Contender, checkpoint, costedRound, pidsOf, round, show, showCost, WARM_UP_SECONDS } from "./Contender.ts"
import { type CostPerCall, costPerCall, withCost } from "./Costs.ts"
import { figuresOf } from "./Drive.ts"
import { rounded, type Summary } from "./Load.ts"
import type { Options } from "./Options.ts"
import { type Bench, type Benched, findPgbench, pgbench } from "./Pgbench.ts"
import { type MemoryRange, memoryRange, withMemoryReadings } from "./ResidentMemory.ts"

export interface Peers {
  readonly handwritten: Contender
  /** What pgbench runs, with the number of clients that is fastest. */
  readonly script: Omit<Bench, "program" | "seconds">
}

export interface Comparison {
  readonly name: string
  /** The service's database. */
  readonly url: Redacted.Redacted
  readonly service: Contender
  /** `null` if the service runs alone. */
  readonly peers: Peers | null
}

const SKIPPED = "pgbench is skipped: it is not installed (it comes with PostgreSQL's packages)"

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The database has no server beside PostgreSQL. */
const bench = Effect.fnUntraced(function* (program: string | null, script: Peers["script"], seconds: number) {
  if (program === null) return null
  yield* checkpoint(script.url)
  const run = Effect.tryPromise({
    try: () => pgbench({ ...script, program, seconds }),
    catch: (error) => String(error)
  })
  return yield* withCost(run, script.url, [], ({ calls }) => calls)
})

const meanRate = (benched: ReadonlyArray<{ readonly result: Benched }>): number | null =>
  benched.length === 0 ? null : mean(benched.map(({ result }) => result.perSecond))

/** One round of the peers, one after the other. */
const peersRound = Effect.fnUntraced(function* (
  { handwritten, script }: Peers,
  program: string | null,
  connections: number,
  seconds: number
) {
  yield* checkpoint(script.url)
  return {
    byHand: yield* costedRound(handwritten, script.url, connections, seconds),
    benched: yield* bench(program, script, seconds)
  }
})

/** Alternating rounds. */
const alternateRounds = Effect.fnUntraced(function* ({ url, service, peers }: Comparison, options: Options) {
  const { connections, seconds, rounds } = options
  const program = peers === null ? null : yield* Effect.promise(findPgbench)
  if (peers !== null && program === null) yield* Console.log(SKIPPED)
  // pgbench takes whole seconds.
  const each = Math.max(1, Math.round(seconds / rounds))
  for (const contender of peers === null ? [service] : [service, peers.handwritten])
    yield* round(contender, connections, WARM_UP_SECONDS)
  return yield* Effect.forEach(
    Array.from({ length: rounds }),
    Effect.fnUntraced(function* () {
      yield* checkpoint(url)
      const { result: served, memoryMb } = yield* withMemoryReadings(
        costedRound(service, url, connections, each),
        pidsOf(service)
      )
      return { served, memoryMb, ofPeers: peers === null ? null : yield* peersRound(peers, program, connections, each) }
    })
  )
})

/** `null` without the other. */
const ratio = (one: number, another: number | null): number | null =>
  another === null ? null : rounded(one / another, 3)

const showMemory = (halves: ReadonlyArray<MemoryRange | null>): Effect.Effect<void> =>
  Console.log(
    `service memory, by halves of the run: ${halves
      .map((held) => (held === null ? "unknown" : `${held.low} to ${held.high} MB, on average ${held.mean}`))
      .join("; ")}`
  )

/** The summary of a comparison. The ratio to a missing peer is `null`. */
export const compareWithPeers = Effect.fnUntraced(function* (compare: Comparison, options: Options) {
  const rounds = yield* alternateRounds(compare, options)
  const service = figuresOf(rounds.map(({ served }) => served.result))
  const byHand = rounds.flatMap(({ ofPeers }) => ofPeers?.byHand ?? [])
  const handwritten = byHand.length === 0 ? null : figuresOf(byHand.map(({ result }) => result))
  const benched = rounds.flatMap(({ ofPeers }) => ofPeers?.benched ?? [])
  const pgbenched = meanRate(benched)
  const readings = rounds.flatMap((each) => each.memoryMb)
  const half = Math.ceil(readings.length / 2)
  const memoryMb = [memoryRange(readings.slice(0, half)), memoryRange(readings.slice(half))] as const
  yield* show("service", service)
  if (handwritten !== null) yield* show("handwritten", handwritten)
  if (pgbenched !== null) yield* Console.log(`${"pgbench".padEnd(12)} ${pgbenched.toFixed(0).padStart(7)}/s`)
  const ratios = {
    handwritten: ratio(service.perSecond, handwritten?.perSecond ?? null),
    pgbench: ratio(service.perSecond, pgbenched)
  }
  const costs = Object.entries({
    service: rounds.map(({ served }) => served),
    handwritten: byHand,
    pgbench: benched
  })
    .filter(([, measured]) => measured.length > 0)
    .map(([contender, measured]) => [contender, costPerCall(measured.map(({ cost }) => cost))] as const)
  for (const [contender, cost] of costs) yield* showCost(contender, cost)
  const eachOf = <A>(figure: (cost: CostPerCall) => A) =>
    Object.fromEntries(costs.map(([contender, cost]) => [contender, figure(cost)]))
  if (ratios.handwritten !== null)
    yield* Console.log(`beside handwritten ${ratios.handwritten}, beside pgbench ${ratios.pgbench ?? "unknown"}`)
  yield* showMemory(memoryMb)
  return {
    name: compare.name,
    per_second: Math.round(service.perSecond),
    p50_ms: rounded(service.p50Ms),
    p99_ms: rounded(service.p99Ms),
    ratios,
    cpu_us: eachOf(({ cpu_us }) => cpu_us),
    wal_bytes: eachOf(({ wal_bytes }) => wal_bytes),
    disk_bytes: eachOf(({ disk_bytes }) => disk_bytes),
    memory_mb: memoryMb
  } satisfies Summary
})

/** A sentence for each ratio below its floor. */
export const missedFloors = (
  { name, ratios }: Summary,
  floors: Readonly<Record<string, number>>
): ReadonlyArray<string> =>
  Object.entries(floors).flatMap(([peer, floor]) => {
    const ratio = ratios[peer] ?? null
    return ratio === null || ratio >= floor ? [] : [`${name}: ${ratio} of ${peer}, below ${floor}`]
  })
