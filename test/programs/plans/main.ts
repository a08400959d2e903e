// Prints the plan of every statement of the service on a database with many rows: `node test/programs/plans/main.ts [--rows N]`, by default
// 200,000. Exits with status 1 if a table that grows is read completely.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer } from "effect"
import { embeddedServer } from "#adapters/postgres/embedded/EmbeddedServer.ts"
import { buyAndCancel, manageKeysAndWebhooks, unusedNumbers } from "#test/adapters/postgres/AllOperations.ts"
import { readEverything, searchCatalogue } from "#test/adapters/postgres/AllReads.ts"
import { bulkInserts } from "#test/adapters/postgres/BulkRows.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { execute } from "#test/adapters/postgres/TestDatabase.ts"
import { temporaryFolder } from "#test/programs/load/DatabaseServer.ts"
import { explainEverything, readExplained } from "./ExplainedLog.ts"
import { type PlanSummary, summaries } from "./PlanSummary.ts"

/** The database that an embedded server begins with. */
const DATABASE = "postgres"

const explained = Effect.fnUntraced(function* (rows: number) {
  const folder = yield* temporaryFolder
  const url = yield* embeddedServer(folder)
  const session = Layer.merge(storeInstance(url), unusedNumbers)
  yield* Effect.scoped(Layer.build(session))
  yield* execute(url, ...bulkInserts(rows))
  yield* execute(url, ...explainEverything(DATABASE))
  yield* Effect.all([buyAndCancel, manageKeysAndWebhooks, searchCatalogue, readEverything]).pipe(
    Effect.provide(session)
  )
  const log = yield* Effect.promise(() => readFile(join(folder, "postgres", "postgres.log"), "utf8"))
  return summaries(readExplained(log))
}, Effect.scoped)

const show = ({ query, times, roots, ways, readWhole }: PlanSummary): string =>
  [
    query,
    `  run ${times} times, ends with ${roots.join(" or ")}`,
    ...ways.map((way) => `  ${way}`),
    ...readWhole.map((table) => `  READS THE WHOLE TABLE ${table}`)
  ].join("\n")

const main = Effect.gen(function* () {
  const { values } = parseArgs({ options: { rows: { type: "string", default: "200000" } } })
  const found = yield* explained(Number(values.rows))
  yield* Console.log(found.map(show).join("\n\n"))
  const bad = found.filter(({ readWhole }) => readWhole.length > 0).length
  yield* Console.log(`\n${found.length} statements, ${bad} of them read a growing table completely`)
  if (bad > 0) process.exitCode = 1
})

NodeRuntime.runMain(main)
