// The Shop's cart: what it keeps and refuses, what it warns of, and what a link may be ordered for.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Sessions } from "#core/ports/members/Sessions.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { createOpportunity, createProject, listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { CART, customer, order, orderForm, put, stateOf } from "./CartSteps.ts"
import { signIn, visit } from "./Visitors.ts"

layer(RunningService.layer())("cart", (it) => {
  it.effect("names the item that cannot be ordered any more, and orders nothing", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(5_000)
      const site = yield* listSite()
      yield* put(owner, (yield* listSite()).siteId)
      yield* put(owner, site.siteId)
      const { form } = yield* orderForm(owner)
      yield* listSite({ ...site, open: false })
      const { status, text } = yield* order(owner, form)
      assert.strictEqual(status, 409)
      const row = text.split("<tr>").find((one) => one.includes(`>${site.domain}</a>`))
      assert.include(row ?? "", "This site takes no orders at the moment")
      assert.notInclude(text, 'action="/account/shop/order"')
      assert.deepInclude(yield* stateOf(account.accountId), { availableCents: 5_000, orders: 0 })
    })
  )

  it.effect("an article that was sold meanwhile is named beside its item", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const article = yield* listArticle(siteId)
      const { owner } = yield* customer(5_000)
      const other = yield* customer(5_000)
      for (const token of [owner, other.owner]) yield* put(token, siteId, { place: String(article.articleId) })
      const { form } = yield* orderForm(owner)
      assert.strictEqual((yield* order(owner, form)).status, 303)
      assert.include((yield* visit({ path: CART, token: other.owner })).text, "This article was sold")
    })
  )

  it.effect("faults stand beside their fields, and what was typed is kept", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(0)
      const { siteId } = yield* listSite()
      const wrong = { target_url: "shop.example", anchor_text: "x".repeat(121), place: "many", brief: "<b>kept" }
      const { answer } = yield* put(owner, siteId, wrong)
      assert.strictEqual(answer.status, 422)
      for (const field of ["target_url", "anchor_text", "place"]) assert.include(answer.text, `id="${field}-error"`)
      assert.include(answer.text, 'value="shop.example"')
      assert.include(answer.text, "&lt;b&gt;kept</textarea>")
      assert.include((yield* visit({ path: CART, token: owner })).text, "Your cart is empty")
    })
  )

  it.effect("a form that is sent twice adds one item, which can be changed and taken out", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(5_000)
      const { siteId } = yield* listSite()
      const { form } = yield* put(owner, siteId)
      const before = yield* orderForm(owner)
      yield* visit({ method: "POST", path: CART, token: owner, form })
      const same = yield* orderForm(owner)
      assert.deepStrictEqual(same.form, before.form)
      assert.include(same.text, "1 link of at most 20")
      const edit = yield* visit({ path: `${CART}/items/${form.id}`, token: owner })
      assert.include(edit.text, 'value="https://shop.example/spring"')
      yield* visit({ method: "POST", path: CART, token: owner, form: { ...form, anchor_text: "changed" } })
      const changed = yield* orderForm(owner)
      assert.include(changed.text, "“changed”")
      assert.notStrictEqual(changed.form.cart, before.form.cart)
      yield* visit({ method: "POST", path: `${CART}/items/${form.id}/remove`, token: owner })
      assert.include((yield* visit({ path: CART, token: owner })).text, "Your cart is empty")
      assert.strictEqual((yield* visit({ path: `${CART}/items/${form.id}`, token: owner })).status, 404)
    })
  )

  it.effect("takes 20 items and no more, also at once", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(0)
      const { siteId } = yield* listSite()
      const answers = yield* Effect.all(
        times(25, () => put(owner, siteId)),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map(({ answer }) => answer.status)
      assert.strictEqual(statuses.filter((status) => status === 303).length, 20)
      assert.strictEqual(statuses.filter((status) => status === 409).length, 5)
      assert.include((yield* visit({ path: CART, token: owner })).text, "20 links of at most 20")
    })
  )

  it.effect("takes the links of an order again, but those of closed sites, and a new article for a sold one", () =>
    Effect.gen(function* () {
      const { owner, viewer, account } = yield* customer(9_000)
      const open = yield* listSite()
      const closing = yield* listSite()
      const article = yield* listArticle(open.siteId)
      yield* put(owner, open.siteId, { brief: "As before." })
      yield* put(owner, open.siteId, { place: String(article.articleId), anchor_text: "inserted" })
      yield* put(owner, closing.siteId)
      const path = (yield* order(owner, (yield* orderForm(owner)).form)).location ?? ""
      yield* listSite({ ...closing, open: false })
      const page = yield* visit({ path, token: owner })
      assert.include(page.text, `${closing.domain} takes no orders now`)
      assert.include(page.text, `${open.domain} gets a new article`)
      assert.notInclude((yield* visit({ path, token: viewer })).text, "Add to the cart again")
      for (const _ of times(2, () => 0)) {
        const { status, location, cookies } = yield* visit({ method: "POST", path: `${path}/again`, token: owner })
        assert.deepStrictEqual([status, location], [303, CART])
        assert.include(decodeURIComponent(cookies.join()), "2 links of the order are in your cart.")
      }
      const { text, form } = yield* orderForm(owner)
      assert.include(text, "2 links of at most 20")
      assert.notInclude(text, "in article")
      const [, first] = /items\/(ord_\w+-0)"/.exec(text) ?? []
      assert.include((yield* visit({ path: `${CART}/items/${first}`, token: owner })).text, "As before.")
      assert.strictEqual((yield* order(owner, form)).status, 303)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 2 })
      const stranger = yield* customer(0)
      assert.strictEqual((yield* visit({ method: "POST", path: `${path}/again`, token: stranger.owner })).status, 404)
    })
  )

  it.effect("offers the open questions of the account's projects, and keeps the one that was chosen", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(5_000)
      const site = yield* listSite()
      const { projectId } = yield* createProject(account.accountId, { language: site.language })
      const { opportunityId } = yield* createOpportunity(projectId, { niche: site.nicheLabel, prompt: "<b>Where?" })
      const project = `${projectId} ${opportunityId}`
      assert.include(
        (yield* visit({ path: `/account/shop/sites/${site.siteId}`, token: owner })).text,
        `<option value="${project}">`
      )
      const { form } = yield* put(owner, site.siteId, { project })
      const edit = yield* visit({ path: `${CART}/items/${form.id}`, token: owner })
      assert.include(edit.text, `<option value="${project}" selected>`)
      assert.notInclude(edit.text, "<b>Where")
      assert.strictEqual((yield* order(owner, (yield* orderForm(owner)).form)).status, 303)
      const stranger = yield* customer(5_000)
      yield* put(stranger.owner, site.siteId, { project })
      assert.include((yield* orderForm(stranger.owner)).text, "cannot be ordered as it is")
    })
  )

  it.effect("warns as an agent is warned", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(5_000)
      const { siteId, domain } = yield* listSite()
      yield* put(owner, siteId)
      yield* order(owner, (yield* orderForm(owner)).form)
      yield* put(owner, siteId)
      const { text } = yield* orderForm(owner)
      assert.include(text, "Before you order")
      assert.include(text, "already ordered a link to shop.example")
      assert.include(text, "An order for the same links was asked for within 10 minutes")
      assert.include(text, domain)
    })
  )

  it.effect("stays with its session: a viewer has none, another browser its own", () =>
    Effect.gen(function* () {
      const { owner, viewer, ownerEmail } = yield* customer(0)
      const { siteId } = yield* listSite()
      yield* put(owner, siteId)
      const site = yield* visit({ path: `/account/shop/sites/${siteId}`, token: viewer })
      assert.deepStrictEqual([site.status, site.text.includes("Add to the cart")], [200, false])
      assert.include((yield* visit({ path: "/account/shop", token: viewer })).text, "Only an owner")
      assert.include((yield* visit({ path: "/account/shop", token: owner })).text, "Your cart has 1 link")
      const elsewhere = yield* signIn(ownerEmail)
      assert.include((yield* visit({ path: CART, token: elsewhere })).text, "Your cart is empty")
    })
  )

  const item = { site_id: 1, target_url: "https://a.example/", anchor_text: "a", anchor_type: "exact" }
  for (const [stored, shown] of [
    ["{", "Your cart is empty"],
    ["null", "Your cart is empty"],
    [JSON.stringify({ key: "a b", items: [{ id: "a", item }] }), "Your cart is empty"],
    [JSON.stringify({ key: "a", items: [] }), "Your cart is empty"],
    [
      JSON.stringify({
        key: "a",
        items: [
          { id: "a", item },
          { id: "b", item: { ...item, target_url: "javascript:1" } }
        ]
      }),
      "1 link that this cart once had"
    ],
    [JSON.stringify({ key: "a", items: times(30, (n) => ({ id: `i${n}`, item })) }), "20 links of at most 20"],
    [
      JSON.stringify({
        key: "a",
        items: [
          { id: "<script>", item },
          { id: "b", item: { ...item, anchor_text: "<script>" } }
        ]
      }),
      "&lt;script&gt;"
    ]
  ] as const) {
    it.effect(`of another version, or forged, breaks no page: ${stored.slice(0, 60)}`, () =>
      Effect.gen(function* () {
        const { owner } = yield* customer(0)
        yield* listSite({ siteId: 1 })
        const { session } = yield* (yield* MemberSessions).authenticate(owner)
        yield* (yield* Sessions).saveCart(session.sessionId, { before: null, after: stored })
        const { status, text } = yield* visit({ path: CART, token: owner })
        assert.strictEqual(status, 200)
        assert.include(text, shown)
        assert.notInclude(text, "<script>")
        assert.strictEqual((yield* visit({ path: "/account/shop", token: owner })).status, 200)
        assert.strictEqual((yield* put(owner, 1, { anchor_text: "one more" })).answer.status !== 500, true)
      })
    )
  }
})
