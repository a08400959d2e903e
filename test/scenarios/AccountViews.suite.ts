// What an account's credentials see of each other: lists with a scope, in which mode and scope of the caller always hold.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderList } from "#adapters/contract/ordering/Orders.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { type Buyer, buyer, by, cart, clientOf, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { connectTo, ownerOf, tokenOf } from "./ConnectionSteps.ts"
import { call, LINKS, ORDERS, placedBy, postOrder, QUOTES, read, refusalIn } from "./HttpCalls.ts"
import { scenarios } from "./ScenarioSuite.ts"
import { buyInShop } from "./ShopSteps.ts"

const free = { approveAboveCents: null, holdLookAlikes: false }

/** Links to this host, bought by each of the buyers in turn, newest first. */
const buyEach = Effect.fnUntraced(function* (host: string, ...buyers: ReadonlyArray<Pick<Buyer, "key">>) {
  const { siteId } = yield* listSite()
  const ids: Array<string> = []
  for (const { key } of buyers) {
    const body = cart([item(siteId, { target_url: `https://${host}/` })])
    ids.unshift(placedBy(yield* postOrder(key, body)).order_id ?? "none")
  }
  return ids
})

const list = ({ key }: Pick<Buyer, "key">, query = "") => read(OrderList, key, `${ORDERS}${query}`)
const idsIn = ({ orders }: OrderList) => orders.map(({ order_id }) => order_id)

/** Another instance knows a changed credential half a second later. */
const knownEverywhere = Effect.promise(() => sleep(600))

/** Every list of what credentials placed. */
const LISTS = [ORDERS, QUOTES, LINKS]

export const accountViewsSuite = scenarios("what an account's credentials see", {}, (it) => {
  it.effect(
    "a default list is the key's own and counts what the same filters leave out; `scope=account` lists it",
    () =>
      Effect.gen(function* () {
        const first = yield* buyer({ creditCents: 50_000 })
        const second = yield* issueKey(first.accountId)
        const chat = yield* connectTo(first.accountId, { limits: free })
        const stranger = yield* buyer({ creditCents: 5_000 })
        yield* buyEach("one.example", stranger)
        const shop = yield* buyEach("shop.example", first, second, second, chat)
        const [other = ""] = yield* buyEach("other.example", second)

        const own = yield* list(first)
        expect(idsIn(own)).toEqual(shop.slice(-1))
        expect(own.other_credentials).toEqual({ orders: 4 })
        expect(own.hint).toMatch(/^4 more orders .*scope=account/)
        const narrowed = yield* list(first, "?target_domain=other.example")
        expect(narrowed).toMatchObject({ total: 0, orders: [], other_credentials: { orders: 1 } })
        expect(narrowed.hint).toMatch(/^1 more order .*scope=account/)
        const none = yield* list(first, "?target_domain=nowhere.example")
        expect([none.total, "other_credentials" in none, "hint" in none]).toEqual([0, false, false])

        for (const who of [first, second, chat]) {
          const all = yield* list(who, "?scope=account")
          expect(idsIn(all)).toEqual([other, ...shop])
          expect([all.total, "other_credentials" in all, "hint" in all]).toEqual([5, false, false])
          expect(idsIn(yield* list(who, "?scope=account&target_domain=other.example"))).toEqual([other])
        }
        expect((yield* list(stranger)).total).toBe(1)
        expect("other_credentials" in (yield* list(stranger))).toBe(false)
      })
  )

  it.effect("orders, quotes and links say who placed them, and no agent sees a member's address", () =>
    Effect.gen(function* () {
      const first = yield* buyer({ creditCents: 50_000 })
      const chat = yield* connectTo(first.accountId, { limits: free })
      yield* buyEach("shop.example", first, chat)
      const owner = yield* ownerOf(first.accountId)
      const { orderId, quoteId } = yield* buyInShop(owner)
      const { memberId, email } = owner.member
      const shop = { id: memberId, kind: "member", label: "a member of the account" }
      const byChat = { id: chat.keyId, kind: "connection", label: "Chat" }
      const byKey = { id: first.keyId, kind: "key", label: "scenario" }
      for (const who of [first, chat, yield* issueKey(first.accountId, { scopes: ["read"] })]) {
        const all = yield* list(who, "?scope=account")
        expect(all.orders.map(({ placed_by }) => placed_by)).toEqual([shop, byChat, byKey])
        for (const [index, by] of [shop, byChat, byKey].entries()) {
          const { order_id = "", quote_id = "" } = all.orders[index] ?? {}
          const found = yield* call("GET", `${ORDERS}/${order_id}`, { key: who.key })
          expect(JSON.parse(found.text)).toMatchObject({ placed_by: by, items: [{ placed_by: by }] })
          const quote = yield* call("GET", `${QUOTES}/${quote_id}`, { key: who.key })
          expect(JSON.parse(quote.text)).toMatchObject({ placed_by: by })
          expect(`${found.text}${quote.text}`).not.toContain(email)
        }
        expect(all.orders[0]).toMatchObject({ order_id: orderId, quote_id: quoteId })
      }
    })
  )

  it.effect("the first page adds up all that matches, cancelled links too", () =>
    Effect.gen(function* () {
      const first = yield* buyer({ creditCents: 50_000 })
      const second = yield* issueKey(first.accountId)
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const two = cart([item(siteId), item(siteId, { anchor_text: "another page" })])
      const ids = yield* Effect.forEach([first, first, second], ({ key }) =>
        Effect.map(postOrder(key, two), (answer) => placedBy(answer))
      )
      const [{ order_id = "" } = {}] = ids
      const order = yield* call("GET", `${ORDERS}/${order_id}`, { key: first.key })
      const [{ link_id, net_price_eur }] = JSON.parse(order.text).items
      yield* call("POST", `${ORDERS}/${order_id}/cancel`, { key: first.key, body: { link_ids: [link_id] } })
      const cents = (eur: number) => Math.round(eur * 100)
      const sumOf = (some: typeof ids) => some.reduce((sum, { total_eur }) => sum + cents(total_eur), 0)
      const totals = (some: typeof ids) => ({
        count: some.length,
        total_eur: sumOf(some) / 100,
        credited_eur: net_price_eur,
        net_eur: (sumOf(some) - cents(net_price_eur)) / 100
      })
      expect((yield* list(first)).totals).toEqual(totals(ids.slice(0, 2)))
      const page = yield* list(first, "?scope=account&limit=1")
      expect(page.totals).toEqual(totals(ids))
      const next = yield* list(first, `?scope=account&limit=1&cursor=${page.next_cursor}`)
      expect([next.total, "totals" in next]).toEqual([3, false])
      const none = yield* list(first, "?target_domain=nowhere.example")
      expect(none.totals).toEqual({ count: 0, total_eur: 0, credited_eur: 0, net_eur: 0 })
      const narrowed = yield* list(second, "?target_domain=brand.example&scope=account")
      expect(narrowed.totals).toEqual(totals(ids))
    })
  )

  it.effect("pages through the whole account; a cursor is of the scope that it came from", () =>
    Effect.gen(function* () {
      const first = yield* buyer({ creditCents: 50_000 })
      const second = yield* issueKey(first.accountId)
      const ids = yield* buyEach("shop.example", first, second, first, second, first)
      const seen: Array<string> = []
      let next: string | undefined = ""
      let cursor: string | undefined
      while (next !== undefined) {
        const page: OrderList = yield* list(first, `?scope=account&limit=2${next}`)
        seen.push(...idsIn(page))
        cursor ??= page.next_cursor
        next = page.next_cursor === undefined ? undefined : `&cursor=${page.next_cursor}`
      }
      expect(seen).toEqual(ids)
      const wrong = refusalIn(yield* call("GET", `${ORDERS}?limit=2&cursor=${cursor}`, { key: first.key }))
      expect([wrong.status, wrong.code, wrong.param]).toEqual([422, "validation_failed", "cursor"])
      const unknown = refusalIn(yield* call("GET", `${ORDERS}?scope=everything`, { key: first.key }))
      expect([unknown.status, unknown.param]).toEqual([422, "scope"])
    })
  )

  it.effect("mode and scope hold: sandbox, read-only, order-only and revoked keys ask for every list", () =>
    Effect.gen(function* () {
      const live = yield* buyer({ creditCents: 50_000 })
      const sandbox = yield* issueKey(live.accountId, { mode: "sandbox" })
      const reader = yield* issueKey(live.accountId, { scopes: ["read"] })
      const orderer = yield* issueKey(live.accountId, { scopes: ["order"] })
      const bought = yield* buyEach("shop.example", live)
      const played = yield* buyEach("shop.example", sandbox)
      expect(idsIn(yield* list(reader, "?scope=account"))).toEqual(bought)
      expect((yield* list(reader)).other_credentials).toEqual({ orders: 1 })
      expect(idsIn(yield* list(sandbox, "?scope=account"))).toEqual(played)
      expect((yield* list(sandbox)).other_credentials).toBeUndefined()
      yield* (yield* Credentials).revoke(live.keyId, by)
      yield* knownEverywhere
      expect(idsIn(yield* list(reader, "?scope=account"))).toEqual(bought)
      for (const path of LISTS) {
        const asked = (key: string) => Effect.map(call("GET", `${path}?scope=account`, { key }), refusalIn)
        const { code, details } = yield* asked(orderer.key)
        expect([code, details]).toEqual(["insufficient_scope", { required: "read", held: ["order"] }])
        expect((yield* asked(live.key)).code).toBe("revoked_api_key")
      }
    })
  )

  it.effect("a connection from before its owner was asked sees its own until an owner consents again", () =>
    Effect.gen(function* () {
      const { setAccountView } = yield* OwnCredentials
      const key = yield* buyer({ creditCents: 50_000 })
      const chat = yield* connectTo(key.accountId, { limits: free })
      const ids = yield* buyEach("shop.example", key, chat)
      yield* setAccountView(chat.owner, chat.keyId, false, Effect.never)
      yield* knownEverywhere
      const own = yield* list(chat)
      expect([idsIn(own), "other_credentials" in own, "hint" in own]).toEqual([ids.slice(0, 1), false, false])
      for (const path of LISTS) {
        const refused = yield* call("GET", `${path}?scope=account`, { key: chat.key })
        const { status, code, recovery, retryable, details } = refusalIn(refused)
        expect([status, code, recovery, retryable]).toEqual([403, "insufficient_scope", "human", false])
        expect(details).toEqual({ required: "account", held: ["key"] })
        expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_scope".*scope="read order"/)
      }
      expect(idsIn(yield* list(key, "?scope=account"))).toEqual(ids)
      const again = yield* connectTo(key.accountId, { limits: free })
      yield* knownEverywhere
      expect([again.keyId, idsIn(yield* list(again, "?scope=account"))]).toEqual([chat.keyId, ids])
      const catalogue = yield* clientOf(again.connection, yield* tokenOf(again.connection, { resource: "catalog" }))
      expect((yield* call("GET", `${ORDERS}?scope=account`, { key: catalogue.key })).status).toBe(401)
    })
  )
})
