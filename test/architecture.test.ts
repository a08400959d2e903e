// The architecture: which room may import which, and the habits that keep a file readable. `architecture/*.test.ts` test each rule on
// small sources; here the rules run over the project's files.

import { describe, expect, it } from "vitest"
import packageJson from "../package.json" with { type: "json" }
import { cycleRule } from "./architecture/CycleRule.ts"
import { escapeRule } from "./architecture/EscapeRule.ts"
import { featureCircleRule, featureRule, featureSizeRule } from "./architecture/FeatureRule.ts"
import { functionSizeRule } from "./architecture/FunctionSizeRule.ts"
import { grantRule } from "./architecture/GrantRule.ts"
import { importRule, packagesOf } from "./architecture/ImportRule.ts"
import { roomOf, sharedGrants } from "./architecture/ImportTable.ts"
import { machinePathRule } from "./architecture/MachinePathRule.ts"
import { portRule } from "./architecture/PortRule.ts"
import { nonEmptyRooms, projectNames, projectSources, projectTexts } from "./architecture/ProjectFiles.ts"
import { purityRule } from "./architecture/PurityRule.ts"
import { readmeRule } from "./architecture/ReadmeRule.ts"
import { sentenceRule, sqlSentenceRule } from "./architecture/SentenceRule.ts"
import { barrelRule, nameRule, sizeRule } from "./architecture/ShapeRule.ts"
import { describeViolation, type Rule } from "./architecture/Source.ts"
import { wordRule } from "./architecture/WordRule.ts"

const sources = projectSources()

const rules: ReadonlyArray<readonly [promise: string, rule: Rule]> = [
  ["imports only what the table grants its room", importRule],
  ["lies in the folder of its feature, inside the rings and what mirrors them", featureRule],
  ["keeps clocks, randomness, the platform, async and try out of the core", purityRule],
  ["stays under the cap on lines", sizeRule],
  ["has functions that stay under the caps on their own lines and on all of them", functionSizeRule],
  ["has a name that says what it contains", nameRule],
  ["is no barrel", barrelRule],
  ["gives a reason for every cast, any and non-null !", escapeRule],
  ["has comments that start with their subject", sentenceRule],
  ["says to people and agents what the glossary says", wordRule]
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

describe("every file of SQL", () => {
  it("has comments that start with their subject", () => {
    const scripts = projectTexts().filter(({ file }) => file.endsWith(".sql"))
    expect(scripts.flatMap(({ file, text }) => sqlSentenceRule(file, text)).map(describeViolation)).toEqual([])
  })
})

describe("every page of Markdown", () => {
  it("is short, and names files, links and scripts that exist", () => {
    const pages = projectTexts().filter(({ file }) => file.endsWith(".md"))
    const names = projectNames()
    expect(pages.flatMap(({ file, text }) => readmeRule(file, text, names)).map(describeViolation)).toEqual([])
  })
})

describe("the files together", () => {
  it("import each other in no circle", () => {
    expect(cycleRule(sources).map(describeViolation)).toEqual([])
  })

  it("make features that import each other in no circle inside their ring", () => {
    expect(featureCircleRule(sources).map(describeViolation)).toEqual([])
  })

  it("make folders of features that are neither too small nor too large to read", () => {
    expect(featureSizeRule(sources).map(describeViolation)).toEqual([])
  })

  it("use every grant of the table", () => {
    expect(grantRule(sources, sharedGrants).map(describeViolation)).toEqual([])
  })

  it("leave nothing but the three programs at the root of the adapters", () => {
    const programs = sources.map(({ file }) => file).filter((file) => /^adapters\/[^/]+$/.test(file))
    expect(programs.toSorted()).toEqual(["adapters/main.ts", "adapters/mcpMain.ts", "adapters/operatorMain.ts"])
  })
})

describe("a production install", () => {
  it("has every package that the service imports", () => {
    const service = sources.filter(({ file }) => /^(core|adapters)\//.test(file))
    const packages = new Set(service.flatMap(packagesOf))
    expect(packages).toContain("effect")
    expect([...packages].filter((name) => !(name in packageJson.dependencies))).toEqual([])
  })
})

describe("every port", () => {
  it("has a store in memory and in Postgres, or the provider the table names", () => {
    expect(portRule(sources).map(describeViolation)).toEqual([])
  })
})

describe("the list of sources", () => {
  it.each(nonEmptyRooms().map(({ name }) => name))("has files of %s", (name) => {
    expect(sources.filter(({ file }) => roomOf(file)?.name === name).length).toBeGreaterThan(0)
  })
})
