// The rule that a way around the type checker (a cast, `any`, a non-null or definite `!`) has its reason in a comment.

import { Visitor } from "oxc-parser"
import type { Rule, Source } from "./Source.ts"

/** Lines touched by a comment of at least two words: less is no reason. */
const explainedLines = ({ comments, lineAt }: Source): ReadonlySet<number> => {
  const lines = new Set<number>()
  for (const { value, start, end } of comments) {
    if (!/\p{L}+[^\p{L}]+\p{L}+/u.test(value)) continue
    for (let line = lineAt(start); line <= lineAt(end); line++) lines.add(line)
  }
  return lines
}

export const escapeRule: Rule = (source) => {
  const { file, program, lineAt } = source
  const explained = explainedLines(source)
  const found: Array<{ readonly line: number; readonly message: string }> = []
  /** `offsets`: where a reader may look for the reason; the last one is where the escape itself is written. */
  const escape = (what: string, ...offsets: readonly [number, ...Array<number>]) => {
    const lines = offsets.map(lineAt)
    if (lines.some((line) => explained.has(line) || explained.has(line - 1))) return
    found.push({
      line: Math.max(...lines),
      message: `${what} needs its reason in a comment on this line or the one above`
    })
  }
  const definite = (node: { readonly definite?: boolean; readonly start: number }) => {
    if (node.definite === true) escape("a definite !", node.start)
  }
  new Visitor({
    TSAsExpression: ({ start, typeAnnotation }) => {
      const type = typeAnnotation.type === "TSTypeReference" ? typeAnnotation.typeName : undefined
      const isConst = type?.type === "Identifier" && type.name === "const"
      if (!isConst) escape("a cast", start, typeAnnotation.start)
    },
    TSTypeAssertion: ({ start }) => escape("a cast", start),
    TSNonNullExpression: ({ start, end }) => escape("a non-null !", start, end - 1),
    TSAnyKeyword: ({ start }) => escape("any", start),
    VariableDeclarator: definite,
    PropertyDefinition: definite
  }).visit(program)
  return found.map(({ line, message }) => ({ file, line, message }))
}
