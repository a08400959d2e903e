// The frame of pages: the name of the service everywhere, the navigation with its counters, where an inner page belongs, and what waits.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cart, issueKey, item as linkOn } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

const NAME = "Nordlicht & Söhne"
const SHOWN = "Nordlicht &amp; Söhne"

const textAt = (path: string, token?: string) =>
  Effect.map(visit({ path, ...(token === undefined ? {} : { token }) }), ({ text }) => text)

layer(RunningService.layer({ SERVICE_NAME: NAME }))("the frame of pages", (it) => {
  it.effect(
    "has the name of the service, for strangers and for members, where nothing is and where something waits",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        const paths = ["/", "/account/sign-in", "/account/invitation", "/nothing-here", "/pay/none", "/oauth/authorize"]
        const headers = { accept: "text/html" }
        const texts = yield* Effect.forEach(paths, (path) => Effect.map(visit({ path, headers }), ({ text }) => text))
        for (const text of [...texts, yield* textAt("/account", owner)]) {
          assert.match(text, /<title>[^<]*Nordlicht &amp; Söhne<\/title>/)
          assert.include(text, `<span class="name">${SHOWN}</span></a>`)
        }
      })
  )

  it.effect("counts what waits for approval or payment and what is in the cart, of this account", () =>
    Effect.gen(function* () {
      const people = yield* openAccount
      const { owner, viewer } = people
      // Its credit is held for two orders, so that the others wait to be paid.
      const agent = yield* agentOf(people, 1_000)
      const { path } = pageOf(yield* agent.order())
      yield* agent.order({ anchor_text: "another" })
      const { siteId } = yield* listSite()
      const card = yield* issueKey(people.account.accountId)
      for (const anchor_text of ["one", "two", "three"])
        placedBy(yield* postOrder(card.key, cart([linkOn(siteId, { anchor_text })])))
      const item = {
        id: "one",
        site_id: String(siteId),
        anchor_type: "exact",
        tier2_links: "0",
        anchor_text: "tools"
      }
      const form = { ...item, target_url: "https://shop.example/" }
      yield* visit({ method: "POST", path: "/account/shop/cart", token: owner, form })
      const text = yield* textAt("/account/settings", owner)
      assert.include(text, 'Approvals <span class="count">2<span class="unseen"> to approve or decline</span></span>')
      assert.include(text, 'To pay <span class="count">3<span class="unseen"> awaiting payment</span></span>')
      assert.include(text, 'Menu <span class="count">5<span class="unseen"> wait</span></span></button>')
      assert.include(text, 'Cart <span class="pill">1<span class="unseen"> links in it</span></span>')
      const seen = yield* textAt("/account/settings", viewer)
      assert.include(seen, 'Approvals <span class="count">2')
      assert.notInclude(seen, "/account/shop/cart")
      assert.notInclude(yield* textAt("/account", (yield* openAccount).owner), 'class="count"')
      const list = yield* textAt("/account/approvals", owner)
      assert.include(list, `<a href="${path}">Assistant: 1 link to shop.example</a>`)
      yield* visit({ method: "POST", path: `${path}/decline`, token: owner, form: { reason: "" } })
      assert.include(yield* textAt("/account/approvals", owner), 'Approvals <span class="count">1')
      assert.notInclude(yield* textAt("/account/approvals", owner), path)
    })
  )

  it.effect("says where an inner page belongs, and nothing of it on the first pages", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const inner = yield* textAt("/account/settings/billing", owner)
      assert.match(inner, /aria-label="Breadcrumb"><ol>\s*<li><a href="\/account\/settings">Settings<\/a><\/li>/)
      assert.include(inner, '<span aria-current="page">On your invoices</span>')
      assert.include(inner, '<a href="/account/settings" aria-current="page">Settings</a>')
      assert.notInclude(yield* textAt("/account/settings", owner), "Breadcrumb")
    })
  )
})
