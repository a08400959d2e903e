// Lists of what waits: the soonest deadline first, cut lists that say how many more there are, and the sandbox apart from live quotes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { WAITING_SHOWN } from "#core/usecases/ordering/ViewWaiting.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { by, cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const page = (path: string, token: string) => Effect.map(visit({ path, token }), ({ text }) => text)

/** The quotes whose approval a page offers as its rows, in their order. */
const rowsOf = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/href="\/account\/approvals\/(q_[^"]+)"/g)].map(([, quoteId = ""]) => quoteId))
]

/** An account without credit, whose one agent asks for every order and whose other one leaves all to be paid by card. */
const opened = Effect.gen(function* () {
  const people = yield* openAccount
  const { accountId } = people.account
  const { siteId } = yield* listSite()
  const [asking, paying] = [
    yield* issueKey(accountId, { limits: { approveAboveCents: 0, dailyOrderCap: 0 } }),
    yield* issueKey(accountId, { limits: { dailyOrderCap: 0 } })
  ]
  const place = (key: typeof asking.key, anchor_text: string) =>
    Effect.map(postOrder(key, cart([item(siteId, { anchor_text })])), placedBy)
  const many = (key: typeof asking.key, count: number) =>
    Effect.forEach(
      times(count, (nth) => nth),
      (nth) => place(key, `link ${nth}`)
    )
  return { ...people, asking, paying, place, many, siteId }
})

layer(RunningService.layer())("lists of what waits", (it) => {
  it.effect("show what waits for approval however many unpaid quotes are fresher, the soonest deadline first", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { owner, asking, paying, place, many } = yield* opened
      const asked: Array<string> = []
      for (const anchor of ["one", "two", "three"]) {
        asked.push((yield* place(asking.key, anchor)).quote_id ?? "")
        yield* advance("1 minute")
      }
      yield* many(paying.key, 21)
      assert.deepStrictEqual(rowsOf(yield* page("/account/approvals", owner)), asked)
      const overview = yield* page("/account", owner)
      assert.deepStrictEqual(rowsOf(overview), asked)
      assert.include(overview, `<a href="/account/quotes?state=payment">and ${21 - WAITING_SHOWN} more to pay</a>`)
      assert.notInclude(overview, "more to approve")
      assert.include(overview, "available for orders now")
      const tabs = yield* page("/account/quotes", owner)
      assert.include(tabs, `aria-current="true">To pay 21</a>`)
      assert.include(tabs, `<a href="/account/quotes?state=approval">To approve 3</a>`)
      assert.include(tabs, 'To pay <span class="count">21<')
      assert.notInclude(tabs, asked[0] ?? "-")
      assert.include(yield* page("/account/quotes?state=ended", owner), "No order was declined or withdrawn")
      assert.include(overview, `href="/account/quotes?state=all">All unpaid orders`)
      assert.notInclude(overview, "Decide by")
    })
  )

  it.effect("say how many more wait for approval, and lead to them", () =>
    Effect.gen(function* () {
      const { owner, asking, many, account } = yield* opened
      yield* topUp(account.accountId, 500)
      const asked = yield* many(asking.key, 23)
      const overview = yield* page("/account", owner)
      assert.include(overview, `<a href="/account/approvals">and ${23 - WAITING_SHOWN} more to approve or decline</a>`)
      assert.include(overview, "5.00 EUR more is held for 1 order that waits for your approval<")
      const first = yield* page("/account/approvals", owner)
      assert.include(first, ">and 3 more</a>")
      const next = /<a rel="next" href="([^"]+)"/.exec(first)?.[1] ?? ""
      const second = yield* page(next, owner)
      assert.deepStrictEqual([rowsOf(first).length, rowsOf(second).length], [20, 3])
      assert.deepStrictEqual(
        new Set([...rowsOf(first), ...rowsOf(second)]),
        new Set(asked.map(({ quote_id }) => quote_id ?? ""))
      )
      assert.notInclude(second, 'rel="next"')
      assert.strictEqual((yield* visit({ path: "/account/approvals?after=%00x", token: owner })).status, 200)
    })
  )

  it.effect("keep the sandbox apart from live quotes, name few sites, and ignore an unknown state", () =>
    Effect.gen(function* () {
      const { owner, viewer, account, paying, place } = yield* opened
      const { quote_id = "" } = yield* place(paying.key, "card")
      const sandbox = yield* issueKey(account.accountId, { mode: "sandbox", limits: { approveAboveCents: 0 } })
      const sites = yield* Effect.forEach(
        times(5, (nth) => nth),
        () => listSite()
      )
      const { quote_id: tried = "" } = placedBy(
        yield* postOrder(sandbox.key, cart(sites.map(({ siteId }) => item(siteId))))
      )
      const address = "/account/quotes?state=approval&amp;mode=sandbox"
      assert.include(yield* page("/account", owner), `href="${address}"`)
      const listed = yield* page(address.replaceAll("&amp;", "&"), owner)
      assert.include(listed, `/account/approvals/${tried}`)
      assert.include(listed, 'href="/account/quotes?state=payment&amp;mode=sandbox"')
      assert.include(listed, "and 3 more")
      const unpaid = yield* page("/account/quotes", owner)
      assert.match(
        unpaid,
        /<a class="btn main sm" href="[^"]+" aria-label="Pay 5\.00 EUR: 1 link to brand\.example">Pay<\/a>/
      )
      assert.include(unpaid, `href="/account/quotes/${quote_id}/withdraw"`)
      const seen = yield* page("/account/quotes", viewer)
      assert.include(seen, "an owner pays")
      assert.notInclude(seen, "/withdraw")
      for (const asked of ["constructor", "toString", "__proto__"]) {
        const { status, text } = yield* visit({ path: `/account/quotes?state=${asked}`, token: owner })
        assert.deepStrictEqual([status, text.includes(`/account/quotes/${quote_id}`)], [200, true], asked)
      }
      assert.include(yield* page(`/account/quotes/${quote_id}`, owner), "; it expires")
      yield* visit({ method: "POST", path: `/account/approvals/${tried}/decline`, token: owner, form: { reason: "" } })
      assert.notInclude(yield* page(`/account/quotes/${tried}`, owner), "; it expires")
    })
  )

  it.effect("show the keys that ended last, and the others behind a link", () =>
    Effect.gen(function* () {
      const { owner, account, asking } = yield* opened
      const { advance } = yield* MovableClock
      const { revoke } = yield* Credentials
      const ended = yield* Effect.forEach(
        times(21, (nth) => nth),
        () => Effect.tap(issueKey(account.accountId), ({ keyId }) => revoke(keyId, by))
      )
      yield* advance("1 minute")
      yield* revoke(asking.keyId, by)
      const keysOf = (text: string) => [...text.matchAll(/orders\?key=(key_[^"]+)"/g)].map(([, keyId]) => keyId)
      const first = yield* page("/account/keys", owner)
      assert.include(first, ">and 2 more</a>")
      const shown = keysOf(first)
      assert.deepStrictEqual([shown.length, shown[0]], [20, asking.keyId])
      const rest = keysOf(yield* page(/<a rel="next" href="([^"]+)"/.exec(first)?.[1] ?? "", owner))
      assert.deepStrictEqual(new Set([...shown, ...rest]), new Set([asking.keyId, ...ended.map(({ keyId }) => keyId)]))
      assert.strictEqual(rest.length, 2)
      assert.include(first, "its orders that wait for approval end")
      assert.include(first, "it can spend all my credit")
    })
  )
})
