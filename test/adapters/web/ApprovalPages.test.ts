// The page on which an owner approves or declines what an agent ordered, and who else cannot.
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, noLimits } from "#core/domain/ApiKey.ts"
import { ManageAccounts } from "#core/usecases/ManageAccounts.ts"
import { ManageKeys } from "#core/usecases/ManageKeys.ts"
import { times } from "#test/ports/StoreSuite.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"

const ask = Effect.fnUntraced(function* (text: string, path: string, body?: unknown) {
  const { url } = yield* RunningService.RunningService
  return yield* Effect.promise(() =>
    fetch(new URL(`/api/v1/agent${path}`, url), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }).then((response) => response.json())
  )
})

/** An order of 5.00 EUR that waits, in an account with an owner and a viewer. */
const waiting = Effect.fnUntraced(function* (creditCents = 5_000) {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* (yield* ManageAccounts).topUp({ accountId, cents: creditCents, reference: "test" }, "test")
  const limits = { ...noLimits, approveAboveCents: 0, maxDayCents: 2_000, dailyOrderCap: 3 }
  const wanted = { accountId, mode: "live", label: "Assistant", scopes: ALL_SCOPES, limits } as const
  const { key, text } = yield* (yield* ManageKeys).issue(wanted, "test")
  const { siteId } = yield* listSite()
  const item = { site_id: siteId, target_url: "https://shop.example/", anchor_text: "tools", anchor_type: "exact" }
  const secret = Redacted.value(text)
  const quote = yield* ask(secret, "/orders", { items: [item] })
  assert.strictEqual(quote.status, "awaiting_approval")
  const quoteId = String(quote.quote_id)
  const path = new URL(quote.approval_url).pathname
  const form = { quote: quoteId, state: "awaiting_approval", total: String(Math.round(quote.total_eur * 100)) }
  const seen = () => ask(secret, `/quotes/${quoteId}`)
  const post = (what: "approve" | "decline", token: string, fields: Readonly<Record<string, string>>) =>
    visit({ method: "POST", path: `${path}/${what}`, token, form: fields })
  return { ...people, key, quoteId, path, form, seen, post, ask: (of: string) => ask(secret, of) }
})

layer(RunningService.layer())("the approval page", (it) => {
  it.effect("shows what is asked, by whom and within which limits, and the Overview leads to it", () =>
    Effect.gen(function* () {
      const { owner, path, form } = yield* waiting()
      const { status, text } = yield* visit({ path, token: owner })
      assert.strictEqual(status, 200)
      for (const shown of ["Assistant", "https://shop.example/", "“tools”", "every order waits for approval"])
        assert.include(text, shown)
      assert.include(text, "at most 3 orders a day")
      assert.include(text, "2 orders and 15.00 EUR left today")
      assert.include(text, "An assistant that reads your mail")
      for (const [name, value] of Object.entries(form)) assert.include(text, `name="${name}" value="${value}"`)
      assert.include((yield* visit({ path: "/account", token: owner })).text, `href="${path}"`)
    })
  )

  it.effect("approves from credit, and 20 posts at once make one order", () =>
    Effect.gen(function* () {
      const { owner, path, form, seen, post, ask, quoteId } = yield* waiting()
      const answers = yield* Effect.all(
        times(20, () => post("approve", owner, form)),
        { concurrency: "unbounded" }
      )
      for (const { status, location } of answers)
        assert.deepStrictEqual([status, location], [303, `/account/quotes/${quoteId}`])
      const { status, order_id } = yield* seen()
      assert.strictEqual(status, "paid")
      const { orders } = yield* ask("/orders")
      assert.deepStrictEqual(
        orders.map((order: { order_id: string }) => order.order_id),
        [order_id]
      )
      const { available_cents, held_cents } = yield* ask("/balance")
      assert.deepStrictEqual([available_cents, held_cents], [4_500, 0])
      const after = yield* visit({ path, token: owner })
      assert.deepStrictEqual([after.status, after.location], [303, `/account/quotes/${quoteId}`])
      const decided = yield* visit({ path: `/account/quotes/${quoteId}`, token: owner })
      assert.include(decided.text, "It was approved on")
      assert.include(decided.text, `href="/account/orders/${order_id}"`)
      assert.notInclude((yield* visit({ path: "/account", token: owner })).text, `href="${path}"`)
    })
  )

  it.effect("leads to the payment link where credit does not cover it", () =>
    Effect.gen(function* () {
      const { owner, form, seen, post } = yield* waiting(100)
      const { location } = yield* post("approve", owner, form)
      const { status, payment_url } = yield* seen()
      assert.strictEqual(status, "awaiting_payment")
      assert.include((yield* visit({ path: location ?? "", token: owner })).text, `href="${payment_url}"`)
    })
  )

  it.effect("declines with a word, which the agent reads, and refuses a word that is too long beside its field", () =>
    Effect.gen(function* () {
      const { owner, form, seen, post } = yield* waiting()
      const long = "€".repeat(201)
      const refused = yield* post("decline", owner, { reason: long })
      assert.strictEqual(refused.status, 422)
      assert.include(refused.text, 'id="reason-error"')
      assert.include(refused.text, `value="${long}"`)
      assert.strictEqual((yield* seen()).status, "awaiting_approval")
      const { location } = yield* post("decline", owner, { reason: " Too dear <b>. " })
      const { status, declined_reason } = yield* seen()
      assert.deepStrictEqual([status, declined_reason], ["abandoned", "Too dear <b>."])
      assert.include((yield* visit({ path: location ?? "", token: owner })).text, "Too dear &lt;b&gt;.")
      assert.strictEqual((yield* post("approve", owner, form)).status, 303)
      assert.strictEqual((yield* seen()).status, "abandoned")
    })
  )

  it.effect("lets a viewer look, and another account not even that", () =>
    Effect.gen(function* () {
      const { viewer, path, form, seen, post } = yield* waiting()
      const { status, text } = yield* visit({ path, token: viewer })
      assert.strictEqual(status, 200)
      assert.include(text, "you are a viewer")
      assert.notInclude(text, `action="${path}`)
      const stranger = yield* openAccount
      assert.strictEqual((yield* visit({ path, token: stranger.owner })).status, 404)
      for (const what of ["approve", "decline"] as const) {
        assert.strictEqual((yield* post(what, viewer, form)).status, 403)
        assert.strictEqual((yield* post(what, stranger.owner, form)).status, 404)
      }
      assert.strictEqual((yield* seen()).status, "awaiting_approval")
    })
  )

  it.effect("with a second factor, neither the session alone nor a price that was not seen approves", () =>
    Effect.gen(function* () {
      const { owner, form, seen, post } = yield* waiting()
      const app = yield* addApp(owner)
      const alone = yield* post("approve", owner, form)
      assert.strictEqual(alone.status, 403)
      assert.include(alone.text, 'id="code-error"')
      const code = yield* nextCode(app)
      const stale = yield* post("approve", owner, { ...form, total: "1", code })
      assert.strictEqual(stale.status, 409)
      assert.include(stale.text, "Nothing was approved")
      for (const field of ["quote", "state"])
        assert.strictEqual((yield* post("approve", owner, { ...form, [field]: "other", code })).status, 409)
      assert.strictEqual((yield* seen()).status, "awaiting_approval")
      assert.strictEqual((yield* post("approve", owner, { ...form, code })).status, 303)
      assert.strictEqual((yield* seen()).status, "paid")
      const next = yield* waiting()
      const other = yield* addApp(next.owner)
      const spent = yield* codeOf(other)
      assert.strictEqual((yield* next.post("approve", next.owner, { ...next.form, code: spent })).status, 403)
    })
  )

  it.effect("approves nothing once its time is over", () =>
    Effect.gen(function* () {
      const { quoteId, form, seen, post, owner } = yield* waiting()
      yield* (yield* MovableClock).advance("25 hours")
      const { status, location } = yield* post("approve", owner, form)
      assert.deepStrictEqual([status, location], [303, `/account/quotes/${quoteId}`])
      assert.strictEqual((yield* seen()).status, "abandoned")
    })
  )
})
