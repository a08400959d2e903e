// The style sheet: served once per version, small, and fit for narrow screens; pages allow no inline style or script.
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { assert, expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PAGE_HEADERS } from "#adapters/html/Document.ts"
import { markUrl, stylesheetUrl } from "#adapters/html/Stylesheet.ts"
import { messagePage } from "#adapters/web/payment/PaymentPage.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"

const SERVICE = { serviceName: "A service", imprint: { company: null, contact: null, pages: [] } }

const style = readFileSync(new URL("../../../adapters/html/style.css", import.meta.url), "utf8")

it("breaks between words, and anywhere only in what is marked as long, such as an order id", () => {
  expect(style).toMatch(/\nbody \{[^}]*overflow-wrap: break-word;/)
  expect(style.match(/[^}]*\{[^}]*overflow-wrap: anywhere;/g)).toHaveLength(1)
  expect(style).toMatch(/\n\.long,\npre \{\n {2}overflow-wrap: anywhere;/)
})

it("stacks the cells of a line when there is no room side by side", () => {
  expect(style).toMatch(/@container \(max-width: 54rem\) \{[^@]*\n {2}tr \{\n {4}display: flex;/)
})

/** The tokens of a scheme: dark sets those anew that differ. */
const tokensOf = (block: string): ReadonlyMap<string, string> =>
  new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", colour = ""]) => [name, colour]))

const [light = "", dark = ""] = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, block]) => block)

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

const STATES = ["ok", "wait", "bad", "info"] as const
const PAPERS = ["canvas", "surface", "off-weak", ...STATES.map((state) => `${state}-weak`)]

/** What stands on what, and at least how clearly. */
const PAIRS: ReadonlyArray<readonly [least: number, ink: string, papers: ReadonlyArray<string>]> = [
  [7, "ink", PAPERS],
  [7, "muted", PAPERS],
  [4.5, "accent", ["canvas", "surface", "accent-weak"]],
  [4.5, "on-accent", ["accent"]],
  [3, "field", ["canvas", "surface"]],
  ...STATES.map((state) => [4.5, state, [`${state}-weak`, "surface"]] as const)
]

it.each([
  ["light", tokensOf(light)],
  ["dark", new Map([...tokensOf(light), ...tokensOf(dark)])]
] as const)(
  "can be read on %s: text at 7 to 1, states and links at 4.5 to 1, frames of fields at 3 to 1",
  (_, tokens) => {
    const pale = PAIRS.flatMap(([least, ink, papers]) =>
      papers.flatMap((paper) => {
        const found = contrast(tokens.get(ink) ?? "", tokens.get(paper) ?? "")
        return found >= least ? [] : [`${ink} on ${paper}: ${found.toFixed(2)}`]
      })
    )
    expect(pale).toEqual([])
  }
)

it("has no style or script in the page itself, and its policy allows none", () => {
  expect(messagePage("Title", "Text")(SERVICE)).not.toMatch(/<style|<script|style=/)
  expect(PAGE_HEADERS["content-security-policy"]).not.toContain("unsafe")
})

layer(RunningService.layer())("the style sheet", (it) => {
  it.effect("is sent once per version", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const get = (headers: Readonly<Record<string, string>> = {}) =>
        Effect.promise(() => fetch(new URL(stylesheetUrl, url), { headers }))
      const first = yield* get()
      assert.strictEqual(first.headers.get("content-type"), "text/css; charset=utf-8")
      assert.strictEqual(yield* Effect.promise(() => first.text()), style)
      assert.match(first.headers.get("cache-control") ?? "", /^public, max-age=\d+$/)
      const again = yield* get({ "if-none-match": first.headers.get("etag") ?? "" })
      assert.strictEqual(again.status, 304)
      assert.strictEqual((yield* get({ "if-none-match": '"other"' })).status, 200)
      assert.isBelow(gzipSync(style).length, 7_168)
    })
  )

  it.effect("has a mark beside it, which every page names as its icon", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.RunningService
      const mark = yield* Effect.promise(() => fetch(new URL(markUrl, url)))
      assert.deepStrictEqual([mark.status, mark.headers.get("content-type")], [200, "image/svg+xml"])
      assert.match(mark.headers.get("cache-control") ?? "", /^public, max-age=\d+$/)
      assert.include(messagePage("Title", "Text")(SERVICE), `<link rel="icon" type="image/svg+xml" href="${markUrl}">`)
    })
  )
})
