// The rule on the words of pages and mails, on small texts.

import { describe, expect, it } from "vitest"
import { describeViolation, parse } from "./Source.ts"
import { oldWordsIn, wordRule } from "./WordRule.ts"

const page = (text: string, file = "adapters/web/a.ts") => wordRule(parse(file, text)).map(describeViolation)

describe("the rule on words", () => {
  it("accepts the words of the glossary, and what programs name", () => {
    expect(page('const a = "An unpaid order holds credit, and expires."')).toEqual([])
    expect(page('const a = `<a href="/account/quotes/1">quote.paid quote_id</a>`')).toEqual([])
    expect(page('import { a } from "./quote"\nconst quote = "quote"')).toEqual([])
    expect(page('const a = "A quote expires."', "adapters/http/a.ts")).toEqual([])
  })

  it("refuses the words before them, in a text and in a template", () => {
    expect(page('const a = 1\nconst b = "Quotes"')).toEqual(['adapters/web/a.ts:2 "Quotes": say an unpaid order'])
    expect(page("const a = `<p>a quote lapses</p>`", "adapters/mail/a.ts")).toEqual([
      'adapters/mail/a.ts:1 "quote": say an unpaid order',
      'adapters/mail/a.ts:1 "lapses": say expires'
    ])
  })

  it("refuses for agents what a quote does not do", () => {
    expect(page('const a = "A quote lapses."', "adapters/http/a.ts")).toEqual([
      'adapters/http/a.ts:1 "lapses": say expires'
    ])
  })

  it.each([
    ["Your deposit is here.", "top-up, or credit"],
    ["5.00 EUR of credit are reserved for it.", "credit is held"],
    ["It reserves your credit.", "credit is held"],
    ["The article is held for you.", "it is reserved"]
  ])("takes %s for one of them", (text, better) => {
    expect(oldWordsIn(text)).toEqual([expect.stringContaining(better)])
  })
})
