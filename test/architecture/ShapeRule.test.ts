// The rules on length, names and barrels, on small sources.

import { describe, expect, it } from "vitest"
import { barrelRule, longestFile, nameRule, sizeRule } from "./ShapeRule.ts"
import { parse } from "./Source.ts"

describe("sizeRule", () => {
  const lines = (count: number) => `export {}\n${"// one more\n".repeat(count - 1)}`

  it("accepts a file as long as the cap", () => {
    expect(sizeRule(parse("core/domain/Long.ts", lines(longestFile)))).toEqual([])
  })

  it("refuses one line more, in tests too", () => {
    for (const file of ["core/domain/Long.ts", "test/core/domain/Long.test.ts"]) {
      expect(sizeRule(parse(file, lines(longestFile + 1)))).toEqual([
        { file, line: 251, message: "has 251 lines; the cap is 250" }
      ])
    }
  })
})

describe("nameRule", () => {
  it.each([
    "core/domain/index.ts",
    "core/domain/Types.ts",
    "test/helpers.ts",
    "test/utils.test.ts",
    "adapters/common/Money.ts",
    "core/domain/Money.mts",
    "core/domain/Money.js"
  ])("refuses %s", (file) => {
    expect(nameRule(parse(file, "export const a = 1"))).toHaveLength(1)
  })

  it.each(["core/domain/pricing/Money.ts", "bench/Pane.tsx", "core/domain/CommonName.ts", "core/domain/IndexEntry.ts"])(
    "lets pass %s",
    (file) => {
      expect(nameRule(parse(file, "export const a = 1"))).toEqual([])
    }
  )
})

describe("barrelRule", () => {
  it.each([
    `export * from "./A.ts"`,
    `export * as A from "./A.ts"\nexport { b } from "./B.ts"`,
    `export type { A } from "./A.ts"`,
    `import { a } from "./A.ts"\nexport { a }`
  ])("refuses %s", (text) => {
    expect(barrelRule(parse("core/domain/All.ts", text))).toEqual([
      { file: "core/domain/All.ts", line: 1, message: "is a barrel: it only passes on what other files export" }
    ])
  })

  it.each([
    `export * from "./A.ts"\nexport const own = 1`,
    `import { a } from "./A.ts"\nexport const b = a`,
    `import { a } from "./A.ts"\na()`,
    `import "./A.ts"`,
    `const own = 1\nexport { own }`
  ])("lets pass %s", (text) => {
    expect(barrelRule(parse("core/domain/Own.ts", text))).toEqual([])
  })
})
