// An owner changes a link on the page of its order, also of one that another placed, until it is written; the page tells what was changed.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { by, cart, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { call, placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, signIn, visit } from "./Visitors.ts"

/** An order of a key of the account, and the owner who looks at it. */
const ordered = Effect.gen(function* () {
  const { ownerEmail, account } = yield* openAccount
  yield* topUp(account.accountId, 5_000)
  const { siteId } = yield* listSite({ shelf: "Corail" })
  const { key } = yield* issueKey(account.accountId)
  const { order_id: orderId = OrderId.make("") } = placedBy(
    yield* postOrder(key, cart([item(siteId, { brief: "Be kind." })]))
  )
  const found = yield* (yield* Orders).byId(orderId)
  const { linkId, domain } = found?.links[0] ?? { linkId: LinkId.make(""), domain: "" }
  const token = yield* signIn(ownerEmail)
  return {
    key,
    token,
    linkId,
    domain,
    order: `/account/orders/${orderId}`,
    path: `/account/orders/${orderId}/links/${linkId}`,
    api: `/api/v1/agent/orders/${orderId}/links/${linkId}`
  }
})

const typed = {
  target_url: "https://brand.example/page",
  anchor_text: "a fine page",
  anchor_type: "partial",
  brief: "Be kind.",
  revision: "1"
}

layer(RunningService.layer())("a link on the page of its order", (it) => {
  it.effect("is changed by an owner, and the page tells from what to what", () =>
    Effect.gen(function* () {
      const { token, path, order, domain } = yield* ordered
      const before = yield* visit({ path: order, token })
      assert.include(before.text, `href="${path}" aria-label="Change the link on ${domain}, `)
      assert.include(
        before.text,
        "Until a writer begins, you can cancel it; until its text is written, you can change it."
      )
      const form = yield* visit({ path, token })
      for (const value of Object.values(typed)) assert.include(form.text, value)
      const sent = { ...typed, anchor_text: "a better page", brief: "" }
      const done = yield* visit({ method: "POST", path, token, form: sent })
      assert.deepStrictEqual([done.status, done.location], [303, order])
      const after = yield* visit({ path: order, token })
      assert.include(after.text, "the anchor text, from “a fine page” to “a better page”")
      assert.include(after.text, "the wishes for the writer: none any more, before “Be kind.”")
      assert.notInclude(after.text, "the page that it links to, from")
      // The writer has not begun: the time of the change is not the time of a stage.
      assert.strictEqual(after.text.match(/class="reached"/g)?.length, 1)
      assert.include(after.text, '<li class="reached" aria-current="step">Now: waits for a writer<br>')
      for (const ahead of ["Being written", "Written", "In review", "Approved", "Online", "Checked"])
        assert.include(after.text, `<li class="">${ahead}</li>`)
      assert.include(after.text, '<p class="stage small"><strong>Step 1 of 7: waits for a writer</strong>, since <time')
    })
  )

  it.effect("is left as it is by what is wrong, seen no longer, or said already", () =>
    Effect.gen(function* () {
      const { key, token, path, order, api } = yield* ordered
      const post = (form: Readonly<Record<string, string>>) => visit({ method: "POST", path, token, form })
      const wrong = yield* post({ ...typed, target_url: "javascript:alert(1)" })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "is not a web address. Enter all of it")
      const same = yield* post(typed)
      assert.deepStrictEqual([same.status, same.location], [303, order])
      yield* call("PATCH", api, { key, body: { anchor_text: "by the agent" } })
      const late = yield* post({ ...typed, anchor_text: "by the owner" })
      assert.strictEqual(late.status, 409)
      assert.include(late.text, "The link was changed since you opened this page")
      assert.include(late.text, "“by the agent” to https://brand.example/page")
      const again = yield* post({ ...typed, anchor_text: "by the owner", revision: "2" })
      assert.deepStrictEqual([again.status, again.location], [303, order])
    })
  )

  it.effect("stays once it is written, and only owners see the way to change it", () =>
    Effect.gen(function* () {
      const { token, path, order, linkId } = yield* ordered
      yield* (yield* FulfilLinks).advance(linkId, "drafted", by)
      assert.notInclude((yield* visit({ path: order, token })).text, "Change the link on")
      const form = yield* visit({ path, token })
      assert.strictEqual(form.status, 409)
      assert.include(form.text, "a link can be changed until its text is written")
      const sent = yield* visit({ method: "POST", path, token, form: { ...typed, anchor_text: "too late" } })
      assert.strictEqual(sent.status, 409)
      const none = yield* visit({ path: `${order}/links/lnk_none`, token })
      assert.strictEqual(none.status, 404)
    })
  )
})
