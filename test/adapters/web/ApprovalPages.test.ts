// The page on which an owner approves or declines what an agent ordered, and who else cannot.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

/** An order of 5.00 EUR that waits, in an account with an owner and a viewer. */
const waiting = Effect.fnUntraced(function* (creditCents = 5_000) {
  const people = yield* openAccount
  const agent = yield* agentOf(people, creditCents)
  const { key, ask } = agent
  const quote = yield* agent.order()
  assert.strictEqual(quote.status, "awaiting_approval")
  const { quoteId, path, form } = pageOf(quote)
  const seen = () => ask(`/quotes/${quoteId}`)
  const post = (what: "approve" | "decline", token: string, fields: Readonly<Record<string, string>>) =>
    visit({ method: "POST", path: `${path}/${what}`, token, form: fields })
  const again = (target_url: string) => agent.order({ target_url, anchor_text: "again" })
  return { ...people, key, quoteId, path, form, seen, post, again, ask }
})

layer(RunningService.layer())("the approval page", (it) => {
  it.effect("shows what is asked, by whom and within which limits, and the Overview leads to it", () =>
    Effect.gen(function* () {
      const { owner, path, form } = yield* waiting()
      const { status, text } = yield* visit({ path, token: owner })
      assert.strictEqual(status, 200)
      for (const shown of ["Assistant asks to spend 5.00 EUR", "https://shop.example/", "“tools”"])
        assert.include(text, shown)
      assert.include(text, "<strong>It waits because this key asks you before every order.</strong>")
      assert.include(text, "At most 20.00 EUR a day: 0.00 EUR spent today, 5.00 EUR waiting, 15.00 EUR left")
      assert.include(text, "At most 3 orders a day: 1 asked for today, 2 orders left")
      assert.notInclude(text, "<dt>Price</dt>")
      assert.include(text, '<button class="btn main" type="submit">Approve 5.00 EUR')
      assert.match(text, /Trust Flow \d+ · [\d,.]+ visits a month .*“tools” to .*online within/s)
      assert.include(text, "<dt>From credit (already held)</dt><dd>5.00 EUR</dd>")
      assert.include(text, "You keep 45.00 EUR to spend.")
      assert.include(text, "An assistant that reads your mail")
      for (const [name, value] of Object.entries(form)) assert.include(text, `name="${name}" value="${value}"`)
      assert.include((yield* visit({ path: "/account", token: owner })).text, `href="${path}"`)
    })
  )

  it.effect("shows the ASCII name beside a host in other letters, and the order's page too", () =>
    Effect.gen(function* () {
      const { owner, again } = yield* waiting()
      const { path, form, quoteId } = pageOf(yield* again("https://аррӏе.com/pay"))
      const shown = "https://аррӏе.com/pay (xn--80ak6aa92e.com)"
      assert.include((yield* visit({ path, token: owner })).text, shown)
      yield* visit({ method: "POST", path: `${path}/approve`, token: owner, form })
      assert.include((yield* visit({ path: `/account/quotes/${quoteId}`, token: owner })).text, shown)
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
      assert.include(decided.text, "It was approved ")
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
      assert.include(
        (yield* visit({ path: location ?? "", token: owner })).text,
        `href="${new URL(payment_url ?? "").pathname}"`
      )
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
      assert.include(refused.text, "Nothing is bought, and 5.00 EUR of credit is free again. Assistant is told")
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
      const typed = yield* post("approve", owner, { ...form, total: "1", always: "on", up_to: "6,50" })
      assert.match(typed.text, /name="always"[^>]* checked/)
      assert.include(typed.text, 'value="6,50"')
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

  it.effect(
    "offers to ask less often: one confirmed step approves and allows the domain always; others go on waiting",
    () =>
      Effect.gen(function* () {
        const { owner, path, form, seen, post, again, ask } = yield* waiting()
        const { text } = yield* visit({ path, token: owner })
        assert.include(text, "Always allow shop.example up to the amount below")
        assert.include(text, "It continues to ask for orders to other domains")
        for (const [up_to, message] of [
          ["", "Say up to which amount."],
          ["much", "“much” is not an amount of euros. Enter one such as 12.50."],
          ["0", "This must be more than 0.00 EUR"]
        ] as const) {
          const refused = yield* post("approve", owner, { ...form, always: "on", up_to })
          assert.strictEqual(refused.status, 422)
          assert.include(refused.text, message)
          assert.include(refused.text, 'id="up_to-error"')
        }
        assert.strictEqual((yield* seen()).status, "awaiting_approval")
        assert.strictEqual((yield* post("approve", owner, { ...form, always: "on", up_to: "6,50" })).status, 303)
        assert.strictEqual((yield* seen()).status, "paid")
        const { limits } = (yield* ask("/me")).key
        assert.deepStrictEqual([limits.approve_above_cents, limits.allowed_domains], [0, null])
        assert.deepStrictEqual(limits.always_allow, [{ domain: "shop.example", up_to_cents: 650 }])
        assert.strictEqual(limits.max_day_cents, 2_000)
        assert.strictEqual((yield* again("https://www.shop.example/more")).status, "paid")
        assert.strictEqual((yield* again("https://elsewhere.example/")).status, "awaiting_approval")
      })
  )

  it.effect("asks less often only if that box is ticked, and never more than it says", () =>
    Effect.gen(function* () {
      const { owner, key, path, form, post, ask } = yield* waiting()
      const limits = { ...key.limits, allowedDomains: ["shop.example", "blog.example"] }
      yield* (yield* Credentials).limit(key.keyId, limits, "test")
      assert.include((yield* visit({ path, token: owner })).text, "Links only to shop.example, blog.example")
      assert.strictEqual((yield* post("approve", owner, { ...form, up_to: "50" })).status, 303)
      assert.deepStrictEqual((yield* ask("/me")).key.limits.always_allow, [])
      const other = yield* waiting()
      yield* (yield* Credentials).limit(other.key.keyId, { allowedDomains: ["blog.example"] }, "test")
      assert.notInclude((yield* visit({ path: other.path, token: other.owner })).text, "Always allow")
      const forced = yield* other.post("approve", other.owner, { ...other.form, always: "on", up_to: "50" })
      assert.strictEqual(forced.status, 422)
      assert.strictEqual((yield* other.seen()).status, "awaiting_approval")
    })
  )

  it.effect("with a second factor, nothing is loosened without it", () =>
    Effect.gen(function* () {
      const { owner, form, post, ask } = yield* waiting()
      const app = yield* addApp(owner)
      const wish = { ...form, always: "on", up_to: "50" }
      assert.strictEqual((yield* post("approve", owner, wish)).status, 403)
      assert.deepStrictEqual((yield* ask("/me")).key.limits.always_allow, [])
      assert.strictEqual((yield* post("approve", owner, { ...wish, code: yield* nextCode(app) })).status, 303)
      assert.deepStrictEqual((yield* ask("/me")).key.limits.always_allow, [
        { domain: "shop.example", up_to_cents: 5_000 }
      ])
    })
  )

  it.effect("shows the limits as they are now, which the order need not fit any more", () =>
    Effect.gen(function* () {
      const { owner, key, path, form, seen, post } = yield* waiting()
      const lower = { maxOrderCents: 100, maxDayCents: 900, approveAboveCents: 200 }
      yield* (yield* MovableClock).advance("1 second")
      yield* (yield* Credentials).limit(key.keyId, lower, "test")
      const { text } = yield* visit({ path, token: owner })
      for (const shown of ["At most 1.00 EUR an order", "At most 9.00 EUR a day", "Asks above 2.00 EUR an order"])
        assert.include(text, shown)
      assert.include(text, "5.00 EUR waiting, 4.00 EUR left")
      assert.include(text, "By those of now, it would wait because it is over 2.00 EUR, the amount above which")
      yield* (yield* Credentials).limit(key.keyId, { approveAboveCents: 600 }, "test")
      assert.include((yield* visit({ path, token: owner })).text, "by those of now, it would not wait")
      assert.strictEqual((yield* post("approve", owner, form)).status, 303)
      assert.deepInclude(yield* seen(), { status: "paid", total_eur: 5 })
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
