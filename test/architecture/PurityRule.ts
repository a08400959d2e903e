// The rule that the core depends on its arguments alone: no clock, randomness, process, console, async or try. A local name that
// shadows a banned global is refused too.

import { type Argument, Visitor } from "oxc-parser"
import { matches } from "./Room.ts"
import type { Rule } from "./Source.ts"

interface Ban {
  readonly what: string
  /** Files, by pattern. */
  readonly where: string
  /** Names of the language or the platform; `Math.random` means that member alone. */
  readonly globals: ReadonlyArray<string>
  /** Modules of `effect`, by the name they are imported under; `DateTime.now` means that member alone. */
  readonly effect: ReadonlyArray<string>
}

const timers = [
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "queueMicrotask"
]
const readsOfClock = [
  "Clock",
  "DateTime.now",
  "DateTime.nowInCurrentZone",
  "Effect.clockWith",
  "Effect.sleep",
  "Effect.timed"
]

export const bans: ReadonlyArray<Ban> = [
  {
    what: "a clock",
    where: "core/*",
    globals: ["Date", "Temporal", "performance", "Intl.DateTimeFormat", ...timers],
    effect: ["DateTime.nowAsDate", "DateTime.nowUnsafe"]
  },
  // Use cases may read Effect's clock, which a test can set; everything beneath gets the time as an argument.
  { what: "a clock", where: "core/domain/*", globals: [], effect: readsOfClock },
  { what: "a clock", where: "core/decisions/*", globals: [], effect: readsOfClock },
  { what: "a clock", where: "core/ports/*", globals: [], effect: readsOfClock },
  { what: "randomness", where: "core/*", globals: ["Math.random", "crypto"], effect: ["Random"] },
  { what: "the console", where: "core/*", globals: ["console"], effect: ["Console"] },
  { what: "async", where: "core/*", globals: ["Promise"], effect: [] },
  {
    what: "the platform",
    where: "core/*",
    globals: ["process", "globalThis", "global", "require", "eval", "fetch", "Buffer"],
    effect: []
  }
]

/** The name of `x.name` and `x["name"]`; `undefined` for a computed `x[name]`. */
const memberName = (
  computed: boolean,
  property: Argument | { readonly type: "PrivateIdentifier" }
): string | undefined => {
  if (property.type === "Identifier" && !computed) return property.name
  return property.type === "Literal" && typeof property.value === "string" ? property.value : undefined
}

export const purityRule: Rule = ({ file, program, lineAt }) => {
  const here = bans.filter(({ where }) => matches(where, file))
  if (!matches("core/*", file)) return []
  const found: Array<{ readonly offset: number; readonly message: string }> = []
  const refuse = (offset: number, name: string, what: string) =>
    found.push({ offset, message: `${name} is ${what}, which the core does without` })
  const check = (offset: number, name: string, list: "globals" | "effect") => {
    for (const ban of here) if (ban[list].includes(name)) refuse(offset, name, ban.what)
  }
  /** Objects of which some member is banned, such as Math: handing them on whole would hide the member. */
  const guarded = new Set(
    here.flatMap(({ globals }) => globals.filter((name) => name.includes(".")).map((name) => name.split(".")[0]))
  )
  /** Identifiers that are only the name of a member, a key or a label, or that were judged with their member. */
  const settled = new Set<object>()
  const settleKey = (node: { readonly computed: boolean; readonly key: object }) => {
    if (!node.computed) settled.add(node.key)
  }
  const asyncFunction = (node: { readonly start: number; readonly async: boolean }) => {
    if (node.async) refuse(node.start, "an async function", "async")
  }
  new Visitor({
    ImportDeclaration: ({ source, specifiers, start }) => {
      for (const specifier of specifiers) {
        if (specifier.type === "ImportSpecifier") {
          settled.add(specifier.imported)
          const { imported } = specifier
          if (source.value === "effect")
            check(start, imported.type === "Identifier" ? imported.name : imported.value, "effect")
        } else if (source.value === "effect") {
          found.push({ offset: start, message: "effect must be imported name by name, so that clocks show" })
        }
      }
    },
    MemberExpression: ({ object, property, computed, start }) => {
      if (!computed) settled.add(property)
      const member = memberName(computed, property)
      if (object.type !== "Identifier" || member === undefined) return
      if (guarded.has(object.name)) settled.add(object)
      check(start, `${object.name}.${member}`, "globals")
      check(start, `${object.name}.${member}`, "effect")
    },
    MetaProperty: ({ start, meta, property }) => {
      if (meta.name === "import") refuse(start, `import.${property.name}`, "the platform")
    },
    Identifier: (node) => {
      if (settled.has(node)) return
      check(node.start, node.name, "globals")
      if (guarded.has(node.name))
        found.push({ offset: node.start, message: `${node.name} may only be used as ${node.name}.member` })
    },
    Property: settleKey,
    MethodDefinition: settleKey,
    PropertyDefinition: settleKey,
    TSPropertySignature: settleKey,
    TSMethodSignature: settleKey,
    TSQualifiedName: ({ right }) => void settled.add(right),
    TSNamedTupleMember: ({ label }) => void settled.add(label),
    ExportSpecifier: ({ exported }) => void settled.add(exported),
    FunctionDeclaration: asyncFunction,
    FunctionExpression: asyncFunction,
    ArrowFunctionExpression: asyncFunction,
    AwaitExpression: ({ start }) => void refuse(start, "await", "async"),
    ForOfStatement: (node) => void (node.await && refuse(node.start, "for await", "async")),
    TryStatement: ({ start }) =>
      void found.push({ offset: start, message: "try has no place in the core: return a Result" })
  }).visit(program)
  return found.map(({ offset, message }) => ({ file, line: lineAt(offset), message }))
}
