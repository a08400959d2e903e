// Processor times of a process from the kernel's text, and costs per call from the totals of rounds.
import { expect, it } from "vitest"
import { costPerCall, processTimes } from "./Costs.ts"

it("reads parent and times behind a name with spaces and parentheses", () => {
  const stat = "42 (postgres: (a) b) S 7 42 42 0 -1 4194560 1 2 3 4 150 25 300 40 20 0 1 0 99"
  expect(processTimes(stat)).toEqual({ parent: 7, ownMs: 1_750, endedMs: 3_400 })
  expect(processTimes("")).toBeNull()
})

it("divides the totals of all rounds by all calls", () => {
  const round = { calls: 100, nodeMs: 30, postgresMs: 20, walBytes: 1_000, diskBytes: 500 }
  expect(costPerCall([round, { ...round, calls: 300, nodeMs: 90 }])).toEqual({
    cpu_us: { node: 300, postgres: 100, all: 400 },
    wal_bytes: 5,
    disk_bytes: 3
  })
})

it("does not know the costs of a server on another machine", () => {
  const remote = { calls: 10, nodeMs: 30, postgresMs: null, walBytes: 100, diskBytes: 50 }
  expect(costPerCall([remote]).cpu_us).toEqual({ node: 3_000, postgres: null, all: null })
})
