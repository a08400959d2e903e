// The rule on the words of pages and mails, which people read, and of what agents read: one thing has one word, the glossary's.

import { Visitor } from "oxc-parser"
import type { Rule } from "./Source.ts"

/** Agents are not told this either; a quote is one for them. */
const LAPSES = /\blaps(?:e|es|ed|ing)\b/i

const WORDS: ReadonlyArray<readonly [old: RegExp, better: string]> = [
  [/(?<![/#.])\bquotes?\b(?!\.|\/|s?_)/i, "an unpaid order"],
  [LAPSES, "expires"],
  [/\bdeposit(?:s|ed|ing)?\b/i, "top-up, or credit"],
  [/\bcredit\b[^.]{0,40}\breserve[sd]?\b|\breserve[sd]?\b[^.]{0,20}\bcredit\b/i, "credit is held"],
  [
    /\b(?:article|code|offer)s?\b (?:is|are|was|were) held\b|\bhold(?:s|ing)? (?:an? |the )?(?:article|code|offer)\b/i,
    "it is reserved"
  ]
]

/** What should be said in place of each old word in the text. */
export const oldWordsIn = (text: string, words = WORDS): ReadonlyArray<string> =>
  words.flatMap(([old, better]) => {
    const [word] = old.exec(text) ?? []
    return word === undefined ? [] : [`"${word}": say ${better}`]
  })

/** A word in lower case alone is a program's: a name, a key or a value. */
const isSaid = (text: string): boolean => /\s|^\p{Lu}/u.test(text)

export const wordRule: Rule = ({ file, program, lineAt }) => {
  if (!/^adapters\/(?:contract|http|mail|mcp|oauth|web)\//.test(file)) return []
  const words = /^adapters\/(?:web|mail)\//.test(file) ? WORDS : WORDS.filter(([old]) => old === LAPSES)
  const found: Array<{ readonly file: string; readonly line: number; readonly message: string }> = []
  const read = (text: string, start: number) => {
    if (!isSaid(text)) return
    for (const message of oldWordsIn(text, words)) found.push({ file, line: lineAt(start), message })
  }
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === "string") read(value, start)
    },
    TemplateElement: ({ value, start }) => read(value.raw, start)
  }).visit(program)
  return found
}
