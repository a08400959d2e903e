// The rule on circles of imports, on small sources.

import { describe, expect, it } from "vitest"
import { cycleRule } from "./CycleRule.ts"
import { parse } from "./Source.ts"

const violations = (files: Readonly<Record<string, string>>) =>
  cycleRule(Object.entries(files).map(([file, text]) => parse(file, text))).map(({ message }) => message)

describe("cycleRule", () => {
  it("refuses a circle of two files, by relative path or by alias", () => {
    const circle = ["imports itself: core/domain/A.ts → core/domain/B.ts → core/domain/A.ts"]
    const a = `import { b } from "./B.ts"\nexport const a = b`
    expect(
      violations({ "core/domain/A.ts": a, "core/domain/B.ts": `import { a } from "./A.ts"\nexport const b = a` })
    ).toEqual(circle)
    expect(
      violations({ "core/domain/A.ts": a, "core/domain/B.ts": `export * from "#core/domain/A.ts"\nexport const b = 1` })
    ).toEqual(circle)
  })

  it("refuses a circle of types, and one of three files, once", () => {
    const files = {
      "adapters/memory/A.ts": `import type { B } from "./B.ts"\nexport type A = B`,
      "adapters/memory/B.ts": `import type { C } from "./books/C.ts"\nexport type B = C`,
      "adapters/memory/books/C.ts": `import type { A } from "../A.ts"\nexport type C = A`
    }
    expect(violations(files)).toEqual([
      "imports itself: adapters/memory/A.ts → adapters/memory/B.ts → adapters/memory/books/C.ts → adapters/memory/A.ts"
    ])
  })

  it("accepts two ways to the same file, and packages", () => {
    const files = {
      "core/domain/A.ts": `import { b } from "./B.ts"\nimport { c } from "./C.ts"\nexport const a = b + c`,
      "core/domain/B.ts": `import { c } from "./C.ts"\nexport const b = c`,
      "core/domain/C.ts": `import { Effect } from "effect"\nexport const c = Effect.void`
    }
    expect(violations(files)).toEqual([])
  })
})
