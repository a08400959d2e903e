// What the cart says before it is ordered: what each site is warned of, what is paid from what, and what the press does.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { by } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { CART, customer, order, orderForm, put } from "./CartSteps.ts"
import { visit } from "./Visitors.ts"

layer(RunningService.layer())("the cart before its order", (it) => {
  it.effect("marks the sites that link there already, and tells several of them in one line", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(5_000)
      const [first, second, other] = [yield* listSite(), yield* listSite(), yield* listSite()]
      for (const { siteId } of [first, second]) yield* put(owner, siteId)
      const { location } = yield* order(owner, (yield* orderForm(owner)).form)
      const orderId = OrderId.make(location?.split("/").at(-1) ?? "")
      const online = (yield* (yield* Orders).byId(orderId))?.links.find(({ siteId }) => siteId === second.siteId)
      yield* (yield* FulfilLinks).publish(online?.linkId ?? LinkId.make(""), `https://${second.domain}/a`, by)
      for (const { siteId } of [first, second, other]) yield* put(owner, siteId, { anchor_text: "another" })
      const { text } = yield* orderForm(owner)
      const rows = text.split("<tr>")
      for (const [{ domain }, mark] of [
        [first, `<a href="/account/orders/${orderId}">A link there is already ordered</a>`],
        [second, ">A link there is online<"],
        [other, null]
      ] as const) {
        const row = rows.find((one) => one.includes(`>${domain}</a>`)) ?? ""
        if (mark === null) assert.notInclude(row, "A link there", domain)
        else assert.include(row, mark)
      }
      assert.include(text, "You already ordered links to the same domain on 2 of these sites")
      assert.notInclude(text, `a link to shop.example on ${first.domain}`)
    })
  )

  it.effect("says what is paid from credit, what is left for a card, and what the press does", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(300)
      yield* put(owner, (yield* listSite()).siteId)
      const { text } = yield* orderForm(owner)
      for (const shown of [
        "<dt>From credit</dt><dd>3.00 EUR</dd>",
        '<dd class="hint">Left to spend after this: 0.00 EUR.</dd>',
        "<dt>Left to pay by card</dt><dd>2.00 EUR</dd>",
        "Order for 5.00 EUR (2.00 EUR by card)",
        "Nothing is charged before you pay there",
        "3.00 EUR of your credit is held until you pay"
      ])
        assert.include(text, shown)
      assert.include(text, "<details><summary>Promo code or your reference")
      yield* visit({ method: "POST", path: `${CART}/reference`, token: owner, form: { reference: "PO 7" } })
      assert.include((yield* orderForm(owner)).text, "<details open><summary>Promo code or your reference")
    })
  )

  it.effect("folds what most leave empty in a link's form, until there is something in it", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(0)
      const { siteId } = yield* listSite()
      const fold = (isOpen: boolean) => `<details${isOpen ? " open" : ""}><summary>Wishes for the writer`
      assert.include((yield* visit({ path: `/account/shop/sites/${siteId}`, token: owner })).text, fold(false))
      const plain = yield* put(owner, siteId)
      const wishful = yield* put(owner, siteId, { brief: "Be kind." })
      for (const [{ form }, isOpen] of [
        [plain, false],
        [wishful, true]
      ] as const)
        assert.include((yield* visit({ path: `${CART}/items/${form.id}`, token: owner })).text, fold(isOpen))
      const refused = yield* put(owner, siteId, { reference: "x".repeat(101) })
      assert.strictEqual(refused.answer.status, 422)
      assert.include(refused.answer.text, fold(true))
    })
  )
})
