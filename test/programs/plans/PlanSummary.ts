// A summary of a statement's plans: how each table is reached, and whether a table that grows is read completely.
import type { Explained, PlanNode } from "./ExplainedLog.ts"

/** Tables of a few rows, which need no index. */
const SMALL = ["shop", "schema_steps", "schema_steps_ahead", "schema_definitions"]

export interface PlanSummary {
  /** The statement without its lists of JSON members. */
  readonly query: string
  readonly times: number
  /** The root nodes of the plans. */
  readonly roots: ReadonlyArray<string>
  /** Tables and how they are reached, such as `sites: Index Scan sites_pkey`. */
  readonly ways: ReadonlyArray<string>
  /** Tables that are read completely. */
  readonly readWhole: ReadonlyArray<string>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The index of a bitmap is in a node below the one that names the table. */
const wayOf = (node: PlanNode): ReadonlyArray<string> => {
  const { "Node Type": type, "Relation Name": table, "Index Name": index } = node
  if (table === undefined || !type.endsWith("Scan")) return []
  const indexes = index === undefined ? nodesOf(node).flatMap((below) => below["Index Name"] ?? []) : [index]
  return [[`${table}: ${type}`, ...new Set(indexes)].join(" ")]
}

const CALL = "json_build_object("

/** The position after the parenthesis that closes the one open before `from`. */
const closing = (text: string, from: number): number => {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at++) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0
  return at
}

/** Leaves out the columns of rows: a row is identified by its table. */
const shortened = (text: string): string => {
  const begin = text.indexOf(CALL)
  if (begin < 0) return text
  const end = closing(text, begin + CALL.length)
  const inside = text.slice(begin + CALL.length, end - 1)
  // Subqueries are kept.
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

/** One for each statement, in the order of their first run. */
export const summaries = (explained: ReadonlyArray<Explained>): ReadonlyArray<PlanSummary> => {
  const byQuery = Map.groupBy(explained, ({ query }) => query)
  return [...byQuery].map(([query, runs]) =>
    summaryOf(
      query,
      runs.map(({ plan }) => plan)
    )
  )
}
