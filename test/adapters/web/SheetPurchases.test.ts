// A sheet of links in the Shop as it is bought: from credit, at the price and with the ticks that were shown, each row once, by its account alone.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { MAX_SHEET_ROWS, MAX_SHEETS } from "#core/domain/pricing/Sheet.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { customer, stateOf } from "./CartSteps.ts"
import { buy, buyForm, csv, HEAD, newSheet, rowsFor, SHEETS, uploadText } from "./SheetSteps.ts"
import { visit } from "./Visitors.ts"

const choose = (token: string, path: string, form: Readonly<Record<string, string>>) =>
  visit({ method: "POST", path: `${path}/rows`, token, form })

const PAGE = "https://shop.example/spring"

layer(RunningService.layer())("buying a sheet", (it) => {
  it.effect("takes the orders that credit covers, names what is missing, and offers a top-up of that amount", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(20_400)
      const { siteId } = yield* listSite()
      const path = yield* newSheet(owner, rowsFor(times(55, () => siteId)))
      const { text, form } = yield* buyForm(owner, path)
      for (const shown of [
        "Your credit of 204.00 EUR covers the first 2 of 3 orders.",
        "71.00 EUR is missing",
        '<a class="btn" href="/account/credit/top-ups?amount_eur=71.00">Top up 71.00 EUR</a>',
        "Order 40 links for 200.00 EUR from your credit",
        "not bought: credit is missing"
      ])
        assert.include(text, shown)
      const { cookies, status } = yield* buy(owner, path, form)
      assert.strictEqual(status, 303)
      const done = decodeURIComponent(cookies.join())
      assert.include(done, "40 links were ordered for 200.00 EUR from your credit, in 2 orders.")
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 2, quotes: 0, availableCents: 400, heldCents: 0 })
      yield* topUp(account.accountId, 7_100)
      // The form of before buys no more than what it showed.
      assert.strictEqual((yield* buy(owner, path, form)).status, 303)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 2, availableCents: 7_500 })
      const rest = yield* buyForm(owner, path)
      assert.include(rest.text, "15 ticked to be bought, 40 bought")
      yield* buy(owner, path, rest.form)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 3, availableCents: 0 })
    })
  )

  it.effect("is refused at a higher price or with other ticks than those that were shown", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(50_000)
      const site = yield* listSite()
      const path = yield* newSheet(owner, rowsFor([site.siteId, site.siteId]))
      const { form } = yield* buyForm(owner, path)
      yield* listSite({ ...site, shelf: "Nautilus" })
      const dearer = yield* buy(owner, path, form)
      assert.strictEqual(dearer.status, 409)
      assert.include(dearer.text, "The sheet or its price has changed since you opened this page")
      assert.include(dearer.text, "Order 2 links for 60.00 EUR")
      const seen = yield* buyForm(owner, path)
      assert.strictEqual((yield* choose(owner, path, { revision: "1", from: "1", row: "2" })).status, 303)
      assert.strictEqual((yield* choose(owner, path, { revision: "1", from: "1", row: "1" })).status, 409)
      assert.strictEqual((yield* buy(owner, path, seen.form)).status, 409)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 0, availableCents: 50_000 })
      const one = yield* buyForm(owner, path)
      assert.include(one.text, "Order 1 link for 30.00 EUR")
      yield* buy(owner, path, one.form)
      const { text } = yield* buyForm(owner, path)
      assert.include(text, "2 rows: 0 ticked to be bought, 1 bought")
    })
  )

  it.effect("leaves out what was ordered since it was ticked, says so, and takes it when it is ticked again", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(50_000)
      const { siteId } = yield* listSite()
      const rows = rowsFor([siteId, siteId])
      const [first, second] = [yield* newSheet(owner, rows), yield* newSheet(owner, `${rows}\n${siteId},${PAGE},other`)]
      const seen = yield* buyForm(owner, second)
      assert.include(seen.text, "Order 3 links for 15.00 EUR")
      yield* (yield* MovableClock).advance("1 minute")
      yield* buy(owner, first, (yield* buyForm(owner, first)).form)
      const late = yield* buy(owner, second, seen.form)
      assert.strictEqual(late.status, 409)
      assert.include(
        late.text,
        "2 rows that you ticked are not ticked any more, because their links were ordered since"
      )
      const now = yield* buyForm(owner, second)
      for (const shown of ["3 rows: 1 ticked to be bought", "Order 1 link for 5.00 EUR", "You ordered it</a>"])
        assert.include(now.text, shown)
      assert.notMatch(now.text, /value="1" checked/)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 1, availableCents: 49_000 })
      yield* (yield* MovableClock).advance("1 minute")
      yield* choose(owner, second, { revision: now.form.revision, from: "1", row: "2" })
      const again = yield* buyForm(owner, second)
      assert.include(again.text, "3 rows: 1 ticked to be bought")
      assert.notInclude(again.text, "not ticked any more")
      yield* buy(owner, second, again.form)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 2, availableCents: 48_500 })
    })
  )

  it.effect("buys no row in place of one that became unavailable, and calls nothing bought where nothing was", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(20 * 500)
      const [site, other] = [yield* listSite(), yield* listSite()]
      const path = yield* newSheet(owner, rowsFor([site.siteId, ...times(24, () => other.siteId)]))
      const { form } = yield* buyForm(owner, path)
      assert.strictEqual(form.rows, "1-20")
      yield* listSite({ ...site, open: false })
      const shifted = yield* buy(owner, path, form)
      assert.strictEqual(shifted.status, 409)
      assert.include(shifted.text, "The sheet or its price has changed since you opened this page")
      const next = yield* buyForm(owner, path)
      assert.strictEqual(next.form.rows, "2-21")
      yield* listSite({ ...other, open: false })
      const closed = yield* buy(owner, path, next.form)
      assert.strictEqual(closed.status, 409)
      assert.include(closed.text, "The sheet or its price has changed since you opened this page")
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 0, availableCents: 10_000 })
    })
  )

  it.effect("shows in a new sheet what was ordered in the last 90 days, unticked; it can be ticked all the same", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(50_000)
      const { siteId } = yield* listSite()
      const first = yield* newSheet(owner, csv(HEAD, [siteId, PAGE, "spring tools"]))
      yield* buy(owner, first, (yield* buyForm(owner, first)).form)
      assert.notInclude((yield* buyForm(owner, first)).text, "You ordered it")
      const rows = csv(
        HEAD,
        [siteId, "HTTPS://Shop.Example:443/spring#top", " spring  tools"],
        [siteId, `${PAGE}/`, "spring tools"]
      )
      const path = yield* newSheet(owner, rows)
      const { text, form } = yield* buyForm(owner, path)
      assert.include(text, "2 rows: 1 ticked to be bought, 0 bought")
      assert.match(text, /<a href="\/account\/orders\/ord_\w+">You ordered it<\/a>/)
      yield* choose(owner, path, { revision: form.revision, from: "1", row: "1" })
      yield* buy(owner, path, (yield* buyForm(owner, path)).form)
      yield* choose(owner, path, { revision: "2", from: "1", which: "new" })
      assert.include((yield* buyForm(owner, path)).text, "2 rows: 1 ticked to be bought, 1 bought")
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 2 })
    })
  )

  it.effect("goes over the pages of a long sheet, whose ticks are kept page by page", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(0)
      const { siteId } = yield* listSite()
      const path = yield* newSheet(owner, rowsFor(times(MAX_SHEET_ROWS, () => siteId)))
      const last = yield* visit({ path: `${path}?from=450`, token: owner })
      for (const shown of [
        "Rows 401 to 500 of 500",
        "500 ticked to be bought",
        "For all of them, 2,500.00 EUR is missing."
      ])
        assert.include(last.text, shown)
      assert.notInclude(last.text, "from your credit</button>")
      const { location } = yield* choose(owner, path, { revision: "1", from: "401", row: "500" })
      assert.strictEqual(location, `${path}?from=401`)
      assert.include((yield* visit({ path, token: owner })).text, "401 ticked to be bought")
      yield* choose(owner, path, { revision: "2", from: "401", which: "none" })
      assert.include((yield* visit({ path, token: owner })).text, "No row is ticked that can be bought.")
    })
  )

  it.effect(
    "is for its account: another one finds nothing, and changes nothing; it can be removed, and what was bought stays",
    () =>
      Effect.gen(function* () {
        const { owner, account } = yield* customer(5_000)
        const other = yield* customer(5_000)
        const { siteId } = yield* listSite()
        const { form: sent, answer } = yield* uploadText(owner, rowsFor([siteId, siteId]))
        const path = answer.location ?? ""
        const again = yield* visit({ method: "POST", path: SHEETS, token: owner, form: sent })
        assert.strictEqual(again.location, path)
        const { form } = yield* buyForm(owner, path)
        assert.strictEqual((yield* visit({ path, token: other.owner })).status, 404)
        assert.strictEqual((yield* buy(other.owner, path, form)).status, 404)
        assert.strictEqual((yield* choose(other.owner, path, { revision: "1", from: "1" })).status, 404)
        assert.strictEqual((yield* visit({ method: "POST", path: SHEETS, token: other.owner, form: sent })).status, 404)
        yield* visit({ method: "POST", path: `${path}/remove`, token: other.owner })
        yield* buy(owner, path, form)
        assert.include((yield* visit({ path: SHEETS, token: owner })).text, path)
        for (const _ of times(2, () => 0)) {
          const removed = yield* visit({ method: "POST", path: `${path}/remove`, token: owner })
          assert.strictEqual(removed.location, SHEETS)
        }
        assert.strictEqual((yield* visit({ path, token: owner })).status, 404)
        assert.deepInclude(yield* stateOf(account.accountId), { orders: 1, availableCents: 4_000 })
        for (const _ of times(MAX_SHEETS, () => 0)) yield* newSheet(owner, rowsFor([siteId]))
        const full = yield* uploadText(owner, rowsFor([siteId]))
        assert.strictEqual(full.answer.status, 409)
        assert.include(full.answer.text, `You have ${MAX_SHEETS} sheets already`)
      })
  )
})
