// Catalogue pages and facets that the service and its clients keep: current as soon as the catalogue changes, and as guarded as others.
import { Effect } from "effect"
import { expect } from "vitest"
import { CatalogPage } from "#adapters/contract/catalogue/Catalog.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, issueKey } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, read } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"

const CATALOG = "/api/v1/agent/catalog"

/** Longer than the second in which every instance notices a change, on a machine that may be busy. */
const PATIENCE_MS = 10_000

export const keptPagesSuite = scenarios("kept pages", {}, (it) => {
  it.effect("a client that has the current page or facets gets no body again", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      yield* listSite({ nicheLabel: "Tags" })
      for (const path of [`${CATALOG}?niche=tags`, `${CATALOG}/facets`]) {
        const ask = (tag: string) => call("GET", path, { key, headers: { "if-none-match": tag } })
        const { status, headers, text } = yield* call("GET", path, { key })
        const tag = headers.get("etag") ?? ""
        expect([status, headers.get("cache-control")]).toEqual([200, "private, no-cache"])
        for (const current of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
          const answer = yield* ask(current)
          expect([answer.status, answer.text, answer.headers.get("etag")], current).toEqual([304, "", tag])
          expect(answer.headers.get("request-id")).toMatch(/^req_/)
        }
        for (const other of ['"other"', tag.slice(1, -1), `${tag.slice(0, -2)}"`]) {
          expect([(yield* ask(other)).status, (yield* ask(other)).text], other).toEqual([200, text])
        }
      }
    })
  )

  it.effect("each call of a kept page is authenticated, and live and sandbox have their own", () =>
    Effect.gen(function* () {
      const { accountId, key } = yield* buyer()
      yield* listSite({ nicheLabel: "Guarded" })
      const test = yield* issueKey(accountId, { mode: "sandbox" })
      const page = (of: string) => read(CatalogPage, of, `${CATALOG}?niche=guarded`)
      expect([(yield* page(key)).sandbox, (yield* page(test.key)).sandbox, (yield* page(key)).sandbox]).toEqual([
        false,
        true,
        false
      ])
      const live = yield* call("GET", `${CATALOG}?niche=guarded`, { key })
      const headers = { "if-none-match": live.headers.get("etag") ?? "" }
      expect((yield* call("GET", `${CATALOG}?niche=guarded`, { key: test.key, headers })).status).toBe(200)
      expect((yield* call("GET", `${CATALOG}?niche=guarded`, { headers })).status).toBe(401)
      const orderOnly = yield* issueKey(accountId, { scopes: ["order"] })
      expect((yield* call("GET", `${CATALOG}?niche=guarded`, { key: orderOnly.key, headers })).status).toBe(403)
    })
  )

  it.effect("a page that was kept has a new site within a second, on every instance", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      const total = Effect.map(read(CatalogPage, key, `${CATALOG}?niche=growing&limit=1`), (page) => page.total)
      for (let listed = 1; listed <= 3; listed++) {
        yield* listSite({ nicheLabel: "Growing" })
        const listedAtMs = performance.now()
        // Instances answer in turn: three in a row are all that there are.
        const noticed = Effect.map(Effect.all(times(3, () => total)), (totals) => totals.every((one) => one === listed))
        yield* Effect.repeat(noticed, {
          until: (isNoticed) => isNoticed || performance.now() - listedAtMs > PATIENCE_MS
        })
        expect(yield* noticed).toBe(true)
      }
    })
  )
})
