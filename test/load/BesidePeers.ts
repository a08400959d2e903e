// Drives the service and its peers with the same questions, in short rounds that take turns, so that whatever else the machine
// does falls on all of them alike. Options: `--connections N`, `--seconds N` for each of them in all, `--instances N`,
// `--sites N`.
import { parseArgs } from "node:util"
import { Console, Effect, type Redacted } from "effect"
import { execute } from "./DatabaseServer.ts"
import { drive, type Figures, figuresOf } from "./Drive.ts"
import type { Call } from "./Line.ts"
import { rounded, type Summary } from "./Load.ts"
import { type Bench, findPgbench, pgbench } from "./Pgbench.ts"

export interface Options {
  readonly connections: number
  /** Of each contender's rounds, one after another. */
  readonly seconds: number
  readonly instances: number
  /** Of the catalogue. */
  readonly sites: number
}

export const optionsFrom = (args: ReadonlyArray<string>): Effect.Effect<Options, string> =>
  Effect.try({
    try: () => {
      const options = {
        connections: { type: "string", default: "128" },
        seconds: { type: "string", default: "24" },
        instances: { type: "string", default: "1" },
        sites: { type: "string", default: "100000" }
      } as const
      const { connections, seconds, instances, sites } = parseArgs({ args: [...args], options }).values
      return {
        connections: Number(connections),
        seconds: Number(seconds),
        instances: Number(instances),
        sites: Number(sites)
      }
    },
    catch: (error) => `${String(error)}\nOptions: --connections 128, --seconds 24, --instances 1, --sites 100000`
  })

/** Somebody who answers HTTP calls. */
export interface Contender {
  readonly baseUrls: ReadonlyArray<string>
  /** The status that every call must be answered with. */
  readonly expected: number
  readonly call: (n: number) => Call
}

export interface Contest {
  readonly name: string
  readonly service: Contender
  readonly handwritten: Contender
  /** What pgbench runs, a file of `peers`, with as many clients as it does best with. */
  readonly script: Pick<Bench, "url" | "file" | "statements" | "variables" | "clients">
}

const ROUNDS = 4
const WARM_UP_SECONDS = 3

const SKIPPED = "pgbench is skipped: there is none on this machine (it comes with PostgreSQL's own packages)"

const show = (name: string, { perSecond, p50Ms, p99Ms, driverShare }: Figures): Effect.Effect<void> => {
  const latency = `p50 ${p50Ms.toFixed(1)} ms   p99 ${p99Ms.toFixed(1)} ms`
  const share = `driver ${(driverShare * 100).toFixed(0)} % of a core`
  return Console.log(`${name.padEnd(12)} ${perSecond.toFixed(0).padStart(7)}/s   ${latency}   ${share}`)
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Nobody's round pays for what the one before left to be written to disk. */
const tidyUp = (url: Redacted.Redacted) => execute(url, "CHECKPOINT")

const round = (contender: Contender, connections: number, seconds: number) =>
  Effect.tryPromise({
    try: () => drive(contender.baseUrls, { connections, seconds, expected: contender.expected }, contender.call),
    catch: (error) => String(error)
  })

const bench = (program: string, script: Contest["script"], seconds: number) =>
  Effect.tryPromise({
    try: () => pgbench({ ...script, program, seconds }),
    catch: (error) => String(error)
  })

/** Rounds in turn. Nobody but the contender of a round has anything to do meanwhile. */
const contend = Effect.fnUntraced(function* (contest: Contest, { connections, seconds }: Options) {
  const { service, handwritten, script } = contest
  const program = yield* Effect.promise(findPgbench)
  if (program === null) yield* Console.log(SKIPPED)
  // pgbench counts in whole seconds.
  const each = Math.max(1, Math.round(seconds / ROUNDS))
  for (const contender of [service, handwritten]) yield* round(contender, connections, WARM_UP_SECONDS)
  return yield* Effect.forEach(
    Array.from({ length: ROUNDS }),
    Effect.fnUntraced(function* () {
      yield* tidyUp(script.url)
      const served = yield* round(service, connections, each)
      yield* tidyUp(script.url)
      const byHand = yield* round(handwritten, connections, each)
      yield* tidyUp(script.url)
      return { served, byHand, benched: program === null ? null : yield* bench(program, script, each) }
    })
  )
})

/** How the service compares; a ratio is `null` where there was nobody to compare with. */
export const besidePeers = Effect.fnUntraced(function* (contest: Contest, options: Options) {
  const rounds = yield* contend(contest, options)
  const service = figuresOf(rounds.map(({ served }) => served))
  const handwritten = figuresOf(rounds.map(({ byHand }) => byHand))
  const benched = rounds.flatMap(({ benched }) => benched ?? [])
  yield* show("service", service)
  yield* show("handwritten", handwritten)
  if (benched.length > 0) yield* Console.log(`${"pgbench".padEnd(12)} ${mean(benched).toFixed(0).padStart(7)}/s`)
  const ratios = {
    handwritten: rounded(service.perSecond / handwritten.perSecond, 3),
    pgbench: benched.length === 0 ? null : rounded(service.perSecond / mean(benched), 3)
  }
  yield* Console.log(`beside handwritten ${ratios.handwritten}, beside pgbench ${ratios.pgbench ?? "unknown"}`)
  const summary: Summary = {
    name: contest.name,
    per_second: Math.round(service.perSecond),
    p50_ms: rounded(service.p50Ms),
    p99_ms: rounded(service.p99Ms),
    ratios
  }
  return { summary, service, handwritten }
})

/** In words, each ratio that is below its floor. */
export const missedBy = ({ name, ratios }: Summary, floors: Readonly<Record<string, number>>): ReadonlyArray<string> =>
  Object.entries(floors).flatMap(([peer, floor]) => {
    const ratio = ratios[peer] ?? null
    return ratio === null || ratio >= floor ? [] : [`${name}: ${ratio} of ${peer}, below ${floor}`]
  })
