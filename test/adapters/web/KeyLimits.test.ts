// Limits of a key on its page: what was used today, tightening at once, and loosening with a second factor where there is one.
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, noLimits } from "#core/domain/access/ApiKey.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, codeOf, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"

const keyHolder = Effect.gen(function* () {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* (yield* ManageAccounts).topUp({ accountId, cents: 50_000, reference: "test" }, "test")
  const limits = { ...noLimits, maxDayCents: 2_000, allowedDomains: ["shop.example"] }
  const wanted = { accountId, mode: "live", label: "Assistant", scopes: ALL_SCOPES, limits } as const
  const { key, text } = yield* (yield* Credentials).issue(wanted, "test")
  return { ...people, path: `/account/keys/${key.keyId}/limits`, text: Redacted.value(text) }
})

const placed = Effect.fnUntraced(function* (text: string, target = "https://shop.example/") {
  const { url } = yield* RunningService.RunningService
  const { siteId } = yield* listSite()
  const items = [{ site_id: siteId, target_url: target, anchor_text: "tools", anchor_type: "exact" }]
  const response = yield* Effect.promise(() =>
    fetch(new URL("/api/v1/agent/orders", url), {
      method: "POST",
      headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
      body: JSON.stringify({ items })
    })
  )
  return { status: response.status, body: yield* Effect.promise(() => response.json()) }
})

const order = (text: string, target?: string) => Effect.map(placed(text, target), ({ status }) => status)

const orderStatus = (text: string, target?: string) => Effect.map(placed(text, target), ({ body }) => body.status)

const PRESENT = { max_day: "20.00", domains: "shop.example" }

const set = (path: string, token: string, form: Readonly<Record<string, string>>) =>
  visit({ method: "POST", path, token, form })

layer(RunningService.layer())("limits of a key", (it) => {
  it.effect("are shown as they are, with what was used today", () =>
    Effect.gen(function* () {
      const { owner, path, text } = yield* keyHolder
      yield* order(text)
      const page = yield* visit({ path, token: owner })
      assert.include(page.text, "Now: 20.00 EUR a day · links only to shop.example · never asks you.")
      assert.include(page.text, "Today: 5.00 EUR spent in 1 order.")
      assert.include(page.text, 'value="20.00"')
      const { text: list } = yield* visit({ path: "/account/keys", token: owner })
      assert.include(list, "<small>Today: 5.00 EUR spent in 1 order</small>")
      assert.include(list, `href="${path}"`)
    })
  )

  it.effect(
    "have domains that are allowed always, each with its amount; another text is refused beside its field",
    () =>
      Effect.gen(function* () {
        const { owner, path, text } = yield* keyHolder
        const asking = { ...PRESENT, domains: "", approve_above: "0" }
        for (const always_allow of ["shop.example", "shop.example ten", "shop.example 5\nshop.example 6"]) {
          const refused = yield* set(path, owner, { ...asking, always_allow })
          assert.strictEqual(refused.status, 422)
          assert.include(refused.text, 'id="always_allow-error"')
        }
        assert.strictEqual(
          (yield* set(path, owner, { ...asking, always_allow: "shop.example 5,00 EUR\r\n" })).status,
          303
        )
        const page = yield* visit({ path, token: owner })
        assert.include(page.text, "shop.example 5.00")
        assert.include(page.text, "asks before every order · shop.example up to 5.00 EUR without asking")
        const statuses = [yield* orderStatus(text), yield* orderStatus(text, "https://elsewhere.example/")]
        assert.deepStrictEqual(statuses, ["paid", "awaiting_approval"])
      })
  )

  it.effect("are tightened at once: the next order is refused", () =>
    Effect.gen(function* () {
      const { owner, path, text } = yield* keyHolder
      assert.strictEqual(yield* order(text), 201)
      const answer = yield* set(path, owner, { ...PRESENT, max_day: "9,99", daily_cap: "3" })
      assert.deepStrictEqual([answer.status, answer.location], [303, "/account/keys"])
      assert.strictEqual(yield* order(text), 403)
      const { text: list } = yield* visit({ path: "/account/keys", token: owner })
      assert.include(list, "9.99 EUR a day · 3 orders a day · links only to shop.example")
      assert.include(list, "Today: 5.00 EUR spent in 1 order; 1 of 3 orders asked for")
    })
  )

  it.effect("that are no limits are refused beside their fields, which keep what was typed", () =>
    Effect.gen(function* () {
      const { owner, path } = yield* keyHolder
      const wrong = { max_order: "much", approve_above: "-1", daily_cap: "0", domains: "no domain/" }
      const { status, text } = yield* set(path, owner, wrong)
      assert.strictEqual(status, 422)
      for (const field of Object.keys(wrong)) assert.include(text, `id="${field}-error"`)
      assert.include(text, 'value="much"')
      assert.include(text, "This must not be below 0.")
      assert.include((yield* visit({ path, token: owner })).text, 'value="20.00"')
    })
  )

  it.effect("are loosened with a second factor alone, where the account has one, and tightened without", () =>
    Effect.gen(function* () {
      const { owner, path, text } = yield* keyHolder
      const app = yield* addApp(owner)
      const looser = { max_day: "500", domains: "shop.example\nother.example" }
      const refused = yield* set(path, owner, looser)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, 'id="code-error"')
      assert.include(refused.text, 'value="500"')
      assert.strictEqual(yield* order(text, "https://other.example/"), 403)
      const spent = yield* codeOf(app)
      assert.strictEqual((yield* set(path, owner, { ...looser, code: spent })).status, 403)
      assert.strictEqual((yield* set(path, owner, { ...looser, code: yield* nextCode(app) })).status, 303)
      assert.strictEqual(yield* order(text, "https://other.example/"), 201)
      assert.strictEqual((yield* set(path, owner, PRESENT)).status, 303)
      assert.strictEqual(yield* order(text, "https://other.example/"), 403)
    })
  )

  it.effect("that ask an owner first hold from the next order on, and go only with a second factor", () =>
    Effect.gen(function* () {
      const { owner, path, text } = yield* keyHolder
      const asking = { ...PRESENT, approve_above: "4,99", hold_look_alikes: "on" }
      assert.strictEqual((yield* set(path, owner, asking)).status, 303)
      assert.strictEqual(yield* order(text), 201)
      const { text: page } = yield* visit({ path, token: owner })
      assert.include(page, "asks above 4.99 EUR · asks about repeats. Today: 5.00 EUR waiting.")
      assert.include(page, 'value="4.99"')
      assert.match(page, /name="hold_look_alikes"[^>]* checked/)
      assert.include((yield* visit({ path: "/account", token: owner })).text, "/account/approvals/")
      const app = yield* addApp(owner)
      assert.strictEqual((yield* set(path, owner, { ...asking, approve_above: "5" })).status, 403)
      assert.strictEqual((yield* set(path, owner, { ...PRESENT, approve_above: "4.99" })).status, 403)
      assert.strictEqual((yield* set(path, owner, { ...asking, approve_above: "0" })).status, 303)
      const gone = yield* set(path, owner, { ...PRESENT, code: yield* nextCode(app) })
      assert.strictEqual(gone.status, 303)
      assert.notInclude((yield* visit({ path, token: owner })).text, "asks about repeats")
    })
  )

  it.effect("of another account's key are as unknown as none", () =>
    Effect.gen(function* () {
      const { path, text } = yield* keyHolder
      const stranger = yield* openAccount
      assert.strictEqual((yield* visit({ path, token: stranger.owner })).status, 404)
      assert.strictEqual((yield* set(path, stranger.owner, {})).status, 404)
      assert.strictEqual(yield* order(text, "https://other.example/"), 403)
    })
  )
})

layer(RunningService.layer({ DAILY_ORDER_CAP: "20" }))("limits of a key beside a usual cap on orders", (it) => {
  it.effect("have one meaning of nothing and of 0 in every field: no limit, and nothing at all", () =>
    Effect.gen(function* () {
      const { owner, path, text, account } = yield* keyHolder
      const accounts = yield* ViewAccount
      const setCap = Effect.map(accounts.keysToday(account.accountId), ([one]) => one?.key.limits.dailyOrderCap)
      const capOf = Effect.map(
        visit({ path, token: owner }),
        (page) => / name="daily_cap"[^>]* value="(\d*)"/.exec(page.text)?.[1]
      )
      const limits = { max_order: "", max_day: "", domains: "", approve_above: "" }
      // What the service allows where no owner said anything is shown, and stays the service's as long as it is left.
      assert.strictEqual(yield* capOf, "20")
      assert.strictEqual((yield* set(path, owner, { ...limits, daily_cap: "20" })).status, 303)
      assert.strictEqual(yield* setCap, null)
      assert.strictEqual((yield* set(path, owner, { ...limits, daily_cap: "" })).status, 303)
      assert.deepStrictEqual([yield* capOf, yield* setCap], ["", 0])
      assert.include(
        (yield* visit({ path, token: owner })).text,
        'Now: <span class="pill wait">no daily spending limit</span><br>never asks you.'
      )
      assert.strictEqual(yield* order(text), 201)
      for (const nothing of [{ max_order: "0" }, { max_day: "0" }]) {
        assert.strictEqual((yield* set(path, owner, { ...limits, ...nothing })).status, 303)
        assert.strictEqual(yield* order(text), 403)
      }
      assert.strictEqual((yield* set(path, owner, { ...limits, approve_above: "0" })).status, 303)
      assert.strictEqual(yield* orderStatus(text), "awaiting_approval")
      const page = yield* visit({ path, token: owner })
      assert.strictEqual(page.text.split("Empty: no limit. 0 EUR: it may spend nothing.").length, 2)
      assert.match(
        page.text,
        /<fieldset aria-describedby="max_order-group"><legend>Limits<.*id="max_order-group">Empty: no limit/s
      )
      assert.match(page.text, /id="approve_above-hint">Empty: never ask\. 0: ask before every order\./)
    })
  )

  it.effect("leave the usual orders a day to a new key, unless its field is changed, with each choice", () =>
    Effect.gen(function* () {
      const { owner: token, account } = yield* openAccount
      assert.match(
        (yield* visit({ path: "/account/keys", token })).text,
        /<label for="reach-2" class="pill wait">No limits: it can spend all my credit</
      )
      const create = (label: string, form: Readonly<Record<string, string>>) =>
        visit({
          method: "POST",
          path: "/account/keys",
          token,
          form: { label, mode: "live", may_read: "on", may_order: "on", ...form }
        })
      for (const [label, reach, daily_cap] of [
        ["a", "none", "20"],
        ["b", "none", ""],
        ["c", "ask", ""],
        ["d", "own", "5"]
      ] as const)
        assert.strictEqual((yield* create(label, { reach, daily_cap })).status, 303, label)
      for (const wrong of [{ reach: "own" }, { reach: "own", daily_cap: "" }, { reach: "none", max_day: "5" }])
        assert.strictEqual((yield* create("e", wrong)).status, 422)
      const made = (yield* (yield* ViewAccount).keysToday(account.accountId)).map(({ key: { label, limits } }) => [
        ...[label, limits.dailyOrderCap, limits.approveAboveCents, limits.maxDayCents]
      ])
      assert.deepStrictEqual(made.toSorted(), [
        ["a", null, null, null],
        ["b", 0, null, null],
        ["c", 0, 2_000, 10_000],
        ["d", 5, null, null]
      ])
    })
  )
})
