// A statement's plans in a few words: how each table is reached, and whether a table that grows is read from end to end.
import type { Explained, PlanNode } from "./ExplainedLog.ts"

/** One row for the shop, and one for each step of the schema: nothing to find by an index. */
const SMALL = ["shop", "schema_steps"]

export interface PlanSummary {
  /** The statement, its lists of JSON members left out. */
  readonly query: string
  readonly times: number
  /** What the plans end with. */
  readonly roots: ReadonlyArray<string>
  /** Tables and how they are reached, such as `sites: Index Scan sites_pkey`. */
  readonly ways: ReadonlyArray<string>
  /** Tables that are read from end to end. */
  readonly readWhole: ReadonlyArray<string>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** An index may be read for a bitmap, below the node that names the table. */
const wayOf = (node: PlanNode): ReadonlyArray<string> => {
  const { "Node Type": type, "Relation Name": table, "Index Name": index } = node
  if (table === undefined || !type.endsWith("Scan")) return []
  const indexes = index === undefined ? nodesOf(node).flatMap((below) => below["Index Name"] ?? []) : [index]
  return [[`${table}: ${type}`, ...new Set(indexes)].join(" ")]
}

const CALL = "json_build_object("

/** Where the parenthesis that is open before `from` is closed. */
const closing = (text: string, from: number): number => {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at++) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0
  return at
}

/** Without what a row is made of once it is found: rows are told by their tables. */
const shortened = (text: string): string => {
  const begin = text.indexOf(CALL)
  if (begin < 0) return text
  const end = closing(text, begin + CALL.length)
  const inside = text.slice(begin + CALL.length, end - 1)
  // What holds look-ups of its own is worth reading.
  const shown = inside.includes("SELECT") ? `row of (${shortened(inside)})` : "row"
  return `${text.slice(0, begin)}${shown}${shortened(text.slice(end))}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const distinct = (values: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(values)].sort()

const summaryOf = (query: string, plans: ReadonlyArray<PlanNode>): PlanSummary => {
  const nodes = plans.flatMap(nodesOf)
  const wholes = nodes.filter((node) => node["Node Type"].endsWith("Seq Scan"))
  return {
    query: oneLine(shortened(query)),
    times: plans.length,
    roots: distinct(plans.map((plan) => plan["Node Type"])),
    ways: distinct(nodes.flatMap(wayOf)),
    readWhole: distinct(wholes.flatMap((node) => node["Relation Name"] ?? [])).filter((table) => !SMALL.includes(table))
  }
}

/** One for each statement, in the order in which they were first run. */
export const summaries = (explained: ReadonlyArray<Explained>): ReadonlyArray<PlanSummary> => {
  const byQuery = Map.groupBy(explained, ({ query }) => query)
  return [...byQuery].map(([query, runs]) =>
    summaryOf(
      query,
      runs.map(({ plan }) => plan)
    )
  )
}
