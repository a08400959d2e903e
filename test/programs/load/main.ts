// `npm run load -- <name> [options]`: measures the service under load. With `--json` the last line is one JSON object, with `--markdown`
// the last lines are the table of the README. Exits with status 1 if a floor was missed.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect } from "effect"
import type { Load } from "./Load.ts"
import { headCommit, markdownTable } from "./MarkdownTable.ts"

const loads: Readonly<Record<string, () => Promise<{ readonly load: Load }>>> = {
  "account-orders": () => import("./AccountOrdersLoad.ts"),
  catalogue: () => import("./CatalogueLoad.ts"),
  "full-shop": () => import("./FullShopLoad.ts"),
  "hot-wallet": () => import("./HotWalletLoad.ts"),
  mcp: () => import("./McpLoad.ts"),
  neighbours: () => import("./NeighboursLoad.ts"),
  orders: () => import("./OrdersLoad.ts"),
  pauses: () => import("./PausesLoad.ts"),
  registrations: () => import("./RegistrationsLoad.ts"),
  webhooks: () => import("./WebhooksLoad.ts")
}

const usage = `Usage: npm run load -- ${Object.keys(loads).join(" | ")} [--json] [--markdown], and options of each: an unknown one, such as --help, lists them`

/** Options of every load. */
const FORMATS = ["--json", "--markdown"]

/** A usage error as its sentence, another error with its trace. */
const describeFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  return typeof error === "string" ? error : Cause.pretty(cause)
}

const main = Effect.gen(function* () {
  const [name = "", ...options] = process.argv.slice(2)
  const open = loads[name]
  if (open === undefined) return yield* Effect.fail(usage)
  const { load } = yield* Effect.promise(open)
  const { summary, missed } = yield* load(options.filter((option) => !FORMATS.includes(option)))
  if (missed.length === 0) yield* Console.log("no floor was missed")
  for (const floor of missed) yield* Console.error(`floor missed: ${floor}`)
  if (options.includes("--json")) yield* Console.log(JSON.stringify(summary))
  if (options.includes("--markdown")) {
    const command = ["npm run load --", name, ...options.filter((option) => !FORMATS.includes(option))].join(" ")
    yield* Console.log(markdownTable(summary, { command, commit: headCommit() }))
  }
  if (missed.length > 0) process.exitCode = 1
}).pipe(Effect.tapCause((cause) => Console.error(describeFailure(cause))))

NodeRuntime.runMain(main, { disableErrorReporting: true })
