// `/metrics` over HTTP: every counter moves exactly by what was done, and a replay or repetition moves nothing. No metric contains data of
// customers.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { errorCodes } from "#adapters/contract/errors/ErrorCode.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { request } from "#test/adapters/mcp/Post.ts"
import { operatorClient, operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, by, cart, freshKey, insertion, issueKey, item, topUp } from "#test/scenarios/Buyers.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { OrderBookFaults } from "#test/scenarios/FaultyOrderBook.ts"
import { BALANCE, call, ORDERS, placedBy, postOrder, press, QUOTES, SANDBOX } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { changesDuring, scrape } from "./ScrapeMetrics.ts"

const placed = (paid: string, mode = "live"): string => `orders_placed_total{mode="${mode}",paid="${paid}"}`
const refused = (code: string): string => `refusals_total{code="${code}"}`

layer(operatorService(), { excludeTestServices: true })("metrics", (it) => {
  it.effect("start at 0, with a counter for every code", () =>
    Effect.gen(function* () {
      const series = yield* scrape
      for (const code of errorCodes) expect(series.get(`backlinks_${refused(code)}`)).toBe(0)
      expect(series.get(`backlinks_${placed("credit")}`)).toBe(0)
      expect(series.get('backlinks_money_credited_cents_total{reason="late_payment"}')).toBe(0)
      expect(series.get("backlinks_webhook_deliveries_due")).toBe(0)
      expect(series.get("backlinks_webhook_oldest_due_age_seconds")).toBe(0)
      expect(series.get('backlinks_payments_set_aside{currency="EUR"}')).toBe(0)
      expect(series.get('backlinks_payments_set_aside_cents{currency="EUR"}')).toBe(0)
    })
  )

  it.effect("an order that credit covers is one order, captured without a hold; its replays are replays", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 5_000 })
      const idempotencyKey = freshKey()
      const send = postOrder(key, cart([item(siteId), item(siteId)]), idempotencyKey)
      const { moved } = yield* changesDuring(send)
      expect(moved).toStrictEqual({
        [placed("credit")]: 1,
        money_captured_cents_total: 1_000
      })
      const again = yield* changesDuring(Effect.all([send, send, send], { concurrency: 3 }))
      expect(again.moved).toStrictEqual({ idempotent_replays_total: 3 })
    })
  )

  it.effect("two concurrent identical requests are one order and one replay", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 500 })
      const send = postOrder(key, cart([item(siteId)]), freshKey())
      const { moved } = yield* changesDuring(Effect.all([send, send], { concurrency: 2 }))
      expect(moved).toStrictEqual({
        [placed("credit")]: 1,
        idempotent_replays_total: 1,
        money_captured_cents_total: 500
      })
    })
  )

  it.effect("a card payment is counted apart from credit, and a second press of the button counts nothing", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const poor = yield* buyer()
      const some = yield* buyer({ creditCents: 300 })
      const opened = yield* changesDuring(
        Effect.forEach([poor, some], ({ key }) => Effect.map(postOrder(key, cart([item(siteId)])), placedBy))
      )
      expect(opened.moved).toStrictEqual({ money_held_cents_total: 300 })
      const [byCard, byBoth] = opened.outcome.map(({ payment_url }) => payment_url ?? "")
      expect((yield* changesDuring(press("pay", byCard ?? ""))).moved).toStrictEqual({ [placed("card")]: 1 })
      expect((yield* changesDuring(press("pay", byBoth ?? ""))).moved).toStrictEqual({
        [placed("credit_and_card")]: 1,
        money_captured_cents_total: 300
      })
      expect((yield* changesDuring(press("pay", byBoth ?? ""))).moved).toStrictEqual({})
    })
  )

  it.effect("an abandoned or expired quote is released once", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 700 })
      const { sweep } = yield* SweepQuotes
      const { advance } = yield* MovableClock
      const first = placedBy(yield* postOrder(key, cart([item(siteId), item(siteId)])))
      const abandon = call("POST", `${QUOTES}/${first.quote_id}/abandon`, { key })
      expect((yield* changesDuring(abandon)).moved).toStrictEqual({ money_released_cents_total: 700 })
      expect((yield* changesDuring(abandon)).moved).toStrictEqual({})
      yield* postOrder(key, cart([item(siteId), item(siteId)]))
      yield* advance("25 hours")
      expect((yield* changesDuring(sweep())).moved).toStrictEqual({ money_released_cents_total: 700 })
      expect((yield* changesDuring(sweep())).moved).toStrictEqual({})
    })
  )

  it.effect("top-ups, late payments and cancelled links are counted apart", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { cancelOrder } = yield* FulfilLinks
      const { accountId, key } = yield* buyer()
      const paid = yield* changesDuring(topUp(accountId, 1_234))
      expect(paid.moved).toStrictEqual({ money_topped_up_cents_total: 1_234 })
      const bought = placedBy(yield* postOrder(key, cart([item(siteId), item(siteId)])))
      const dropped = yield* changesDuring(cancelOrder(bought.order_id ?? OrderId.make(""), "no longer needed", by))
      expect(dropped.moved).toStrictEqual({ 'money_credited_cents_total{reason="cancelled_link"}': 1_000 })

      const article = yield* listArticle(siteId)
      const late = yield* buyer()
      const { payment_url } = placedBy(yield* postOrder(late.key, cart([insertion(article)])))
      yield* (yield* MovableClock).advance("25 hours")
      yield* (yield* SweepQuotes).sweep()
      yield* postOrder((yield* buyer({ creditCents: 500 })).key, cart([insertion(article)]))
      const tooLate = yield* changesDuring(press("pay", payment_url ?? ""))
      expect(tooLate.moved).toStrictEqual({ 'money_credited_cents_total{reason="late_payment"}': 500 })
    })
  )

  it.effect("the sandbox places sandbox orders and moves no money", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { accountId } = yield* buyer({ creditCents: 900 })
      const { key } = yield* issueKey(accountId, { mode: "sandbox" })
      const { moved } = yield* changesDuring(
        Effect.gen(function* () {
          yield* postOrder(key, cart([item(siteId)], { sandbox_credit_cents: 500 }))
          for (const credit of [0, 200]) {
            const order = placedBy(yield* postOrder(key, cart([item(siteId)], { sandbox_credit_cents: credit })))
            yield* call("POST", `${SANDBOX}/quotes/${order.quote_id}/pay`, { key })
          }
          const given = placedBy(yield* postOrder(key, cart([item(siteId)], { sandbox_credit_cents: 0 })))
          yield* call("POST", `${SANDBOX}/quotes/${given.quote_id}/abandon`, { key })
        })
      )
      expect(moved).toStrictEqual({
        [placed("credit", "sandbox")]: 1,
        [placed("card", "sandbox")]: 1,
        [placed("credit_and_card", "sandbox")]: 1
      })
    })
  )

  it.effect("a refused request or dry run counts only its error code", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 500 })
      const { injectFaults } = yield* OrderBookFaults
      const { moved } = yield* changesDuring(
        Effect.gen(function* () {
          yield* postOrder(key, cart([item(siteId)], { dry_run: true }))
          yield* postOrder(key, cart([]))
          yield* postOrder(key, "{")
          yield* postOrder(key, cart([item(999_999_999)]))
          yield* postOrder(key, cart([item(siteId)], { promo_code: "NOSUCH" }))
          yield* injectFaults("is refused")
          yield* postOrder(key, cart([item(siteId)]))
          yield* call("GET", BALANCE)
          yield* call("GET", "/nowhere")
          yield* call("DELETE", ORDERS, { key })
          yield* Effect.ignore((yield* operatorClient()).showOrder({ orderId: OrderId.make("ord_none") }))
          yield* call("POST", "/operator/rpc", { body: "{}" })
        })
      )
      expect(moved).toStrictEqual({
        [refused("validation_failed")]: 1,
        [refused("invalid_json")]: 1,
        [refused("site_not_found")]: 1,
        [refused("promo_code_invalid")]: 1,
        [refused("store_unavailable")]: 1,
        [refused("missing_api_key")]: 1,
        [refused("route_not_found")]: 1,
        [refused("method_not_allowed")]: 1,
        [refused("order_not_found")]: 1,
        [refused("missing_operator_token")]: 1
      })
    })
  )

  it.effect("tool calls count like REST calls", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer({ creditCents: 500 })
      const use = (name: string, args: object) =>
        call("POST", "/mcp", { key, ...request("2025", "tools/call", { name, arguments: args }) })
      const order = use("create_order", { ...cart([item(siteId)]), idempotency_key: freshKey() })
      const { moved } = yield* changesDuring(
        Effect.all([order, order, use("get_order_status", { order_id: "ord_none" })])
      )
      expect(moved).toStrictEqual({
        [placed("credit")]: 1,
        idempotent_replays_total: 1,
        money_captured_cents_total: 500,
        [refused("order_not_found")]: 1
      })
    })
  )

  it.effect("a refusal of the MCP server itself is counted once", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      const list = request("2025", "tools/list")
      const use = (name: string, args: object) => request("2025", "tools/call", { name, arguments: args })
      const { moved } = yield* changesDuring(
        Effect.all([
          call("POST", "/mcp", { ...list, headers: { ...list.headers, origin: "https://elsewhere.example" } }),
          call("POST", "/mcp", use("about", {})),
          call("POST", "/mcp", { key, ...list, body: "{" }),
          call("POST", "/mcp", { key, ...use("no_such_tool", {}) }),
          call("POST", "/mcp", { key, ...use("search_sites", { limit: "many" }) })
        ])
      )
      expect(moved).toStrictEqual({
        [refused("origin_not_allowed")]: 1,
        [refused("missing_api_key")]: 1,
        [refused("invalid_json")]: 1,
        [refused("validation_failed")]: 2
      })
    })
  )

  it.effect("no key, account, order, anchor or target appears", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key, accountId, keyId } = yield* buyer({ creditCents: 500 })
      const { order_id, quote_id } = placedBy(yield* postOrder(key, cart([item(siteId)]), "canary-of-a-replay"))
      const { text } = yield* call("GET", "/metrics", { key })
      const canaries = [key, accountId, keyId, order_id, quote_id, "canary-of-a-replay", "a fine page", "brand.example"]
      expect(canaries.filter((canary) => text.includes(canary ?? ""))).toEqual([])
      // Labels have few names and few values, none of which identifies a customer.
      const labels = new Set([...text.matchAll(/(\w+)="/g)].map(([, name]) => name))
      expect([...labels].sort()).toEqual(["code", "currency", "mode", "outcome", "paid", "reason", "table"])
    })
  )
})
