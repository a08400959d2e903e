// Equivalent requests: keys in any order, white space, escapes, other forms of a number, defaults present or absent. Each is a replay.
import { Effect } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { holdsForAll } from "#test/core/ports/StoreProperty.ts"
import { quotesOf } from "../core/BookReads.ts"
import { buyer, cart, freshKey, item } from "./Buyers.ts"
import { definePromo, listSite } from "./CatalogueSetup.ts"
import { isReplay, postOrder } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** The next random choice: a number from 0 to below `options`. */
type Choose = (options: number) => number

const GAPS = ["", "", " ", "\n", "\t ", "\r\n  "] as const

const gap = (choose: Choose): string => GAPS[choose(GAPS.length)] ?? ""

const shuffled = <A>(all: ReadonlyArray<A>, choose: Choose): ReadonlyArray<A> => {
  const left = [...all]
  return all.flatMap(() => left.splice(choose(left.length), 1))
}

/** Any character may be escaped, as one code unit or two. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

const spellText = (text: string, choose: Choose): string =>
  `"${[...text].map((character) => (choose(4) === 0 ? escaped(character) : character)).join("")}"`

const NUMBERS: ReadonlyArray<(value: number) => string> = [
  String,
  (value) => value.toFixed(2),
  (value) => `${value * 10}e-1`,
  (value) => `${value / 10}E+1`
]

/** The same JSON value, written differently. */
const spell = (value: unknown, choose: Choose): string => {
  const between = () => gap(choose)
  if (typeof value === "string") return spellText(value, choose)
  if (typeof value === "number") return NUMBERS[choose(NUMBERS.length)]?.(value) ?? String(value)
  if (Array.isArray(value)) {
    return `[${value.map((one) => `${between()}${spell(one, choose)}${between()}`).join(",")}]`
  }
  if (typeof value !== "object" || value === null) return String(value)
  const fields = shuffled(Object.entries(value), choose).map(
    ([name, one]) => `${between()}${spellText(name, choose)}${between()}:${between()}${spell(one, choose)}${between()}`
  )
  return `{${fields.join(",")}}`
}

const DEFAULTS: Readonly<Record<string, unknown>> = { format: "new_article", tier2_links: 0, dry_run: false }

/** Optional members without a default that the order leaves out. */
const ABSENT = ["article_id", "project_id", "opportunity_id", "brief"] as const

/** Defaults may be absent or `null`, and so may the members `absent` that were not given. */
const respelled = (fields: object, absent: ReadonlyArray<string>, choose: Choose) => ({
  ...Object.fromEntries(absent.flatMap((name) => (choose(3) === 0 ? [[name, null]] : []))),
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const spelling = DEFAULTS[name] === value ? choose(3) : 0
      return spelling === 0 ? [[name, value]] : spelling === 1 ? [[name, null]] : []
    })
  )
})

const mixedCase = (code: string, choose: Choose): string =>
  [...code].map((letter) => (choose(2) === 0 ? letter.toLowerCase() : letter)).join("")

const opening = Effect.gen(function* () {
  const site = yield* listSite()
  const promo = yield* definePromo()
  const items = [item(site.siteId, { brief: "Größe zählt 🌱", tier2_links: 3 }), item(site.siteId)]
  const order = cart(items, { promo_code: promo.code, max_total_eur: 80 })
  const who = yield* buyer({ creditCents: 10_000 })
  const idempotencyKey = freshKey()
  const first = yield* postOrder(who.key, order, idempotencyKey)
  return { who, order, first, idempotencyKey }
})

const respelling = (order: OrderRequest, decisions: ReadonlyArray<number>): string => {
  let taken = 0
  const choose: Choose = (options) => (decisions[taken++ % decisions.length] ?? 0) % options
  const { items, promo_code = "", ...rest } = order
  const body = respelled(
    { ...rest, promo_code: mixedCase(promo_code, choose), items: items.map((one) => respelled(one, ABSENT, choose)) },
    ["sandbox_credit_cents"],
    choose
  )
  return `${gap(choose)}${spell(body, choose)}${gap(choose)}`
}

const NAME = "an equivalent request under the same key gets the same bytes"

export const equivalentRequestsSuite = scenarios("equivalent requests", {}, (it) => {
  it.effect(NAME, () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { who, order, first, idempotencyKey } = yield* opening
      const anyDecisions = fc.array(fc.nat(), { minLength: 64, maxLength: 64 })
      const check = Effect.fnUntraced(function* (decisions: ReadonlyArray<number>) {
        const body = respelling(order, decisions)
        const again = yield* postOrder(who.key, body, idempotencyKey)
        expect([again.status, isReplay(again), again.text], body).toEqual([201, true, first.text])
        expect(quotesOf(yield* books, who).length).toBe(1)
      })
      yield* holdsForAll(NAME, anyDecisions, check)
    })
  )
})
