// A simulation repeats to the byte from its seed, finds nothing in a correct service, and finds an injected bug.
import { Effect } from "effect"
import { expect, it } from "vitest"
import { linesOf } from "#bench/headless/Transcript.ts"
import type { Scenario } from "#bench/scenarios/Scenario.ts"
import { scenarios } from "#bench/scenarios/Scenarios.ts"
import { type SimulationOptions, simulate } from "#bench/scenarios/Simulation.ts"
import * as LeakyHoldOrderBook from "./LeakyHoldOrderBook.ts"

const named = (name: string): Scenario => {
  const scenario = scenarios.find((one) => one.name === name)
  if (scenario === undefined) throw new Error(`no scenario ${name}`)
  return scenario
}

const load: Scenario = { ...named("rush-hour"), steps: [{ does: "load", actors: 4, orders: 10 }] }

const run = async (scenario: Scenario, options: SimulationOptions) => {
  const lines: Array<string> = []
  const simulation = simulate(scenario, (event) => void lines.push(...linesOf(event)), options)
  const findings = await Effect.runPromise(simulation)
  return { transcript: lines.join("\n"), findings }
}

it("repeats load to the byte from the same seed, and not from another", async () => {
  const first = await run(load, { seed: 7 })
  const again = await run(load, { seed: 7 })
  const other = await run(load, { seed: 8 })
  expect(again.transcript).toBe(first.transcript)
  expect(other.transcript).not.toBe(first.transcript)
  expect([first.findings, other.findings]).toEqual([[], []])
  expect(first.transcript).toContain("signature verified")
})

it("books a top-up once whose button was pressed twice, and repeats it to the byte", async () => {
  const first = await run(named("top-up"), { seed: 1 })
  expect(first.findings).toEqual([])
  expect(first.transcript.match(/ top_up 50\.00 EUR/g)).toHaveLength(1)
  expect(first.transcript.match(/presses the pay button/g)).toHaveLength(2)
  expect((await run(named("top-up"), { seed: 1 })).transcript).toBe(first.transcript)
})

it("asks the human of a scenario, whose decision the timeline and the agent are told", async () => {
  const { transcript, findings } = await run(named("approval"), { seed: 1 })
  expect(findings).toEqual([])
  expect(transcript.match(/; waits for approval/g)).toHaveLength(4)
  expect(transcript.match(/ approved$/gm)).toHaveLength(2)
  expect(transcript).toMatch(/ declined \(human\)/)
  expect(transcript).toMatch(/ abandoned \(expiry\)/)
})

it("finds an order book that never releases held credit", async () => {
  const { findings } = await run(named("abandoned"), { seed: 1, fault: LeakyHoldOrderBook.layer })
  const rules = new Set(findings.map(({ rule }) => rule))
  expect(rules).toContain("hold_fits_quote")
  expect(rules).toContain("scenario abandoned")
})
