// The page of credit: an order that credit covers at once is one movement, one that waited for approval is held and then paid.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

/** What the table of movements says of each, newest first: who bought what, and what became of the money. */
const movementsOn = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<tr>\s*<th scope="row">([\s\S]*?)<\/th>[\s\S]*?<td class="money">([^<]+)<\/td>/g)].map(
    ([, what = "", change]) =>
      `${what
        .replace(/<br><small><code>.*$/, "")
        .replaceAll(/<br>/g, " / ")
        .replaceAll(/<[^>]*>/g, "")}: ${change}`
  )

layer(RunningService.layer())("the page of credit", (it) => {
  it.effect("shows an order that credit covers as one movement", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      yield* topUp(account.accountId, 700)
      const { siteId } = yield* listSite()
      const { api } = yield* issueKey(account.accountId)
      yield* api.orders.createOrder({ payload: cart([item(siteId)]), headers: {} })
      const { text } = yield* visit({ path: "/account/credit", token: owner })
      assert.deepStrictEqual(movementsOn(text), [
        "scenario: 1 link to brand.example / Paid for an order: −5.00 EUR",
        "Top-up: +7.00 EUR"
      ])
      const csv = (yield* visit({ path: "/account/credit.csv", token: owner })).text.trim().split("\n")
      assert.deepStrictEqual(
        csv.map((line) => line.replace("\uFEFF", "").split(",").slice(0, 2).join(" ")),
        ["by target_domains", "scenario brand.example", " "]
      )
    })
  )

  it.effect("shows an order that waited for approval as held, and then as paid", () =>
    Effect.gen(function* () {
      const people = yield* openAccount
      const quote = yield* (yield* agentOf(people, 700)).order()
      const { path, form } = pageOf(quote)
      yield* visit({ method: "POST", path: `${path}/approve`, token: people.owner, form })
      const { text } = yield* visit({ path: "/account/credit", token: people.owner })
      assert.deepStrictEqual(movementsOn(text), [
        "Assistant: 1 link to shop.example / Paid for an order: −5.00 EUR",
        "Assistant: 1 link to shop.example / Held for an open quote: 5.00 EUR held",
        "Top-up: +7.00 EUR"
      ])
    })
  )
})
