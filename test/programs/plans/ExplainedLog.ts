// Reads what PostgreSQL's `auto_explain` writes into the server's log: the plan of each statement, also within functions and for foreign
// keys.
import { Option, Schema } from "effect"

export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Plans?: ReadonlyArray<PlanNode>
}

const PlanNode: Schema.Codec<PlanNode> = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Index Name": Schema.optionalKey(Schema.String),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => PlanNode)))
})

const Entry = Schema.Struct({ "Query Text": Schema.String, Plan: PlanNode })

export interface Explained {
  readonly query: string
  readonly plan: PlanNode
}

/** For all later sessions on a database. Only a superuser can. */
export const explainEverything = (database: string): ReadonlyArray<string> =>
  Object.entries({
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json"
  }).map(([name, value]) => `ALTER DATABASE ${database} SET ${name} = '${value}'`)

const decodeEntry = Schema.decodeUnknownOption(Schema.fromJsonString(Entry))

/** The log's entries, each with the lines that continue it, which begin with a tab. */
const entries = (log: string): ReadonlyArray<string> => log.split(/\n(?!\t)/)

export const readExplained = (log: string): ReadonlyArray<Explained> =>
  entries(log).flatMap((entry) => {
    const [, json] = /duration: \S+ ms {2}plan:\n([\s\S]*)$/.exec(entry) ?? []
    if (json === undefined) return []
    return Option.match(decodeEntry(json.replaceAll(/^\t/gm, "")), {
      onNone: () => [],
      onSome: ({ "Query Text": query, Plan: plan }) => [{ query, plan }]
    })
  })
