// The order of a cart: at once from credit or by a payment link, once, at the price that was shown, and its discounts.
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { definePromo, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { CART, customer, hiddenIn, order, orderForm, put, stateOf } from "./CartSteps.ts"
import { openAccount, visit, withoutBreaks } from "./Visitors.ts"

layer(RunningService.layer())("order of a cart", (it) => {
  it.effect("is priced as by a dry run, and ordered from credit; then it is empty, and the order is shown", () =>
    Effect.gen(function* () {
      const { owner, viewer, account } = yield* customer(5_000)
      const { siteId, domain } = yield* listSite()
      yield* put(owner, siteId, { tier2_links: "3", brief: "Write about\r\nspring." })
      const { text, form } = yield* orderForm(owner)
      for (const shown of [domain, "“spring tools”", "3 tier-2 links", "15.00 EUR", "from your credit"])
        assert.include(text, shown)
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 5_000, orders: 0 })
      const { status, location, cookies } = yield* order(owner, form)
      assert.strictEqual(status, 303)
      assert.match(location ?? "", /^\/account\/orders\/ord_/)
      const done = cookies.map((cookie) => cookie.split(";")[0] ?? "").join("; ")
      const shown = yield* visit({ path: location ?? "", headers: { cookie: `session=${owner}; ${done}` } })
      assert.match(shown.text, /role="status">Order ord_\w+ is placed: 1 link for 15\.00 EUR/)
      assert.include((yield* visit({ path: CART, token: owner })).text, "Your cart is empty")
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 3_500, orders: 1 })
      const list = yield* visit({ path: "/account/orders?text=spring", token: viewer })
      assert.include(list.text, location ?? "none")
    })
  )

  it.effect("bears the references of the order and of each link, in the cart, on its page, in lists and files", () =>
    Effect.gen(function* () {
      const { owner, viewer } = yield* customer(5_000)
      const { siteId } = yield* listSite()
      yield* put(owner, siteId, { reference: "Link <7>" })
      yield* put(owner, siteId, { anchor_text: "without" })
      const keep = (reference: string) =>
        visit({ method: "POST", path: `${CART}/reference`, token: owner, form: { reference } })
      const refused = yield* keep("a\u200bb")
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, 'id="reference-error"')
      const before = yield* orderForm(owner)
      assert.strictEqual((yield* keep("  PO-2026-117 ")).status, 303)
      assert.strictEqual((yield* order(owner, before.form)).status, 409)
      const { text, form } = yield* orderForm(owner)
      for (const shown of ['value="PO-2026-117"', "your reference: Link &lt;7&gt;"]) assert.include(text, shown)
      const path = (yield* order(owner, form)).location ?? ""
      const page = yield* visit({ path, token: viewer })
      for (const shown of ["<dt>Your reference</dt><dd>PO-2026-117</dd>", "Your reference: Link &lt;7&gt;"])
        assert.include(page.text, shown)
      assert.strictEqual(page.text.split("our reference: ").length, 2)
      for (const sought of ["po-2026", "link+%3C7"]) {
        const list = yield* visit({ path: `/account/orders?text=${sought}`, token: viewer })
        assert.include(list.text, "<small>your reference: PO-2026-117</small>")
      }
      const csv = yield* visit({ path: "/account/orders.csv", token: viewer })
      const [head = "", first = "", second = ""] = csv.text.split("\r\n")
      assert.match(head, /,order_reference,.*,reference,/)
      assert.deepStrictEqual(
        [first, second].map((line) => /,PO-2026-117,.*,([^,]*),[^,]*,[^,]*$/.exec(line)?.[1]),
        ["Link <7>", ""]
      )
      yield* visit({ method: "POST", path: `${path}/again`, token: owner })
      assert.include((yield* orderForm(owner)).text, "your reference: Link &lt;7&gt;")
      assert.notInclude((yield* orderForm(owner)).text, "PO-2026-117")
    })
  )

  it.effect("20 orders of one cart at once, and one later, buy once and lead to the same order", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(5_000)
      yield* put(owner, (yield* listSite()).siteId)
      const { form } = yield* orderForm(owner)
      const answers = yield* Effect.all(
        times(20, () => order(owner, form)),
        { concurrency: "unbounded" }
      )
      const later = yield* order(owner, form)
      const places = new Set([...answers, later].map(({ status, location }) => `${status} ${location}`))
      assert.strictEqual(places.size, 1)
      assert.match([...places].join(), /^303 \/account\/orders\/ord_/)
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 4_500, orders: 1, quotes: 0 })
    })
  )

  it.effect("that credit does not cover becomes a quote with the link to pay it", () =>
    Effect.gen(function* () {
      const { owner, viewer, account } = yield* customer(200)
      yield* put(owner, (yield* listSite()).siteId)
      const { text, form } = yield* orderForm(owner)
      assert.include(text, "Order for 5.00 EUR (3.00 EUR by card)")
      assert.include(text, "2.00 EUR of your credit is held until you pay")
      const answers = yield* Effect.all(
        times(20, () => order(owner, form)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(answers.map(({ location }) => location)).size, 1)
      const path = answers[0]?.location ?? ""
      assert.match(path, /^\/account\/quotes\/q_\w+\?to=payment$/)
      const quote = yield* visit({ path, token: owner })
      const { url } = yield* RunningService.RunningService
      const [, link = ""] = /class="btn main" href="([^"]+)"/.exec(quote.text) ?? []
      // It leads on to the payment by itself, for those who may pay.
      assert.include(quote.text, `<meta http-equiv="refresh" content="0; url=${link}">`)
      assert.notInclude((yield* visit({ path, token: viewer })).text, "http-equiv")
      assert.include(withoutBreaks(quote.text), "2.00 EUR of it is held for this order, and 3.00 EUR is left to pay")
      // Its page can abandon the quote, which is for owners.
      for (const page of [path, "/account"]) {
        assert.include((yield* visit({ path: page, token: owner })).text, link)
        const { text: looked } = yield* visit({ path: page, token: viewer })
        assert.deepStrictEqual([looked.includes(link), looked.includes("an owner pays")], [false, true])
      }
      assert.deepInclude(yield* stateOf(account.accountId), { heldCents: 200, orders: 0, quotes: 1 })
      assert.include((yield* visit({ path: link })).text, "You put this order together in the Shop.")
      yield* visit({ method: "POST", path: `${link}/pay`, headers: { origin: url } })
      assert.deepInclude(yield* stateOf(account.accountId), { heldCents: 0, availableCents: 0, orders: 1, quotes: 0 })
      // Who is signed in to the account comes back to the order; others see that it was paid.
      const paid = yield* visit({ path: link, token: owner })
      assert.match(`${paid.status} ${paid.location}`, /^303 \/account\/orders\/ord_/)
      const placed = yield* visit({ path: paid.location ?? "", token: owner })
      for (const says of ["2.00 EUR from your credit and 3.00 EUR by card", "What happens next", "in the Shop"])
        assert.include(withoutBreaks(placed.text), says)
      const { owner: stranger } = yield* openAccount
      for (const token of [undefined, stranger, "none"]) {
        const seen = yield* visit({ path: link, ...(token === undefined ? {} : { token }) })
        assert.match(`${seen.status}${withoutBreaks(seen.text)}`, /^200.*3.00 EUR by card, and 2.00.*invoice is/s)
      }
    })
  )

  it.effect("leads to its quote while the payment processor is away, which has its link later", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(0)
      yield* put(owner, (yield* listSite()).siteId)
      const { form } = yield* orderForm(owner)
      const { down } = yield* ProcessorFaults
      yield* Ref.set(down, true)
      const { status, location } = yield* order(owner, form)
      const path = location ?? ""
      const waiting = yield* visit({ path, token: owner })
      yield* Ref.set(down, false)
      assert.deepStrictEqual([status, waiting.text.includes("http-equiv")], [303, false])
      assert.include(waiting.text, "is not answering. Nothing was charged.")
      assert.include(waiting.text, `<a class="btn" href="${path}">Look again</a>`)
      assert.include((yield* visit({ path: CART, token: owner })).text, "Your cart is empty")
      yield* (yield* MovableClock).advance("1 minute")
      yield* (yield* SweepQuotes).sweep()
      assert.include((yield* visit({ path, token: owner })).text, 'class="btn main" href="/pay/')
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 0, quotes: 1 })
    })
  )

  it.effect("a page that shows an earlier cart orders nothing", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(5_000)
      yield* put(owner, (yield* listSite()).siteId)
      const first = yield* orderForm(owner)
      yield* put(owner, (yield* listSite()).siteId, { anchor_text: "another" })
      const { status, text } = yield* order(owner, first.form)
      assert.strictEqual(status, 409)
      assert.include(text, "The cart has changed since you opened this page")
      assert.include(text, "“another”")
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 5_000, orders: 0, quotes: 0 })
      assert.strictEqual((yield* order(owner, (yield* orderForm(owner)).form)).status, 303)
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 4_000, orders: 1 })
    })
  )

  it.effect("another account cannot order it, nor learn what became of it", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(5_000)
      const stranger = yield* customer(5_000)
      yield* put(owner, (yield* listSite()).siteId)
      const { form } = yield* orderForm(owner)
      assert.strictEqual((yield* order(stranger.owner, form)).status, 409)
      yield* order(owner, form)
      const { status, text } = yield* order(stranger.owner, form)
      assert.deepStrictEqual([status, text.includes("ord_")], [409, false])
      assert.deepInclude(yield* stateOf(stranger.account.accountId), { availableCents: 5_000, orders: 0 })
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 1 })
    })
  )

  it.effect("that costs more than was shown is not ordered, and says both prices", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(5_000)
      const site = yield* listSite()
      yield* put(owner, site.siteId)
      const { form } = yield* orderForm(owner)
      yield* listSite({ ...site, shelf: "Corail" })
      const { status, text } = yield* order(owner, form)
      assert.strictEqual(status, 409)
      assert.include(text, `it is ${formatEur(1_500)} now, and was ${formatEur(500)}`)
      assert.strictEqual(hiddenIn(text, "total"), "1500")
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 5_000, orders: 0 })
      assert.strictEqual((yield* order(owner, { ...form, total: "1500" })).status, 303)
    })
  )

  it.effect("is ordered while all agents are stopped, and says so", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(5_000)
      yield* put(owner, (yield* listSite()).siteId)
      yield* visit({ method: "POST", path: "/account/stop", token: owner })
      const { text, form } = yield* orderForm(owner)
      assert.include(text, "what people order in the Shop continues")
      assert.match((yield* order(owner, form)).location ?? "", /^\/account\/orders\/ord_/)
    })
  )
})

layer(RunningService.layer({ WELCOME_OFFER_PERCENT: "20" }))("discounts of a cart", (it) => {
  const usePromo = (token: string, promo_code: string) =>
    visit({ method: "POST", path: `${CART}/promo-code`, token, form: { promo_code } })

  it.effect("the better one counts, and the other is shown", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(5_000)
      yield* put(owner, (yield* listSite()).siteId)
      const { code } = yield* definePromo()
      assert.include((yield* orderForm(owner)).text, "Welcome offer 20 %")
      yield* usePromo(owner, code.toLowerCase())
      const { text } = yield* orderForm(owner)
      assert.include(text, `${code} takes off 0.50 EUR; welcome offer takes off 1.00 EUR (applied)`)
      assert.strictEqual(hiddenIn(text, "total"), "400")
    })
  )

  it.effect("a code that cannot be used says why beside its field, and can be taken away", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(5_000)
      yield* put(owner, (yield* listSite()).siteId)
      yield* usePromo(owner, "NOPE")
      const { text } = yield* orderForm(owner)
      for (const says of ['id="promo_code-error"', 'value="NOPE"']) assert.include(text, says)
      assert.notInclude(text, 'action="/account/shop/order"')
      yield* usePromo(owner, "")
      assert.include((yield* orderForm(owner)).text, 'action="/account/shop/order"')
      const long = yield* usePromo(owner, "x".repeat(65))
      assert.deepStrictEqual([long.status, long.text.includes('id="promo_code-error"')], [422, true])
      assert.include(long.text, `value="${"x".repeat(65)}"`)
    })
  )
})
