// Connections in the member area: listed with their client, limited with a second factor where it allows more, revoked, and named
// wherever an order, an approval or a deed is shown.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { CLIENT, type ConsentWish, connectTo, letIn } from "#test/scenarios/ConnectionSteps.ts"
import { BALANCE, call, ORDERS, placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"

const PATH = "/account/connections"

const holder = Effect.fnUntraced(function* (wish: ConsentWish = {}) {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* (yield* ManageAccounts).topUp({ accountId, cents: 50_000, reference: "test" }, "test")
  const connection = yield* connectTo(accountId, wish)
  return { ...people, connection, path: `${PATH}/${connection.keyId}` }
})

const order = Effect.fnUntraced(function* (key: string) {
  const { siteId } = yield* listSite()
  return yield* postOrder(key, cart([item(siteId)]))
})

const free = { approveAboveCents: null, holdLookAlikes: false }

const submit = (path: string, token: string, form: Readonly<Record<string, string>> = {}) =>
  visit({ method: "POST", path, token, form })

layer(RunningService.layer({ OAUTH: "off" }))("connections where OAuth is off", (it) => {
  it.effect("are not promised: a key stands in", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { text } = yield* visit({ path: PATH, token: owner })
      assert.include(text, "The operator has switched off the connection of assistants.")
      assert.notInclude(text, "/mcp</")
    })
  )
})

layer(RunningService.layer(), { excludeTestServices: true })("connections", (it) => {
  it.effect("say how an assistant is connected while there is none", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { url } = yield* RunningService.RunningService
      const { text } = yield* visit({ path: PATH, token: owner })
      assert.include(text, "No assistant is connected yet.")
      assert.include(text, `<pre class="copied">${new URL(url).origin}/mcp</pre>`)
      assert.include(text, `<a href="${PATH}" aria-current="page">Connections</a>`)
    })
  )

  it.effect("are listed with client, host, scopes, mode, limits, use, and who let them in", () =>
    Effect.gen(function* () {
      const limits = { ...free, maxDayCents: 2_000, dailyOrderCap: 4 }
      const { owner, viewer, ownerEmail, connection, path } = yield* holder({ limits })
      const before = (yield* visit({ path: PATH, token: owner })).text
      assert.include(before, '<td data-label="Last used">never')
      placedBy(yield* order(connection.key))
      const { text } = yield* visit({ path: PATH, token: owner })
      for (const shown of [
        ...["Chat<br><small>connection, chat.example</small>", "read and order", "20.00 EUR a day · 4 orders a day"],
        ...[
          "Today: 5.00 EUR spent in 1 order; 1 of 4 orders asked for",
          "No assistant may approve its own orders",
          `allowed by ${ownerEmail}`
        ],
        ...[`href="${path}/limits"`, `href="${path}/revoke"`]
      ])
        assert.include(text, shown)
      assert.notInclude(text, '<td data-label="Last used">never')
      const seen = (yield* visit({ path: PATH, token: viewer })).text
      assert.include(seen, "chat.example")
      assert.notInclude(seen, `${path}/`)
      yield* letIn(connection.owner, { mode: "sandbox", scopes: ["read"] })
      const after = (yield* visit({ path: PATH, token: owner })).text
      assert.match(after, /only read<br>.*none needed: it cannot order/s)
      assert.notInclude(after, path)
    })
  )

  it.effect("are no keys, and keys are not among them", () =>
    Effect.gen(function* () {
      const { owner, connection } = yield* holder()
      assert.include((yield* visit({ path: "/account/keys", token: owner })).text, "No key yet.")
      for (const page of ["limits", "revoke"]) {
        const asKey = yield* visit({ path: `/account/keys/${connection.keyId}/${page}`, token: owner })
        assert.strictEqual(asKey.status, 404)
        assert.strictEqual((yield* submit(`/account/keys/${connection.keyId}/${page}`, owner)).status, 404)
      }
      assert.strictEqual((yield* call("GET", BALANCE, { key: connection.key })).status, 200)
    })
  )

  it.effect("are tightened at once, and loosened with a second factor alone where the account has one", () =>
    Effect.gen(function* () {
      const { owner, connection, path } = yield* holder({ limits: free })
      const app = yield* addApp(owner)
      const tight = { max_order: "1" }
      assert.strictEqual((yield* submit(`${path}/limits`, owner, tight)).location, PATH)
      assert.strictEqual((yield* order(connection.key)).status, 403)
      const refused = yield* submit(`${path}/limits`, owner, { max_order: "100" })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, 'id="code-error"')
      assert.strictEqual((yield* order(connection.key)).status, 403)
      const looser = { max_order: "100", code: yield* nextCode(app) }
      assert.strictEqual((yield* submit(`${path}/limits`, owner, looser)).status, 303)
      assert.strictEqual((yield* order(connection.key)).status, 201)
    })
  )

  it.effect("read all orders of the account since an owner consents to that, and stop where one unticks it", () =>
    Effect.gen(function* () {
      const { owner, viewer, connection, path } = yield* holder({ limits: free })
      const listed = Effect.map(call("GET", `${ORDERS}?scope=account`, { key: connection.key }), ({ status }) => status)
      const page = Effect.map(visit({ path: PATH, token: owner }), ({ text }) => text)
      assert.include(yield* page, "all orders of the account")
      assert.include((yield* visit({ path: `${path}/view`, token: owner })).text, "Now: all orders of the account.")
      assert.strictEqual(yield* listed, 200)
      assert.strictEqual((yield* submit(`${path}/view`, viewer)).status, 403)
      assert.strictEqual((yield* submit(`${path}/view`, owner)).location, PATH)
      assert.include(yield* page, "its own orders")
      assert.strictEqual(yield* listed, 403)
      const app = yield* addApp(owner)
      const refused = yield* submit(`${path}/view`, owner, { sees_account: "on" })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, 'id="code-error"')
      assert.strictEqual(yield* listed, 403)
      const more = { sees_account: "on", code: yield* nextCode(app) }
      assert.strictEqual((yield* submit(`${path}/view`, owner, more)).location, PATH)
      assert.strictEqual(yield* listed, 200)
    })
  )

  it.effect("end when they are revoked, after a page that says what that ends", () =>
    Effect.gen(function* () {
      const { owner, viewer, connection, path } = yield* holder()
      const quote = placedBy(yield* order(connection.key))
      const asked = (yield* visit({ path: `${path}/revoke`, token: owner })).text
      for (const said of [
        "connect it again",
        "<li>Its webhooks</li>",
        "<li>Its orders that wait for approval: nothing is bought"
      ])
        assert.include(asked, said)
      assert.strictEqual((yield* submit(`${path}/revoke`, viewer)).status, 403)
      assert.strictEqual((yield* submit(`${path}/revoke`, owner)).location, PATH)
      assert.strictEqual((yield* call("GET", BALANCE, { key: connection.key })).status, 401)
      assert.include((yield* visit({ path: PATH, token: owner })).text, "No assistant is connected yet.")
      assert.include((yield* visit({ path: `/account/quotes/${quote.quote_id}`, token: owner })).text, "withdrawn")
      assert.strictEqual((yield* submit(`${path}/limits`, owner)).status, 404)
    })
  )

  it.effect("of other accounts are as unknown as none", () =>
    Effect.gen(function* () {
      const { connection, path } = yield* holder({ limits: free })
      const stranger = yield* openAccount
      for (const page of ["limits", "revoke", "view"]) {
        assert.strictEqual((yield* visit({ path: `${path}/${page}`, token: stranger.owner })).status, 404)
        assert.strictEqual((yield* submit(`${path}/${page}`, stranger.owner, { max_order: "1" })).status, 404)
      }
      assert.strictEqual((yield* order(connection.key)).status, 201)
    })
  )

  it.effect("are named on the overview, with orders and approvals, in the filter of orders, and in what was done", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail, connection, path } = yield* holder()
      const page = (path: string) => Effect.map(visit({ path, token: owner }), ({ text }) => text)
      const waits = placedBy(yield* order(connection.key))
      const approval = yield* page(new URL(waits.approval_url ?? "").pathname)
      assert.include(approval, "Connection; we verified only its address chat.example")
      assert.include(approval, "this connection asks you before every order")
      assert.include(yield* page("/account"), "Chat<br><small>connection, chat.example</small>")
      yield* submit(`${path}/limits`, owner)
      const { order_id } = placedBy(yield* order(connection.key))
      assert.include(yield* page(`/account/orders/${order_id}`), ", by Chat (connection, chat.example)")
      const filtered = yield* page(`/account/orders?key=${connection.keyId}`)
      assert.include(filtered, `<option value="${connection.keyId}" selected>Chat (connection, chat.example)</option>`)
      assert.include(filtered, order_id ?? "none")
      yield* submit(`${path}/revoke`, owner)
      const done = yield* page("/account/settings/activity")
      for (const deed of [
        `allowed the assistant “${CLIENT.name}” of ${CLIENT.host} to read and order`,
        ...["set the limits of “Chat”", "revoked “Chat”", "Chat (connection)</strong> <a", ownerEmail]
      ])
        assert.include(done, deed)
      assert.notInclude(done, "connection.")
      assert.include(yield* page(`/account/orders/${order_id}`), ", by Chat (connection, chat.example)")
    })
  )
})
