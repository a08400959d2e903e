// The sandbox: the same responses and the complete life of an order, without any effect on live data or a view of it.
import { Effect, HashMap, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import type { Books } from "#core/decisions/Books.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { buyer, cart, freshKey, insertion, issueKey, item, order } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, placedBy, postOrder, press, refusalIn, SANDBOX } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** An account with a live and a sandbox key, and 10.00 EUR of credit. */
const bothKeys = Effect.gen(function* () {
  const live = yield* buyer({ creditCents: 1_000 })
  const { siteId } = yield* listSite()
  return { live, test: yield* issueKey(live.accountId, { mode: "sandbox" }), siteId }
})

/** Everything that a sandbox order must not change. */
const realities = ({ accounts, holds, ledger, articles, promos }: Books) => ({
  accounts,
  holds,
  ledger,
  articles,
  promos
})

const STAGES = ["drafted", "in_review", "approved", "published", "verified"] as const

export const sandboxSuite = scenarios("the sandbox", { WELCOME_OFFER_PERCENT: "20", DAILY_ORDER_CAP: "20" }, (it) => {
  it.effect(
    "an order from placement to cancellation leaves wallet, ledger, articles, codes, queue and processor unchanged",
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { queue } = yield* FulfilLinks
        const sessions = Effect.flatMap(ProcessorFaults, ({ sessions }) => Ref.get(sessions))
        const { test, siteId } = yield* bothKeys
        const promo = yield* definePromo({ reduction: { kind: "percent", basisPoints: 5_000 }, maxRedemptions: 1 })
        const items = [item(siteId), insertion(yield* listArticle(siteId))]
        const before = realities(yield* books)
        const placed = yield* order(test, items, { promo_code: promo.code, sandbox_credit_cents: 120 })
        expect(placed).toMatchObject({
          sandbox: true,
          status: "awaiting_payment",
          quote_id: expect.stringMatching(/^q_test_/),
          credit_applied_cents: 120,
          card_amount_cents: 380
        })
        expect(placed.summary).toMatch(/^Sandbox, no real effect/)
        const params = { id: placed.quote_id ?? QuoteId.make("") }
        const paid = yield* test.api.sandbox.paySandboxQuote({ params })
        expect(paid).toMatchObject({ paid: true, order_id: expect.stringMatching(/^ord_test_/), sandbox: true })
        const id = paid.order_id ?? OrderId.make("")
        const statuses = []
        for (const to of STAGES) {
          const moved = yield* test.api.sandbox.advanceSandboxOrder({ params: { id }, payload: { to } })
          expect(moved.items.map(({ status }) => status)).toEqual([to, to])
          statuses.push(moved.order_status)
        }
        expect(statuses).toEqual(["in_progress", "in_progress", "in_progress", "completed", "completed"])
        const followed = yield* test.api.orders.getOrder({ params: { id } })
        expect(followed).toMatchObject({ sandbox: true, published_count: 2, order_status: "completed" })
        expect(followed.items.map(({ published_url }) => published_url !== null)).toEqual([true, true])
        expect(followed.items[0]?.history.map(({ status }) => status)).toEqual(["to_assign", "assigned", ...STAGES])
        expect(realities(yield* books)).toEqual(before)
        expect(yield* queue({ limit: 50, afterId: null })).toEqual([])
        expect(HashMap.size(yield* sessions)).toBe(0)
        const events = HashMap.toValues((yield* books).events).filter(
          ({ orderId, body }) => orderId === id && body !== null
        )
        expect(events.map(({ mode, type }) => `${mode} ${type}`)).toEqual([
          "sandbox order.published",
          "sandbox order.published"
        ])
        for (const { body } of events) expect(JSON.parse(body ?? "")).toMatchObject({ sandbox: true })
      })
  )

  it.effect("credit is simulated, or read from the real credit, which does not change", () =>
    Effect.gen(function* () {
      const { live, test, siteId } = yield* bothKeys
      const looked = yield* order(test, [item(siteId)])
      expect(looked).toMatchObject({
        status: "paid",
        credit_applied_cents: 400,
        order_id: expect.stringMatching(/^ord_test_/)
      })
      expect(yield* order(test, [item(siteId)], { sandbox_credit_cents: 0 })).toMatchObject({
        card_amount_cents: 400
      })
      expect(yield* order(test, [item(siteId)], { sandbox_credit_cents: 99_999 })).toMatchObject({ status: "paid" })
      expect(yield* order(test, [item(siteId)], { sandbox_credit_cents: 390 })).toMatchObject({
        credit_applied_cents: 350,
        card_amount_cents: 50
      })
      for (const { api } of [live, test]) {
        expect(yield* api.balance.getBalance()).toMatchObject({ available_cents: 1_000, held_cents: 0, holds: [] })
      }
      expect((yield* test.api.balance.listLedger({ query: {} })).entries).toEqual([])
      expect((yield* live.api.balance.listLedger({ query: {} })).count).toBe(1)
    })
  )

  it.effect("the welcome offer is shown as unused, until a live order has spent it", () =>
    Effect.gen(function* () {
      const { live, test, siteId } = yield* bothKeys
      const shown = Effect.map(order(test, [item(siteId)]), ({ discount }) => discount.source)
      expect([yield* shown, yield* shown]).toEqual(["welcome", "welcome"])
      const poor = yield* buyer()
      const poorTest = yield* issueKey(poor.accountId, { mode: "sandbox" })
      yield* order(poor, [item(siteId)]) // reserves it, live
      expect((yield* order(poorTest, [item(siteId)])).discount.source).toBe("welcome")
      expect((yield* order(live, [item(siteId)])).discount.source).toBe("welcome")
      expect(yield* shown).toBe("none")
    })
  )

  it.effect("the sandbox key has a daily count of its own", () =>
    Effect.gen(function* () {
      const { live, test, siteId } = yield* bothKeys
      yield* order(test, [item(siteId)])
      yield* order(test, [item(siteId)])
      const used = [live, test].map(({ api }) =>
        Effect.map(api.balance.getBalance(), ({ orders_today }) => orders_today.used)
      )
      expect(yield* Effect.all(used)).toEqual([0, 2])
    })
  )

  it.effect("a human pays at the service's own page, an agent abandons: both end as live quotes do", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const { test, siteId } = yield* bothKeys
      const open = order(test, [item(siteId)], { sandbox_credit_cents: 0 })
      const ends = []
      for (const end of ["page pay", "page abandon", "agent abandon", "sandbox abandon"]) {
        const { quote_id, payment_url } = yield* open
        expect(payment_url?.startsWith(`${url}/pay/`)).toBe(true)
        expect((yield* call("GET", payment_url ?? "")).text).toContain("This is a sandbox order")
        const params = { id: quote_id ?? QuoteId.make("") }
        if (end === "page pay") yield* press("pay", payment_url ?? "")
        if (end === "page abandon") yield* press("abandon", payment_url ?? "")
        if (end === "agent abandon") yield* test.api.quotes.abandonQuote({ params })
        if (end === "sandbox abandon") yield* test.api.sandbox.abandonSandboxQuote({ params })
        ends.push((yield* test.api.quotes.getQuote({ params })).status)
        const again = yield* Effect.flip(test.api.sandbox.paySandboxQuote({ params }))
        expect(again).toMatchObject({ error: { code: "quote_not_open", status: 409 } })
        if (end === "page pay") continue
        // What is given up already is a success for all who may give it up.
        expect((yield* test.api.quotes.abandonQuote({ params })).status).toBe("abandoned")
        expect((yield* test.api.sandbox.abandonSandboxQuote({ params })).status).toBe("abandoned")
        expect((yield* test.api.sandbox.declineSandboxQuote({ params, payload: {} })).status).toBe("abandoned")
      }
      expect(ends).toEqual(["paid", "abandoned", "abandoned", "abandoned"])
    })
  )

  it.effect("cancelling shows what a live order would return; invalid transitions are 409", () =>
    Effect.gen(function* () {
      const { live, test, siteId } = yield* bothKeys
      const { order_id } = yield* order(test, [item(siteId), item(siteId)], { sandbox_credit_cents: 5_000 })
      const advance = (to: (typeof STAGES)[number] | "cancelled" | "assigned") =>
        test.api.sandbox.advanceSandboxOrder({ params: { id: order_id ?? OrderId.make("") }, payload: { to } })
      yield* advance("drafted")
      yield* advance("approved")
      expect(yield* Effect.flip(advance("drafted"))).toMatchObject({
        error: { code: "invalid_transition", status: 409 }
      })
      // A key makes no success of what another call did.
      const keyed = { key: test.key, body: { to: "drafted" }, headers: { "idempotency-key": freshKey() } }
      const back = yield* call("POST", `${SANDBOX}/orders/${order_id}/advance`, keyed)
      expect(refusalIn(back)).toMatchObject({ code: "invalid_transition", status: 409 })
      expect(yield* advance("cancelled")).toMatchObject({
        order_status: "cancelled",
        credited_cents: 800,
        sandbox: true
      })
      expect(yield* Effect.flip(advance("published"))).toMatchObject({ error: { code: "invalid_transition" } })
      expect((yield* advance("cancelled")).order_status).toBe("cancelled")
      expect((yield* live.api.balance.getBalance()).available_cents).toBe(1_000)
    })
  )

  it.effect("a live key neither sees nor advances it, and a sandbox key sees nothing live", () =>
    Effect.gen(function* () {
      const { live, test, siteId } = yield* bothKeys
      const keys = { live: freshKey(), test: freshKey() }
      const real = placedBy(yield* postOrder(live.key, cart([item(siteId)]), keys.live))
      const pretended = placedBy(yield* postOrder(test.key, cart([item(siteId)]), keys.test))
      const sides = [
        { who: live, other: pretended, otherKey: keys.test, own: real },
        { who: test, other: real, otherKey: keys.live, own: pretended }
      ]
      for (const { who, other, otherKey, own } of sides) {
        const { api } = who
        const quote = { id: other.quote_id ?? QuoteId.make("") }
        const made = { id: other.order_id ?? OrderId.make("") }
        for (const hidden of [
          api.quotes.getQuote({ params: quote }),
          api.quotes.findQuote({ query: { idempotency_key: otherKey } }),
          api.quotes.abandonQuote({ params: quote }),
          api.sandbox.paySandboxQuote({ params: quote }),
          api.sandbox.abandonSandboxQuote({ params: quote })
        ]) {
          expect(yield* Effect.flip(hidden)).toMatchObject({ error: { code: "quote_not_found", status: 404 } })
        }
        for (const hidden of [
          api.orders.getOrder({ params: made }),
          api.sandbox.advanceSandboxOrder({ params: made, payload: { to: "published" } })
        ]) {
          expect(yield* Effect.flip(hidden)).toMatchObject({ error: { code: "order_not_found", status: 404 } })
        }
        const listed = yield* api.orders.listOrders({ query: {} })
        expect(listed.orders.map(({ order_id }) => order_id)).toEqual([own.order_id])
      }
      const driven = yield* call("POST", `${SANDBOX}/quotes/${real.quote_id}/pay`, { key: live.key })
      expect(driven.status).toBe(404)
      expect(refusalIn(driven).suggestion).toContain("/sandbox/… serves sandbox keys alone")
    })
  )

  it.effect("every response to a sandbox key says sandbox: true, and none to a live key", () =>
    Effect.gen(function* () {
      const { live, test, siteId } = yield* bothKeys
      for (const { key } of [live, test]) {
        for (const path of [
          "/catalog",
          `/catalog/${siteId}`,
          `/catalog/${siteId}/articles`,
          "/balance",
          "/balance/ledger",
          "/orders",
          "/webhooks",
          "/ai-visibility/projects"
        ]) {
          const { text } = yield* call("GET", `/api/v1/agent${path}`, { key })
          expect(JSON.parse(text), path).toMatchObject({ ok: true, sandbox: key === test.key })
        }
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
