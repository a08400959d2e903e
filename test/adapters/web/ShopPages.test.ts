// The Shop's catalogue: filters as of the API, pages, what a search without a hit says, and one site in full.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { demoKeys } from "#adapters/demo/Demo.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const HOSTILE = `<script>document.title = "stolen"</script><img src=x onerror=alert(1)>"'`

const sitesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/href="\/account\/shop\/sites\/(\d+)"/g)].map(([, id = ""]) => id)

const nextIn = (text: string): string => (/rel="next" href="([^"]+)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&")

layer(RunningService.layer({ DEMO: "on" }))("catalogue", (it) => {
  it.effect("finds what the API finds by the same filters, several values included", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { url } = yield* RunningService.RunningService
      const queries = [
        "",
        "shelf=Corail&shelf=Nautilus&sort=-tf",
        "language=fr&language=de&max_price_eur=15",
        "min_tf=30&min_traffic=1000&sort=-traffic",
        "link_rel=dofollow&sort=price",
        "query=garden"
      ]
      for (const query of queries) {
        const api = yield* Effect.promise(() =>
          fetch(`${url}/api/v1/agent/catalog?${query}`, {
            headers: { authorization: `Bearer ${demoKeys[0]?.text}` }
          }).then((response) => response.json())
        )
        const { status, text } = yield* visit({ path: `/account/shop?${query}`, token: owner })
        assert.strictEqual(status, 200)
        const ids = api.sites.map(({ id }: { readonly id: number }) => String(id))
        assert.deepStrictEqual([query, sitesIn(text)], [query, ids])
        assert.isAbove(api.total, 0)
        assert.include(
          text,
          ids.length < api.total ? `<h2>1 to ${ids.length} of ${api.total} sites</h2>` : `<h2>${api.total} site`
        )
      }
    })
  )

  it.effect("leads through all sites, each once, and keeps the filters", () =>
    Effect.gen(function* () {
      const { viewer } = yield* openAccount
      const seen: Array<string> = []
      let path = "/account/shop?shelf=Plancton&sort=-tf&unknown=1"
      for (let pages = 0; path !== "" && pages < 20; pages++) {
        const { text } = yield* visit({ path, token: viewer })
        assert.include(text, 'value="Plancton" checked')
        seen.push(...sitesIn(text))
        path = nextIn(text)
      }
      assert.isAbove(seen.length, 20)
      assert.strictEqual(new Set(seen).size, seen.length)
    })
  )

  it.effect("says which niches come near where nothing is found, and nothing of what was not asked for", () =>
    Effect.gen(function* () {
      const { viewer } = yield* openAccount
      const { status, text } = yield* visit({ path: "/account/shop?niche=Gardenin", token: viewer })
      assert.strictEqual(status, 200)
      assert.include(text, "No site matches")
      assert.include(text, 'href="/account/shop?niche=Gardening"')
      assert.notInclude(text, ">English</a>")
    })
  )

  it.effect("says beside the field what is wrong with a filter, and keeps it", () =>
    Effect.gen(function* () {
      const { viewer } = yield* openAccount
      const path = "/account/shop?min_tf=many&max_price_eur=7,50&not_linking_to=no domain"
      const { status, text } = yield* visit({ path, token: viewer })
      assert.strictEqual(status, 422)
      assert.include(text, 'id="min_tf-error"')
      assert.include(text, 'id="not_linking_to-error"')
      assert.notInclude(text, 'id="max_price_eur-error"')
      assert.include(text, 'value="many"')
    })
  )

  it.effect("a cursor that is none, or of other filters, is refused", () =>
    Effect.gen(function* () {
      const { viewer } = yield* openAccount
      const path = nextIn((yield* visit({ path: "/account/shop?sort=-tf", token: viewer })).text)
      for (const wrong of ["/account/shop?cursor=none", path.replace("sort=-tf", "sort=price")])
        assert.strictEqual((yield* visit({ path: wrong, token: viewer })).status, 422)
    })
  )
})

layer(RunningService.layer())("site", (it) => {
  it.effect("shows every figure and the articles that take a link, and escapes their texts", () =>
    Effect.gen(function* () {
      const { viewer } = yield* openAccount
      const { siteId } = yield* listSite({ nicheLabel: HOSTILE, trafficMonthly: 1_234_567, cf: 41, rd: 987 })
      yield* listArticle(siteId, { title: HOSTILE, priceCents: 1_234 })
      const { status, text } = yield* visit({ path: `/account/shop/sites/${siteId}`, token: viewer })
      assert.strictEqual(status, 200)
      for (const shown of [
        "1,234,567",
        "41",
        "987",
        "12.34 EUR",
        "+4.00 EUR",
        "<dt>Links ordered here</dt><dd>none yet</dd>"
      ])
        assert.include(text, shown)
      assert.notInclude(text, "<script>document")
      assert.notInclude(text, "<img src=x")
      assert.include(text, "&lt;script&gt;")
    })
  )

  it.effect("says first what a link costs, what one gets, when, and what may still be changed, then the figures", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* openAccount
      const { siteId } = yield* listSite({ shelf: "Corail", linkRel: "nofollow" })
      const path = `/account/shop/sites/${siteId}`
      const { text } = yield* visit({ path, token: owner })
      const asked = [
        "15.00 EUR</span>",
        "You get",
        "within 7 days of your order",
        "Until a writer begins, you can cancel a link; until its text is written, you can change it.",
        "nofollow: marked"
      ]
      const places = [...asked, "Trust Flow, of 100", 'href="/help#figures"', 'id="order"'].map((one) =>
        text.indexOf(one)
      )
      assert.notInclude(places, -1)
      assert.deepStrictEqual(
        places,
        places.toSorted((a, b) => a - b)
      )
      assert.include(text, 'href="#order">Order a link here')
      assert.notInclude((yield* visit({ path, token: viewer })).text, "Order a link here")
      const row = (yield* visit({ path: "/account/shop?link_rel=nofollow", token: owner })).text
      assert.include(row, `href="${path}#order"`)
      assert.include(row, "<small>nofollow</small>")
      assert.notInclude((yield* visit({ path: "/account/shop", token: viewer })).text, '#order"')
    })
  )

  it.effect("one that takes no orders says so; one that does not exist is not found", () =>
    Effect.gen(function* () {
      const { viewer } = yield* openAccount
      const { siteId } = yield* listSite({ open: false })
      const { text } = yield* visit({ path: `/account/shop/sites/${siteId}`, token: viewer })
      assert.include(text, "takes no orders at the moment")
      for (const none of ["0", "99999999999", "none", "2147483647"])
        assert.strictEqual((yield* visit({ path: `/account/shop/sites/${none}`, token: viewer })).status, 404)
    })
  )
})
