// The rule on reasons for casts, on small sources: what needs one, and where it may stand.

import { describe, expect, it } from "vitest"
import { escapeRule } from "./EscapeRule.ts"
import { parse } from "./Source.ts"

const violations = (text: string) =>
  escapeRule(parse("core/domain/A.ts", text)).map(({ line, message }) => `${line} ${message}`)
const requires = (what: string, line: number) => [
  `${line} ${what} needs its reason in a comment on this line or the one above`
]

const escapes: ReadonlyArray<readonly [text: string, what: string]> = [
  ["export const a = f() as string", "a cast"],
  ["export const a = <string>f()", "a cast"],
  ["export const a = f()!.name", "a non-null !"],
  ["export const a = (b: any) => b", "any"],
  ["export let a!: string", "a definite !"],
  ["export class A { b!: string }", "a definite !"]
]

describe("escapeRule", () => {
  it.each(escapes)("requires a reason for %s", (text, what) => {
    expect(violations(text)).toEqual(requires(what, 1))
    expect(violations(`\n\n${text}`)).toEqual(requires(what, 3))
  })

  it.each(escapes)("accepts a reason beside or above %s", (text) => {
    expect(violations(`${text} // the map was filled above`)).toEqual([])
    expect(violations(`// the map was filled above\n${text}`)).toEqual([])
    expect(violations(`/* the map\n   was filled */\n${text}`)).toEqual([])
  })

  it.each(escapes)("does not accept an empty, a one-word or a distant comment as a reason: %s", (text, what) => {
    expect(violations(`//\n${text}`)).toEqual(requires(what, 2))
    expect(violations(`// fine\n${text}`)).toEqual(requires(what, 2))
    expect(violations(`// the map was filled\n\n${text}`)).toEqual(requires(what, 3))
  })

  it("accepts the reason at the end of a long expression, where the cast is written, and at its beginning", () => {
    const before = "export const a =\n  "
    const long = "{\n  b: 1,\n  c: 2\n} as"
    expect(violations(`${before}${long} A`)).toEqual(requires("a cast", 5))
    expect(violations(`${before}${long} A // the shape is checked below`)).toEqual([])
    expect(violations(`${before}// the shape is checked below\n  ${long} A`)).toEqual([])
    expect(violations(`${before}{\n  b: 1, // the first number\n  c: 2,\n  d: 3\n} as A`)).toEqual(
      requires("a cast", 6)
    )
  })

  it.each([
    "export const a = ['b'] as const",
    "export const a = { b: 1 } satisfies A",
    `import { a as b } from "./B.ts"; export { b as c }`,
    "export const a = (anything: unknown) => !anything && anything !== 1",
    "export const a = expect.any(String)",
    "export const a = 'b as any'"
  ])("lets pass %s", (text) => {
    expect(violations(text)).toEqual([])
  })
})
