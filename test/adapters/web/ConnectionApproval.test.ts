// The approval page of an order that a connected assistant asks for.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalOrder, readOrder } from "#adapters/contract/ordering/OrderRequest.ts"
import { consentTo } from "#core/decisions/access/Connections.ts"
import { ALL_SCOPES, callerOf } from "#core/domain/access/ApiKey.ts"
import { consentLimits } from "#core/domain/access/Connection.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { PlaceOrder } from "#core/usecases/ordering/PlaceOrder.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"
import { pageOf } from "./WaitingOrder.ts"

layer(RunningService.layer())("the approval page of a connection's order", (it) => {
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
      assert.include(text, "<h1>Chat wants to spend 5.00 EUR from your credit</h1>")
      const post = { method: "POST", path: `${path}/approve`, token: owner } as const
      assert.strictEqual((yield* visit({ ...post, form: { ...form, always: "on", up_to: "9" } })).status, 303)
      const [kept] = (yield* (yield* Credentials).connections(accountId)).map(({ connection }) => connection)
      assert.deepInclude(kept?.limits, {
        ...{ approveAboveCents: 0, holdLookAlikes: true, allowedDomains: null },
        alwaysAllow: [{ domain: "brand.example", upToCents: 900 }]
      })
    })
  )
})
