// Pages for operators against the code: the tables of settings and of metrics are complete, and no entry is extra.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { ConfigProvider, Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { mcpSettings, settings } from "#adapters/config/Settings.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const textOf = (page: string): string => readFileSync(join(root, page), "utf8")

const section = (text: string, title: string): string =>
  (text.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? ""

/** The names in the first column of the tables. */
const namesIn = (text: string, name: RegExp): ReadonlyArray<string> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => line.split("|")[1]?.match(name) ?? [])

/** The name of every variable that a configuration reads. */
const asked = (config: {
  readonly parse: (provider: ConfigProvider.ConfigProvider) => Effect.Effect<unknown, unknown>
}) => {
  const names = new Set<string>()
  const env = ConfigProvider.fromUnknown({ API_URL: "http://127.0.0.1:3000" })
  const recording = ConfigProvider.make((path) => {
    names.add(path.join("_"))
    return env.load(path)
  })
  expect(Exit.isSuccess(Effect.runSyncExit(config.parse(recording)))).toBe(true)
  return names
}

/** Read by the command line, which is no service. */
const OF_THE_COMMAND_LINE = ["OPERATOR_URL", "OPERATOR_NAME"]

const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))

describe("the pages for operators", () => {
  it("have every setting in a table, once, and no other", () => {
    const read = new Set([...asked(settings), ...asked(mcpSettings), ...OF_THE_COMMAND_LINE])
    expect(read.size).toBeGreaterThan(30)
    expect([...namesIn(textOf("adapters/config/README.md"), /\b[A-Z][A-Z0-9_]{2,}\b/g)].sort()).toEqual(
      [...read].sort()
    )
  })

  it("explain every metric, and no other", () => {
    const counted = sources(join(root, "adapters")).flatMap((text) => text.match(/(?<=")backlinks_\w+(?=")/g) ?? [])
    expect(new Set(counted).size).toBeGreaterThan(15)
    const explained = namesIn(section(textOf("adapters/observability/README.md"), "Metrics"), /\bbacklinks_\w+/g)
    expect([...explained].sort()).toEqual([...new Set(counted)].sort())
  })
})
