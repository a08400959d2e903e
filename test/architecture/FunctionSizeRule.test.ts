// The rule on the length of functions, on small sources.

import { describe, expect, it } from "vitest"
import { functionSizeRule, mostLines, mostOwnLines } from "./FunctionSizeRule.ts"
import { parse, type Violation } from "./Source.ts"

const lines = (count: number, line = "  one()\n"): string => line.repeat(count)

/** A function of this many lines. */
const written = (count: number): string => `() => {\n${lines(count - 2)}}`

const found = (text: string, file = "core/domain/Long.ts"): ReadonlyArray<Violation> =>
  functionSizeRule(parse(file, text))

describe("functionSizeRule", () => {
  it("accepts a function as long as the cap on its own lines, and refuses one line more", () => {
    expect(found(`\nconst long = ${written(mostOwnLines)}`)).toEqual([])
    const message = "the function has 61 own lines; the cap is 60"
    expect(found(`\nconst long = ${written(mostOwnLines + 1)}`)).toEqual([
      { file: "core/domain/Long.ts", line: 2, message }
    ])
  })

  it("does not count the lines of inner functions as the outer one's, except for those that both share", () => {
    const inner = `  const inner = ${written(20)}\n`
    const around = (own: number) => `const outer = () => {\n${inner}${lines(own - 4)}}`
    expect(found(around(mostOwnLines))).toEqual([])
    expect(found(around(mostOwnLines + 1))).toHaveLength(1)
  })

  it("counts a function with those inside it, such as the maker of a layer", () => {
    const inner = `  const inner = ${written(30)}\n`
    const layer = (more: number) =>
      `const layer = Layer.effect(Line, Effect.gen(function* () {\n${inner.repeat(3)}${lines(more)}}))`
    expect(found(layer(mostLines - 92))).toEqual([])
    expect(found(layer(mostLines - 91))).toEqual([
      {
        file: "core/domain/Long.ts",
        line: 1,
        message: "the function has 101 lines with those inside it; the cap is 100"
      }
    ])
  })

  it.each([
    `class A { long() {\n${lines(60)}} }`,
    `function long() {\n${lines(60)}}`,
    `const a = { long() {\n${lines(60)}} }`
  ])("counts methods and declarations as well", (text) => {
    expect(found(text)).toHaveLength(1)
  })

  const test = `it.effect("counts", () => {\n${lines(10)}})\n`

  it("exempts lists of tests, with what contains them, but no other function of a test", () => {
    const file = "test/core/domain/Long.test.ts"
    expect(found(`describe("a", () => {\n${test.repeat(20)}})`, file)).toEqual([])
    expect(found(`const suite = () => {\nstoreSuite("a", () => {\n${test.repeat(20)}})\n}`, file)).toEqual([])
    expect(found(`describe("a", () => {\nit("b", ${written(61)})\n})`, file)).toHaveLength(1)
    expect(found(`const setUp = ${written(61)}`, file)).toHaveLength(1)
  })

  it("exempts no list of the kind outside the tests", () => {
    expect(found(`describe("a", () => {\n${test.repeat(20)}})`)).toHaveLength(1)
  })
})
