// The rule on what the core may not use, on small sources, and the similar names that it may.

import { describe, expect, it } from "vitest"
import { purityRule } from "./PurityRule.ts"
import { parse } from "./Source.ts"

const messages = (file: string, text: string) => purityRule(parse(file, text)).map(({ message }) => message)

const refused: ReadonlyArray<readonly [text: string, message: RegExp]> = [
  ["export const now = Date.now()", /^Date is a clock/],
  ["export const text = (ms: number) => new Date(ms).toISOString()", /^Date is a clock/],
  ["export const at = (day: Date) => day", /^Date is a clock/],
  ["export const born = performance.now()", /^performance is a clock/],
  ["export const today = Temporal.Now.instant()", /^Temporal is a clock/],
  ["export const local = Intl.DateTimeFormat()", /^Intl\.DateTimeFormat is a clock/],
  ["setTimeout(() => 1, 1)", /^setTimeout is a clock/],
  [`import { DateTime } from "effect"; export const now = DateTime.nowUnsafe()`, /^DateTime\.nowUnsafe is a clock/],
  ["export const random = Math.random()", /^Math\.random is randomness/],
  [`export const random = Math["random"]()`, /^Math\.random is randomness/],
  ["export const { random } = Math", /^Math may only be used as Math\.member/],
  ["export const random = (name: 'random') => Math[name]()", /^Math may only be used as Math\.member/],
  ["export const id = crypto.randomUUID()", /^crypto is randomness/],
  [`import { Random as Generator } from "effect"; export const random = Generator.next`, /^Random is randomness/],
  ["export const home = process.env", /^process is the platform/],
  ["export const shorthand = { process }", /^process is the platform/],
  ["export const wide = globalThis", /^globalThis is the platform/],
  ["export const bytes = Buffer.from('a')", /^Buffer is the platform/],
  ["export const page = fetch('x')", /^fetch is the platform/],
  ["export const here = import.meta.url", /^import\.meta is the platform/],
  ["console.log('x')", /^console is the console/],
  [`import { Console } from "effect"; export const log = Console.log`, /^Console is the console/],
  ["export async function f() {}", /^an async function is async/],
  ["export const f = async () => 1", /^an async function is async/],
  ["export const o = { async f() {} }", /^an async function is async/],
  ["await 1", /^await is async/],
  ["export type Later = Promise<number>", /^Promise is async/],
  ["try { f() } catch {}\nfunction f() {}", /^try has no place/],
  [`import * as everything from "effect"; export const e = everything`, /^effect must be imported name by name/]
]

const clocksOfEffect: ReadonlyArray<readonly [text: string, message: string]> = [
  [
    `import { Clock } from "effect"; export const now = Clock.currentTimeMillis`,
    "Clock is a clock, which the core does without"
  ],
  [
    `import { DateTime } from "effect"; export const now = DateTime.now`,
    "DateTime.now is a clock, which the core does without"
  ],
  [
    `import { Effect } from "effect"; export const nap = Effect.sleep(1)`,
    "Effect.sleep is a clock, which the core does without"
  ]
]

const innocent: ReadonlyArray<string> = [
  "export const half = Math.round(3 / 2)",
  `import { Schema } from "effect"; export const at = Schema.Date`,
  "export const keys = { process: 1, Date: 2, crypto: 3 }; export const read = keys.process + keys.Date",
  "export interface Stages { readonly process: string; console(): void }",
  "export class Stage { process = 1; fetch() { return this.process } }",
  "export type Pair = [crypto: string, process: number]",
  `import { DateTime } from "effect"; export const iso = (ms: number) => DateTime.formatIso(DateTime.makeUnsafe(ms))`,
  "// Date.now(), Math.random() and process are for others\nexport const text = 'Date.now() try async console'",
  "export const retry = (tryAgain: boolean) => tryAgain"
]

describe("purityRule", () => {
  it.each(refused)("refuses %s", (text, message) => {
    for (const room of ["domain", "decisions", "ports", "usecases"]) {
      const found = messages(`core/${room}/Bad.ts`, text)
      expect(found[0]).toMatch(message)
    }
  })

  it.each(clocksOfEffect)("refuses %s beneath the use cases, which may read Effect's clock", (text, message) => {
    for (const room of ["domain", "decisions", "ports"]) {
      expect(messages(`core/${room}/Bad.ts`, text)).toEqual([message])
    }
    expect(messages("core/usecases/Good.ts", text)).toEqual([])
  })

  it.each(innocent)("accepts %s", (text) => {
    expect(messages("core/domain/Good.ts", text)).toEqual([])
  })

  it.each(refused)("accepts in other rooms: %s", (text) => {
    expect(messages("adapters/http/Server.ts", text)).toEqual([])
  })

  it("names file and line", () => {
    const text = "export const one = 1\n\nexport const now = () =>\n  Date.now()\n"
    expect(purityRule(parse("core/domain/Bad.ts", text))).toEqual([
      { file: "core/domain/Bad.ts", line: 4, message: "Date is a clock, which the core does without" }
    ])
  })
})
