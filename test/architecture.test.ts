// Holds the project to its own plan: who may import whom, and the habits that keep a file readable.
// Each rule is shown to bite on small sources in architecture/*.test.ts; here they meet the real files.

import { describe, expect, it } from "vitest"
import { escapeRule } from "./architecture/EscapeRule.ts"
import { importRule } from "./architecture/ImportRule.ts"
import { roomOf } from "./architecture/ImportTable.ts"
import { machinePathRule } from "./architecture/MachinePathRule.ts"
import { portRule } from "./architecture/PortRule.ts"
import { furnishedRooms, projectSources, projectTexts } from "./architecture/ProjectFiles.ts"
import { purityRule } from "./architecture/PurityRule.ts"
import { barrelRule, nameRule, sizeRule } from "./architecture/ShapeRule.ts"
import { describeViolation, type Rule } from "./architecture/Source.ts"

const sources = projectSources()

const rules: ReadonlyArray<readonly [promise: string, rule: Rule]> = [
  ["imports only what the table grants its room", importRule],
  ["keeps clocks, randomness, the platform, async and try out of the core", purityRule],
  ["stays under the cap on lines", sizeRule],
  ["has a name that says what is inside", nameRule],
  ["is no barrel", barrelRule],
  ["gives a reason for every cast, any and non-null !", escapeRule]
]

describe("every file", () => {
  it.each(rules)("%s", (_promise, rule) => {
    expect(sources.flatMap(rule).map(describeViolation)).toEqual([])
  })

  it("names no folder of the machine it was written on", () => {
    const texts = projectTexts()
    expect(texts.map(({ file }) => file)).toContain("package.json")
    expect(texts.flatMap(({ file, text }) => machinePathRule(file, text)).map(describeViolation)).toEqual([])
  })
})

describe("every port", () => {
  it("has a store in memory and in Postgres, or the provider the table names", () => {
    expect(portRule(sources).map(describeViolation)).toEqual([])
  })
})

describe("the scan", () => {
  it.each(furnishedRooms().map(({ name }) => name))("finds the files of %s", (name) => {
    expect(sources.filter(({ file }) => roomOf(file)?.name === name).length).toBeGreaterThan(0)
  })
})
