// The rule on the words of pages and mails, which people read: one thing has one word, the glossary's.

import { Visitor } from "oxc-parser"
import type { Rule } from "./Source.ts"

const WORDS: ReadonlyArray<readonly [old: RegExp, better: string]> = [
  [/(?<![/#.])\bquotes?\b(?!\.|\/|s?_)/i, "an unpaid order"],
  [/\blaps(?:e|es|ed|ing)\b/i, "expires"],
  [/\bdeposit(?:s|ed|ing)?\b/i, "top-up, or credit"],
  [/\bcredit\b[^.]{0,40}\breserve[sd]?\b|\breserve[sd]?\b[^.]{0,20}\bcredit\b/i, "credit is held"],
  [
    /\b(?:article|code|offer)s?\b (?:is|are|was|were) held\b|\bhold(?:s|ing)? (?:an? |the )?(?:article|code|offer)\b/i,
    "it is reserved"
  ]
]

/** What should be said in place of each old word in the text. */
export const oldWordsIn = (text: string): ReadonlyArray<string> =>
  WORDS.flatMap(([old, better]) => {
    const [word] = old.exec(text) ?? []
    return word === undefined ? [] : [`"${word}": say ${better}`]
  })

/** A word in lower case alone is a program's: a name, a key or a value. */
const isSaid = (text: string): boolean => /\s|^\p{Lu}/u.test(text)

export const wordRule: Rule = ({ file, program, lineAt }) => {
  if (!/^adapters\/(?:web|mail)\//.test(file)) return []
  const found: Array<{ readonly file: string; readonly line: number; readonly message: string }> = []
  const read = (text: string, start: number) => {
    if (!isSaid(text)) return
    for (const message of oldWordsIn(text)) found.push({ file, line: lineAt(start), message })
  }
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === "string") read(value, start)
    },
    TemplateElement: ({ value, start }) => read(value.raw, start)
  }).visit(program)
  return found
}
