// Plans are read from the server's log and summarised by how they reach their tables.
import { describe, expect, it } from "vitest"
import { readExplained } from "./ExplainedLog.ts"
import { summaries } from "./PlanSummary.ts"

const logged = (query: string, plan: object): string =>
  `2026-05-04 12:00:00.000 UTC [7] LOG:  duration: 0.031 ms  plan:\n${JSON.stringify(
    { "Query Text": query, Plan: plan },
    null,
    2
  )
    .split("\n")
    .map((line) => `\t${line}`)
    .join("\n")}\n`

const noise = "2026-05-04 12:00:00.000 UTC [7] LOG:  checkpoint starting: time\n"

const scan = (table: string, index?: string) => ({
  "Node Type": index === undefined ? "Seq Scan" : "Index Scan",
  "Relation Name": table,
  ...(index === undefined ? {} : { "Index Name": index })
})

const summaryOf = (log: string) => summaries(readExplained(log))

describe("a log of plans", () => {
  it("is summarised by statement, with the plans of all its runs", () => {
    const found = summaryOf(
      noise +
        logged("SELECT\n 1", { "Node Type": "Limit", Plans: [scan("orders", "orders_pkey")] }) +
        noise +
        logged("SELECT 2", scan("keys", "keys_by_hash")) +
        logged("SELECT\n 1", scan("orders"))
    )
    expect(found).toEqual([
      {
        query: "SELECT 1",
        times: 2,
        roots: ["Limit", "Seq Scan"],
        ways: ["orders: Index Scan orders_pkey", "orders: Seq Scan"],
        readWhole: ["orders"]
      },
      { query: "SELECT 2", times: 1, roots: ["Index Scan"], ways: ["keys: Index Scan keys_by_hash"], readWhole: [] }
    ])
  })

  it("names the indexes below a bitmap", () => {
    const bitmap = {
      "Node Type": "Bitmap Heap Scan",
      "Relation Name": "sites",
      Plans: [{ "Node Type": "Bitmap Index Scan", "Index Name": "sites_by_text" }]
    }
    expect(summaryOf(logged("SELECT 1", bitmap))[0]?.ways).toEqual(["sites: Bitmap Heap Scan sites_by_text"])
  })

  it("accepts a full read of the one-row table", () => {
    expect(summaryOf(logged("SELECT 1", scan("shop")))[0]?.readWhole).toEqual([])
  })

  it("omits the columns of rows, but not their subqueries", () => {
    const query = "SELECT json_build_object('a', (b.c), 'd', (SELECT json_build_object('e', 1) FROM f)) FROM b"
    expect(summaryOf(logged(query, scan("b")))[0]?.query).toBe(
      "SELECT row of ('a', (b.c), 'd', (SELECT row FROM f)) FROM b"
    )
  })
})
