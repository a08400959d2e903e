// What the approval page says of who asks and why: of a connected assistant, and of two orders for the same links.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalOrder, readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import { consentTo } from "#core/decisions/access/Connections.ts"
import { ALL_SCOPES, callerOf, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { consentLimits } from "#core/domain/access/Connection.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

layer(RunningService.layer())("the approval page", (it) => {
  it.effect("names the client of a connection, and lets it ask less often too", () =>
    Effect.gen(function* () {
      const { account, by, owner } = yield* openAccount
      const { accountId } = account
      const book = yield* OrderBook
      yield* (yield* ManageAccounts).topUp({ accountId, cents: 5_000, reference: "test" }, "test")
      const client = { clientId: "https://chat.example/client", name: "Chat", host: "chat.example" }
      const given = { ...by, accountId, client, scopes: ALL_SCOPES, mode: "live", limits: consentLimits } as const
      const connection = yield* book.transact({ _tag: "ForAccount", accountId }, consentTo(given))
      const body = cart([item((yield* listSite()).siteId)])
      const order = { request: readOrder(body), canonicalBody: canonicalOrder(body), idempotencyKey: null }
      const placed = yield* (yield* PlaceOrder).place({ ...order, caller: callerOf(connection) })
      const { path, form } = pageOf(JSON.parse(placed.body))
      const { text } = yield* visit({ path, token: owner })
      assert.include(text, "Connection; we verified only its address chat.example")
      assert.include(text, "<h1>Chat asks to spend 5.00 EUR</h1>")
      assert.include(text, "It waits because this connection asks you before every order.")
      const post = { method: "POST", path: `${path}/approve`, token: owner } as const
      assert.strictEqual((yield* visit({ ...post, form: { ...form, always: "on", up_to: "9" } })).status, 303)
      const [kept] = (yield* (yield* Credentials).connections(accountId)).map(({ connection }) => connection)
      assert.deepInclude(kept?.limits, {
        ...{ approveAboveCents: 0, holdLookAlikes: true, allowedDomains: null },
        alwaysAllow: [{ domain: "brand.example", upToCents: 900 }]
      })
    })
  )

  it.effect("names the rule that stopped the order, and another one that waits for the same links", () =>
    Effect.gen(function* () {
      const people = yield* openAccount
      const agent = yield* agentOf(people)
      const limit = (limits: Partial<SpendLimits>) =>
        Effect.flatMap(Credentials, (credentials) => credentials.limit(agent.key.keyId, limits, "test"))
      yield* limit({ approveAboveCents: 200, holdLookAlikes: true })
      yield* (yield* MovableClock).advance("1 second")
      const [first, second] = [pageOf(yield* agent.order()), pageOf(yield* agent.order())]
      const textOf = (path: string) => Effect.map(visit({ path, token: people.owner }), ({ text }) => text)
      const one = yield* textOf(first.path)
      assert.include(one, "It waits because it is over 2.00 EUR, the amount above which this key asks you.</strong>")
      assert.include(one, `Assistant asks for the same link twice: see <a href="${second.path}">the other request`)
      assert.include(one, '<button type="submit">Approve 5.00 EUR', "no louder than the button that declines")
      const other = yield* textOf(second.path)
      assert.include(other, "It waits because it asks for the same link, with the same target and anchor, as")
      assert.include(other, `<a href="${first.path}">the other request`)
      assert.notInclude(other, "An order for the same links was asked for within 10 minutes")
      const list = yield* textOf("/account/approvals")
      assert.include(list, "<strong>2 orders for")
      assert.strictEqual(list.match(/asked for twice/g)?.length, 2)
      assert.strictEqual((yield* textOf("/account")).match(/asked for twice/g)?.length, 2)
      for (const rows of [list, yield* textOf("/account")]) assert.include(rows, "asked <time")
      yield* visit({ method: "POST", path: `${first.path}/decline`, token: people.owner, form: { reason: "" } })
      const alone = yield* textOf(second.path)
      assert.notInclude(alone, "asks for the same link twice")
      assert.include(alone, "(declined)")
      assert.include(yield* textOf("/account/approvals"), "<strong>1 order for")
    })
  )
})
