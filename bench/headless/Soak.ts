// The soak: many orders in rounds, each with its own service and every invariant checked at its end. Measures what an order costs in
// memory, and fails where memory grows from round to round.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Console, Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { LoadSize } from "../BenchCommand.ts"
import type { Violation } from "../events/BenchEvent.ts"
import type { Scenario } from "../scenarios/Scenario.ts"
import { simulate } from "../scenarios/Simulation.ts"

/** The invariants read every row of a round; with this many they take a second. */
const ORDERS_PER_ROUND = 5_000

/** Warm code and caches may add this much after the first round. */
const MAX_GROWTH_MB = 48

/** Sockets keep a round's memory for a moment, so the heap is measured again before it counts as grown. */
const MAX_MEASUREMENTS = 10
const MEASURE_AGAIN_AFTER = "1 second"

const MEGABYTE = 1_048_576

const makeHeapMeter = () => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  return (): number => {
    if (typeof collect === "function") collect()
    return process.memoryUsage().heapUsed / MEGABYTE
  }
}

const roundOf = (number: number, size: LoadSize): Scenario => ({
  name: `soak round ${number}`,
  title: `Round ${number}`,
  watch: "The books must add up.",
  customers: [],
  steps: [{ does: "load", ...size }]
})

const growthViolations = (heapsMb: ReadonlyArray<number>): ReadonlyArray<Violation> => {
  const [first = 0] = heapsMb
  const last = heapsMb.at(-1) ?? first
  if (last - first <= MAX_GROWTH_MB) return []
  const what = `${first.toFixed(0)} MB after the first round, ${last.toFixed(0)} MB after the last`
  return [{ rule: "memory stays level", what }]
}

/** Returns the number of violations. */
export const soak = Effect.fnUntraced(function* ({ actors, orders }: LoadSize, seed: number) {
  const heapMb = makeHeapMeter()
  const violations: Array<Violation> = []
  const heapsMb: Array<number> = []
  const heapAfterRoundMb = Effect.gen(function* () {
    const maxMb = (heapsMb[0] ?? Number.POSITIVE_INFINITY) + MAX_GROWTH_MB
    for (let count = 1; count < MAX_MEASUREMENTS && heapMb() > maxMb; count++) yield* Effect.sleep(MEASURE_AGAIN_AFTER)
    return heapMb()
  })
  for (let placed = 0, number = 1; placed < orders; number++) {
    const count = Math.min(ORDERS_PER_ROUND, orders - placed)
    const beganMs = performance.now()
    const beforeMb = heapMb()
    let fullMb = 0
    const found = yield* simulate(
      roundOf(number, { actors, orders: count }),
      (event) => {
        if (event._tag === "ScenarioEnded") fullMb = heapMb()
      },
      { seed }
    )
    violations.push(...found)
    placed += count
    const leftMb = yield* heapAfterRoundMb
    heapsMb.push(leftMb)
    const perSecond = Math.round((count / (performance.now() - beganMs)) * 1_000)
    const perOrderKb = ((fullMb - beforeMb) * 1_024) / count
    yield* Console.log(
      `${counted(placed, "order")}, ${perSecond} a second; ${perOrderKb.toFixed(1)} KB an order in the books, ${leftMb.toFixed(1)} MB left between rounds; ${counted(found.length, "finding")}`
    )
  }
  violations.push(...growthViolations(heapsMb))
  for (const { rule, what } of violations) yield* Console.log(`BROKEN ${rule}: ${what}`)
  const memory = heapsMb.length > 1 ? "memory stayed level" : "one round says nothing about memory"
  const verdict = violations.length === 0 ? `every invariant held; ${memory}` : counted(violations.length, "finding")
  yield* Console.log(`${counted(orders, "order")} of ${counted(actors, "agent")} with seed ${seed}: ${verdict}.`)
  return violations.length
})
