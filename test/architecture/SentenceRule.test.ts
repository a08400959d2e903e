// The rule on comments, on small texts.

import { describe, expect, it } from "vitest"
import { sentenceRule, sqlSentenceRule } from "./SentenceRule.ts"
import { describeViolation, parse } from "./Source.ts"

const code = (text: string) => sentenceRule(parse("a.ts", text)).map(describeViolation)

const sql = (text: string) => sqlSentenceRule("a.sql", text).map(describeViolation)

describe("the rule on sentences", () => {
  it("accepts sentences and noun phrases", () => {
    expect(code("// The queue of an account.\n/** Returns the oldest first. */\nconst a = 1 // Older rows.\n")).toEqual(
      []
    )
    expect(sql("-- Asks once.\nSELECT 1;\n")).toEqual([])
  })

  it("refuses an opening that waits for its noun, over several lines as well", () => {
    expect(code("const a = 1\n/**\n * Of an account.\n */\nconst b = 2")).toEqual([
      'a.ts:2 a comment opens with "Of": start with its subject'
    ])
    expect(code("// It counts.\n// With a limit, it stops.\n")).toEqual([])
    expect(code("// With a limit,\n// it stops.\n")).toEqual([
      'a.ts:1 a comment opens with "With": start with its subject'
    ])
    expect(code("const a = 1 // As it was.")).toEqual(['a.ts:1 a comment opens with "As": start with its subject'])
    expect(sql("SELECT 1;\n-- By id.\n")).toEqual(['a.sql:2 a comment opens with "By": start with its subject'])
  })

  it("refuses phrases that are read twice", () => {
    expect(code("// A cap of 0 is none.\n")).toEqual([
      'a.ts:1 "is none": say what does not count, or what there is not'
    ])
    expect(code("// Each has a pool of its\n// own.\n")).toEqual(['a.ts:1 "of its own": say own'])
  })

  it("takes no string for a comment", () => {
    expect(code('const a = "https://with.example" + "x // As"\n')).toEqual([])
  })
})
