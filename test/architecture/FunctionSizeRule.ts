// The rule on the length of a function: its own lines, and all of its lines with the functions inside it.

import { type CallExpression, type Node, Visitor } from "oxc-parser"
import type { Rule, Source } from "./Source.ts"

/** Lines that are not wholly inside an inner function. */
export const mostOwnLines = 60

/** Lines from the first to the last. */
export const mostLines = 100

interface FunctionNode {
  readonly start: number
  readonly end: number
  readonly inner: Array<FunctionNode>
  /** Whether it registers tests, or a function inside it does. Such a list is read one test at a time, so that its length does not count. */
  listsTests: boolean
}

/** What registers tests: `describe`, `it.effect`, `layer(…)(…)`, `property`. A call `layer(…)` alone makes a layer. */
const registrars = new Set(["describe", "it", "layer", "property"])

const registers = ({ callee }: CallExpression): boolean => {
  let name: Node = callee
  while (name.type === "MemberExpression" || name.type === "CallExpression")
    name = name.type === "MemberExpression" ? name.object : name.callee
  if (name.type !== "Identifier" || !registrars.has(name.name)) return false
  return name.name !== "layer" || callee.type === "CallExpression"
}

const functionsOf = ({ file, program }: Source): ReadonlyArray<FunctionNode> => {
  const found: Array<FunctionNode> = []
  const open: Array<FunctionNode> = []
  const enter = ({ start, end }: { readonly start: number; readonly end: number }) => {
    const entered = { start, end, inner: [], listsTests: false }
    open.at(-1)?.inner.push(entered)
    open.push(entered)
    found.push(entered)
  }
  const leave = () => {
    const around = open.at(-2)
    if (open.pop()?.listsTests === true && around !== undefined) around.listsTests = true
  }
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    "FunctionDeclaration:exit": leave,
    "FunctionExpression:exit": leave,
    "ArrowFunctionExpression:exit": leave,
    CallExpression: (call) => {
      const around = open.at(-1)
      if (around !== undefined && file.startsWith("test/") && registers(call)) around.listsTests = true
    }
  }).visit(program)
  return found
}

const ownLines = ({ lineAt }: Source, { start, end, inner }: FunctionNode): number => {
  const lines = new Set<number>()
  let from = start
  for (const next of [...inner, { start: end, end }]) {
    if (from < next.start) for (let line = lineAt(from); line <= lineAt(next.start - 1); line++) lines.add(line)
    from = next.end
  }
  return lines.size
}

export const functionSizeRule: Rule = (source) => {
  const { file, lineAt } = source
  return functionsOf(source).flatMap((one) => {
    if (one.listsTests) return []
    const line = lineAt(one.start)
    const own = ownLines(source, one)
    const all = lineAt(one.end) - line + 1
    if (own > mostOwnLines) {
      return [{ file, line, message: `the function has ${own} own lines; the cap is ${mostOwnLines}` }]
    }
    return all > mostLines
      ? [{ file, line, message: `the function has ${all} lines with those inside it; the cap is ${mostLines}` }]
      : []
  })
}
