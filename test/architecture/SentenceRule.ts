// The rule on comments, in TypeScript and in SQL: each is a sentence or a noun phrase that starts with its noun, and reads once.

import type { Rule, Source, Violation } from "./Source.ts"

/** A preposition or a conjunction in front makes a reader wait for the noun that it belongs to. */
const OPENING = /^(Of|As|By|Without|And|With)\b/

const PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<!there )\bis none\b/, '"is none": say what does not count, or what there is not'],
  [/\bof (its|their) own\b/, '"of its own": say own'],
  [/\bwhat is no\b/i, '"what is no": say what is accepted']
]

interface Comment {
  readonly text: string
  /** Where it begins, and where it ends. */
  readonly lines: readonly [number, number]
}

/** Comments on lines that follow each other are read as one. */
const joined = (comments: ReadonlyArray<Comment>): ReadonlyArray<Comment> => {
  const all: Array<Comment> = []
  for (const {
    text,
    lines: [first, last]
  } of comments) {
    const before = all.at(-1)
    if (before === undefined || before.lines[1] + 1 !== first) all.push({ text, lines: [first, last] })
    else all.splice(-1, 1, { text: `${before.text} ${text}`, lines: [before.lines[0], last] })
  }
  return all
}

const judge = (file: string, comments: ReadonlyArray<Comment>): ReadonlyArray<Violation> =>
  joined(comments).flatMap(({ text, lines: [line] }) => {
    const words = text.replace(/\s+/g, " ").trim()
    const [opening] = OPENING.exec(words) ?? []
    const phrases = PHRASES.filter(([phrase]) => phrase.test(words)).map(([, message]) => message)
    const openings = opening === undefined ? [] : [`a comment opens with "${opening}": start with its subject`]
    return [...openings, ...phrases].map((message) => ({ file, line, message }))
  })

const linesOf = ({ lineAt }: Source, start: number, end: number): readonly [number, number] => [
  lineAt(start),
  lineAt(end)
]

export const sentenceRule: Rule = (source) =>
  judge(
    source.file,
    source.comments.map(({ value, start, end }) => ({
      text: value.replace(/^\s*\*/gm, ""),
      lines: linesOf(source, start, end)
    }))
  )

/** Comments that have a line for themselves; SQL has no others here. */
export const sqlSentenceRule = (file: string, text: string): ReadonlyArray<Violation> =>
  judge(
    file,
    text.split("\n").flatMap((line, index) => {
      const [, comment] = /^\s*--(.*)$/.exec(line) ?? []
      return comment === undefined ? [] : [{ text: comment, lines: [index + 1, index + 1] as const }]
    })
  )
