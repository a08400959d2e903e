// The pages at the top against the code: the house has every room, the features are those of the rings, and the figures are of one run.
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { features } from "./architecture/Features.ts"

const root = new URL("../", import.meta.url)

const textOf = (page: string): string => readFileSync(new URL(page, root), "utf8")

const section = (page: string, title: string): string =>
  (textOf(page).split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? ""

const foldersOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(folder, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

describe("the house", () => {
  it.each([
    ["README.md", "The house"],
    ["adapters/README.md", "By room"]
  ])("has every room of the adapters in %s", (page, title) => {
    const named = [...section(page, title).matchAll(/\b([a-z]+)\//g)].map(([, name]) => name)
    expect(foldersOf("adapters/").filter((name) => !named.includes(name))).toEqual([])
  })

  it("has every ring of the core in README.md", () => {
    const [, rings = ""] = /^core\/.*\n(.*)$/m.exec(section("README.md", "The house")) ?? []
    expect(rings.match(/\w+(?=\/)/g)?.toSorted()).toEqual(foldersOf("core/").toSorted())
  })
})

it("the features of core/README.md are those of the rings, in their order", () => {
  const rows = [...section("core/README.md", "The features").matchAll(/^\| `(\w+)` \| (.*) \|$/gm)]
  expect(rows.map(([, name]) => name)).toEqual(features)
})

it("the figures of README.md are those of the last run of the loads, of one commit", () => {
  const table = section("test/programs/load/README.md", "The last run")
  const [, commit] = /^\| `npm run load -- orders[^`]*` \| ([0-9a-f]{7}) \|$/m.exec(table) ?? []
  const ratioTo = (peer: string) => new RegExp(`^\\| × ${peer} \\| ([\\d.]+) \\|$`, "m").exec(table)?.[1]
  const shown = section("README.md", "Performance")
  expect(shown.match(/[\d.]+(?= ×)/g)).toEqual([ratioTo("handwritten"), ratioTo("pgbench")])
  expect(shown.match(/(?<=commit )[0-9a-f]{7}/g)).toEqual([commit])
})
