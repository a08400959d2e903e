// A crowd for hours: many orders in rounds, each with a service of its own, and every law of the books at the end of each. The
// books of a round are kept in memory, so what an order costs there is measured; between rounds nothing may be left behind.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Console, Effect } from "effect"
import { counted } from "#core/domain/Counted.ts"
import type { Crowd } from "../BenchFlags.ts"
import type { Finding } from "../events/BenchEvent.ts"
import type { Scenario } from "../scenarios/Scenario.ts"
import { simulate } from "../scenarios/Simulation.ts"

/** Few enough that the laws, which look at all of a round, take a second. */
const ORDERS_A_ROUND = 5_000

/** What warm code and caches may add after the first round. */
const LEVEL_WITHIN_MB = 48

const MOST_LOOKS = 10
const LOOK_AGAIN_AFTER = "1 second"

const MEGABYTE = 1_048_576

const makeCollector = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  return typeof collect === "function" ? () => void collect() : () => undefined
}

const round = (nth: number, crowd: Crowd): Scenario => ({
  name: `soak round ${nth}`,
  title: `Round ${nth}`,
  watch: "The books must add up.",
  cast: [],
  steps: [{ does: "crowd", ...crowd }]
})

const level = (heapsMb: ReadonlyArray<number>): ReadonlyArray<Finding> => {
  const [first = 0] = heapsMb
  const last = heapsMb.at(-1) ?? first
  if (last - first <= LEVEL_WITHIN_MB) return []
  return [
    {
      rule: "memory stays level",
      what: `${first.toFixed(0)} MB after the first round, ${last.toFixed(0)} MB after the last`
    }
  ]
}

/** How many findings there were. */
export const soak = Effect.fnUntraced(function* ({ actors, orders }: Crowd, seed: number) {
  const collect = makeCollector()
  const heapMb = () => {
    collect()
    return process.memoryUsage().heapUsed / MEGABYTE
  }
  const findings: Array<Finding> = []
  const heapsMb: Array<number> = []
  /** Sockets of a round may hold on to it for a moment; what is still there after that has been left behind. */
  const leftMb = Effect.gen(function* () {
    const mostMb = (heapsMb[0] ?? Number.POSITIVE_INFINITY) + LEVEL_WITHIN_MB
    for (let looks = 1; looks < MOST_LOOKS && heapMb() > mostMb; looks++) yield* Effect.sleep(LOOK_AGAIN_AFTER)
    return heapMb()
  })
  for (let done = 0, nth = 1; done < orders; nth++) {
    const count = Math.min(ORDERS_A_ROUND, orders - done)
    const beganMs = performance.now()
    let fullMb = 0
    const before = heapMb()
    const found = yield* simulate(
      round(nth, { actors, orders: count }),
      (event) => {
        if (event._tag === "ScenarioEnded") fullMb = heapMb()
      },
      { seed }
    )
    findings.push(...found)
    done += count
    heapsMb.push(yield* leftMb)
    const perSecond = Math.round((count / (performance.now() - beganMs)) * 1_000)
    const perOrderKb = ((fullMb - before) * 1_024) / count
    yield* Console.log(
      `${counted(done, "order")}, ${perSecond} a second; ${perOrderKb.toFixed(1)} KB an order in the books, ${heapsMb.at(-1)?.toFixed(1)} MB left between rounds; ${counted(found.length, "finding")}`
    )
  }
  findings.push(...level(heapsMb))
  for (const { rule, what } of findings) yield* Console.log(`BROKEN ${rule}: ${what}`)
  const memory = heapsMb.length > 1 ? "memory stayed level" : "one round says nothing about memory"
  const verdict = findings.length === 0 ? `every invariant held; ${memory}` : counted(findings.length, "finding")
  yield* Console.log(`${counted(orders, "order")} of ${counted(actors, "agent")} with seed ${seed}: ${verdict}.`)
  return findings.length
})
