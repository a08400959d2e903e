// `/sites`: the catalogue for everyone, where the operator shows it, bounded for strangers; and what search engines are told.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SEARCHES } from "#adapters/web/front/StrangersSearches.ts"
import { makeBrowser } from "#test/adapters/oauth/Browser.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { linkTo, openAccount, visit } from "./Visitors.ts"

const domainsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<th scope="row"><a href="\/account\/shop\/sites\/\d+">([^<]+)</g)].map(([, domain = ""]) => domain)

const sites = (path: string) => visit({ path })

layer(RunningService.layer({ PUBLIC_CATALOGUE: "on", SUPPORT_CONTACT: "hello@shop.example" }))(
  "the public catalogue",
  (it) => {
    it.effect("lists all sites in pages, and leaves out what a filter excludes", () =>
      Effect.gen(function* () {
        const listed = yield* Effect.forEach(Array.from({ length: 23 }), () =>
          listSite({ nicheLabel: "Beekeeping", tf: 33 })
        )
        const odd = yield* listSite({ nicheLabel: "Falconry", tf: 77, trafficMonthly: 12_345 })
        const first = yield* sites("/sites?niche=beekeeping")
        assert.strictEqual(first.status, 200)
        assert.include(first.text, "23 sites")
        const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
        const second = yield* sites(next)
        const shown = [...domainsIn(first.text), ...domainsIn(second.text)]
        assert.sameMembers(
          shown,
          listed.map(({ domain }) => domain)
        )
        const strong = yield* sites("/sites?min_tf=70&sort=-tf")
        assert.deepStrictEqual(domainsIn(strong.text), [odd.domain])
        for (const shownOfIt of ["Falconry", "12,345", ">77<", "EUR"]) assert.include(strong.text, shownOfIt)
        const none = yield* sites("/sites?niche=falkonry")
        assert.include(none.text, "No site matches")
        assert.include(none.text, 'href="/sites?niche=Falconry"')
        const unlike = yield* sites("/sites?query=zzz")
        assert.include(unlike.text, "No site matches")
        assert.notInclude(unlike.text, "come near")
      })
    )

    it.effect("asks for nothing that is shown to members alone", () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite({ nicheLabel: "Members" })
        yield* listArticle(siteId)
        const all = yield* sites("/sites?niche=members")
        for (const name of ["article_query", "has_articles", "not_linking_to", "link_rel", "max_turnaround_days"])
          assert.notInclude(all.text, `name="${name}"`)
        // Ignored, so that the answer tells nothing.
        const asked = yield* sites("/sites?niche=members&has_articles=false&not_linking_to=a.example&article_query=x")
        assert.deepStrictEqual(domainsIn(asked.text), domainsIn(all.text))
      })
    )

    it.effect("says beside the field what is wrong, and where a list ended", () =>
      Effect.gen(function* () {
        const wrong = yield* sites("/sites?min_tf=many")
        assert.strictEqual(wrong.status, 422)
        assert.match(wrong.text, /id="min_tf"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="min_tf"/)
        const over = yield* sites("/sites?cursor=bm90aGluZw")
        assert.strictEqual(over.status, 410)
        assert.include(over.text, 'href="/sites"')
      })
    )

    it.effect("leads a stranger through the sign-in to the site in the Shop, and a member there at once", () =>
      Effect.gen(function* () {
        const { domain } = yield* listSite({ nicheLabel: "Way" })
        const { ownerEmail, owner } = yield* openAccount
        const path = /href="(\/account\/shop\/sites\/\d+)"/.exec((yield* sites("/sites?niche=way")).text)?.[1] ?? ""
        const browser = yield* makeBrowser()
        assert.strictEqual((yield* browser.get(path)).location, "/account/sign-in")
        const { location } = yield* browser.post("/account/sign-in/use", { token: yield* linkTo(ownerEmail) })
        assert.strictEqual(location, path)
        assert.include((yield* browser.get(path)).text, domain)
        assert.include((yield* visit({ path, token: owner })).text, domain)
      })
    )

    it.effect(
      "is found by search engines: the list itself, its address without filters, and the pages that there are",
      () =>
        Effect.gen(function* () {
          const { url } = yield* RunningService.RunningService
          const list = yield* sites("/sites")
          assert.strictEqual(list.headers.get("x-robots-tag"), "all")
          assert.include(list.text, `<link rel="canonical" href="${new URL(url).origin}/sites">`)
          assert.match(list.text, /<meta name="description" content="[^"]{40,160}">/)
          const filtered = yield* sites("/sites?min_tf=1")
          assert.strictEqual(filtered.headers.get("x-robots-tag"), "noindex, follow")
          assert.include(filtered.text, `<link rel="canonical" href="${new URL(url).origin}/sites">`)
          const start = yield* sites("/")
          assert.strictEqual(start.headers.get("x-robots-tag"), "all")
          assert.include(start.text, 'href="mailto:hello@shop.example"')
          assert.strictEqual((yield* sites("/account/sign-in")).headers.get("x-robots-tag"), "noindex, nofollow")
          const robots = yield* sites("/robots.txt")
          const map = /^Sitemap: (.*)$/m.exec(robots.text)?.[1] ?? ""
          const pages = [...(yield* sites(new URL(map).pathname)).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
            ([, page = ""]) => page
          )
          assert.sameMembers(
            pages.map((page) => new URL(page).pathname),
            ["/", "/sites"]
          )
          for (const page of pages) assert.strictEqual((yield* sites(new URL(page).pathname)).status, 200)
        })
    )
  }
)

layer(RunningService.layer({ PUBLIC_CATALOGUE: "on", TRUSTED_PROXIES: "127.0.0.1" }))("a flood of searches", (it) => {
  it.effect("is refused by network, while others, the first list and agents are answered", () =>
    Effect.gen(function* () {
      const from = (address: string, path: string) => visit({ path, headers: { "x-forwarded-for": address } })
      const flood = Array.from({ length: SEARCHES.network * 3 }, (_, nth) =>
        from("198.51.100.7", `/sites?query=flood-${nth}`)
      )
      // A minute's turn would let as many in again.
      yield* (yield* MovableClock).hold
      const answers = yield* Effect.all(flood, { concurrency: 20 })
      assert.strictEqual(answers.filter(({ status }) => status === 200).length, SEARCHES.network)
      const [refused] = answers.filter(({ status }) => status === 429)
      assert.match(refused?.headers.get("retry-after") ?? "", /^\d+$/)
      assert.include(refused?.text ?? "", "Too many searches")
      assert.strictEqual((yield* from("198.51.100.7", "/sites")).status, 200)
      assert.strictEqual((yield* from("203.0.113.9", "/sites?query=flood-x")).status, 200)
    })
  )
})

layer(RunningService.layer())("a catalogue that is not public", (it) => {
  it.effect("says so in words of people, also to programs, and names no site", () =>
    Effect.gen(function* () {
      const { domain } = yield* listSite({ nicheLabel: "Hidden" })
      for (const accept of ["text/html", "*/*"]) {
        const { status, text } = yield* visit({ path: "/sites?niche=hidden", headers: { accept } })
        assert.strictEqual(status, 404)
        assert.include(text, "<h1>The sites are not shown here</h1>")
        assert.notInclude(text, domain)
      }
      const start = yield* visit({ path: "/" })
      assert.notInclude(start.text, domain)
      assert.notInclude(start.text, 'href="/sites"')
      assert.include(start.text, "Hidden (1)")
    })
  )

  it.effect("asks search engines to stay away", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/sites", "/help"])
        assert.strictEqual((yield* visit({ path })).headers.get("x-robots-tag"), "noindex, nofollow", path)
      for (const path of ["/robots.txt", "/sitemap.xml"]) assert.strictEqual((yield* visit({ path })).status, 404)
    })
  )
})
