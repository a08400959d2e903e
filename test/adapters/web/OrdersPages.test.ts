// Orders of an account with more orders than one page examines: a search says how far it came and goes on from there, dates begin and end it,
// and the CSV has every match.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { placerText } from "#adapters/web/Wording.ts"
import { EXAMINED_ORDERS } from "#core/ports/ordering/Orders.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { ownerOf } from "#test/scenarios/ConnectionSteps.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { buyInShop } from "#test/scenarios/ShopSteps.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

const OLDER = /<a rel="next" href="([^"]+)">Search older orders<\/a>/

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

layer(RunningService.layer())("a search in many orders", (it) => {
  it.effect("goes on where a page stopped, and dates begin and end it", () =>
    Effect.gen(function* () {
      const { advance, nowMs } = yield* MovableClock
      const { ownerEmail, account } = yield* openAccount
      yield* topUp(account.accountId, 900_000)
      const { siteId } = yield* listSite()
      const { api } = yield* issueKey(account.accountId)
      const place = (count: number, anchor: string) =>
        Effect.forEach(
          times(count, (nth) => nth),
          (nth) =>
            api.orders.createOrder({
              payload: cart([
                item(siteId, { anchor_text: `${anchor} ${nth}`, target_url: `https://${anchor}.example/` })
              ]),
              headers: {}
            }),
          { concurrency: 20, discard: true }
        )
      const days: Array<string> = []
      for (const [count, anchor] of [
        [3, "oldest"],
        [EXAMINED_ORDERS, "many"],
        [2, "newest"]
      ] as const) {
        days.push(dayOf(nowMs()))
        yield* place(count, anchor)
        yield* advance("3 days")
      }
      const [first = "", , third = ""] = days
      const token = yield* signIn(ownerEmail)
      const search = (query: string) => visit({ path: `/account/orders?${query}`, token })
      const countIn = (text: string) =>
        text.match(/<tr>\s*<th scope="row"><a href="\/account\/orders\/ord_/g)?.length ?? 0

      for (const query of ["target_domain=oldest.example", "text=oldest"]) {
        const page = yield* search(query)
        assert.strictEqual(countIn(page.text), 0, query)
        assert.include(page.text, "No match yet: the orders back to")
        const older = OLDER.exec(page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
        assert.include(older, query)
        const next = yield* visit({ path: older, token })
        assert.strictEqual(countIn(next.text), 3, query)
        assert.notMatch(next.text, OLDER)
        // Its whole id finds an order at once.
        const [, id = ""] = /<th scope="row"><a href="\/account\/orders\/(ord_\w+)"/.exec(next.text) ?? []
        assert.strictEqual(countIn((yield* search(`text=${id}`)).text), 1, id)
        const csv = yield* visit({ path: `/account/orders.csv?${query}`, token })
        assert.strictEqual(csv.text.trimEnd().split("\r\n").length, 4, query)
      }

      const some = yield* search("text=newest")
      assert.deepStrictEqual([countIn(some.text), OLDER.test(some.text)], [2, true])
      assert.include(some.text, "There may be more: the orders back to")

      // What is newer than the last day is not examined, and what is older than the first one ends the search.
      const old = yield* search(`created_to=${first}&text=oldest`)
      assert.deepStrictEqual([countIn(old.text), OLDER.test(old.text)], [3, false])
      const late = yield* search(`created_from=${third}`)
      assert.deepStrictEqual([countIn(late.text), OLDER.test(late.text)], [2, false])

      for (const path of ["/account/orders", "/account/orders.csv"]) {
        const backwards = yield* visit({ path: `${path}?created_from=${third}&created_to=${first}`, token })
        assert.deepStrictEqual([backwards.status, backwards.text.includes("<tr>")], [422, false], path)
        assert.notInclude(backwards.text, "before created_from")
      }

      const none = yield* search("text=nothing+like+it")
      const end = yield* visit({ path: OLDER.exec(none.text)?.[1]?.replaceAll("&amp;", "&") ?? "", token })
      assert.include(end.text, "No order matches")
    })
  )

  it.effect("names who placed an order: the key, or the member's address, which people may see", () =>
    Effect.gen(function* () {
      const { ownerEmail, account, viewer, owner } = yield* openAccount
      yield* topUp(account.accountId, 900_000)
      const { api } = yield* issueKey(account.accountId)
      const { siteId } = yield* listSite()
      const { order_id } = yield* api.orders.createOrder({ payload: cart([item(siteId)]), headers: {} })
      const inShop = yield* buyInShop(yield* ownerOf(account.accountId))
      const { owner: stranger } = yield* openAccount
      const found = (query: string, token = owner) =>
        Effect.map(visit({ path: `/account/orders?text=${order_id}${query}`, token }), ({ text }) =>
          text.includes(`href="/account/orders/${order_id}"`)
        )
      assert.deepStrictEqual(
        [
          yield* found(""),
          yield* found("&status=completed"),
          yield* found("&mode=sandbox"),
          yield* found("", stranger)
        ],
        [true, false, false, false]
      )
      const at = (path: string, token: string) => Effect.map(visit({ path, token }), ({ text }) => text)
      for (const token of [owner, viewer]) {
        assert.include(yield* at(`/account/orders/${order_id}`, token), ", by scenario<")
        assert.include(yield* at(`/account/orders/${inShop.orderId}`, token), `, by ${ownerEmail}, in the Shop<`)
        assert.include(yield* at(`/account/quotes/${inShop.quoteId}`, token), ` by ${ownerEmail}.`)
        const lines = (yield* at("/account/orders.csv", token)).trimEnd().split("\r\n")
        assert.deepStrictEqual(
          lines.map((line) => line.split(",")[0]?.replace("\uFEFF", "")),
          ["ordered_by", ownerEmail, "scenario"]
        )
      }
      assert.strictEqual(placerText(inShop, [], []), "a member")
    })
  )
})
