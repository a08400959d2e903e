// The table of a run has every figure that the run measured, and no row for what it did not.
import { expect, it } from "vitest"
import { markdownTable } from "./MarkdownTable.ts"

const run = { command: "npm run load -- orders", commit: "1a2b3c4" }

it("has the command, the commit, the ratios and what a call costs each contender", () => {
  const cost = (all: number | null) => ({ node: all, postgres: all, all })
  const summary = {
    name: "orders",
    ...{ per_second: 4270, p50_ms: 29, p99_ms: 48.25 },
    ratios: { handwritten: 9.12, pgbench: null },
    cpu_us: { service: cost(313), handwritten: cost(3400), pgbench: cost(null) },
    wal_bytes: { service: 2750, handwritten: 18_000 }
  }
  expect(markdownTable(summary, run).split("\n")).toEqual([
    "| `npm run load -- orders` | 1a2b3c4 |",
    "| --- | --- |",
    "| per second | 4,270 |",
    "| p50, p99 | 29, 48.25 ms |",
    "| × handwritten | 9.12 |",
    "| processor time of a call, µs | service 313, handwritten 3,400 |",
    "| bytes of PostgreSQL's log | service 2,750, handwritten 18,000 |"
  ])
})
