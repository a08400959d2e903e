// An unavailable store is 503 with Retry-After and nothing half written; after a commit whose response was lost, the same request finds
// the order.
import { Effect } from "effect"
import { expect } from "vitest"
import { bearer } from "#test/adapters/mcp/Clients.ts"
import { post, resultIn, toolCall } from "#test/adapters/mcp/Post.ts"
import { movements, ordersOf, quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, cart, freshKey, insertion, item } from "./Buyers.ts"
import { listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistent } from "./ConsistentBooks.ts"
import { BUG, OrderBookFaults, RETRY_AFTER_SECONDS } from "./FaultyOrderBook.ts"
import {
  BALANCE,
  call,
  type HttpResponse,
  isReplay,
  ORDERS,
  placedBy,
  postOrder,
  press,
  QUOTES,
  refusalIn,
  SANDBOX,
  WEBHOOKS
} from "./HttpCalls.ts"
import { changing } from "./LinkChangeSteps.ts"
import { LogLines, RunningService, ServiceInstances } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** An order without an idempotency key is not to be sent again as it is: it would be another order. */
const repeatability = (isRepeatable: boolean) =>
  isRepeatable ? { retryable: true, recovery: "retry" } : { retryable: false, recovery: "correct" }

/** The response while the store is unavailable. It does not say whether anything was written, because that is unknown. */
const expectUnavailable = (answer: HttpResponse, isRepeatable = true): void => {
  const error = refusalIn(answer)
  expect(error).toMatchObject({ code: "store_unavailable", status: 503, ...repeatability(isRepeatable) })
  expect(answer.headers.get("retry-after")).toBe(String(RETRY_AFTER_SECONDS))
  expect(error.message).not.toContain("written")
  expect(error.suggestion).toContain(`may exist all the same: read GET ${ORDERS} and the holds of GET ${BALANCE} first`)
}

interface Write {
  readonly by: Buyer
  readonly send: Effect.Effect<HttpResponse, unknown, RunningService>
}

/** An open quote of 5.00 EUR, of which 2.00 is credit if there is any. */
const openQuote = Effect.fnUntraced(function* (who: Buyer) {
  const { siteId } = yield* listSite()
  return placedBy(yield* postOrder(who.key, cart([insertion(yield* listArticle(siteId))])))
})

const receiver = (port: number) => ({ url: `http://127.0.0.1:${port}/healthz`, events: ["order.accepted"] })

/** Every request that writes. */
const WRITES = {
  "an order that credit covers": Effect.gen(function* () {
    const who = yield* buyer({ creditCents: 500 })
    const { siteId } = yield* listSite()
    return { by: who, send: postOrder(who.key, cart([item(siteId)]), freshKey()) }
  }),
  "an order that credit covers, without an idempotency key": Effect.gen(function* () {
    const who = yield* buyer({ creditCents: 500 })
    const { siteId } = yield* listSite()
    return { by: who, send: postOrder(who.key, cart([item(siteId)])) }
  }),
  "an order without an idempotency key": Effect.gen(function* () {
    const who = yield* buyer({ creditCents: 200 })
    const { siteId } = yield* listSite()
    return { by: who, send: postOrder(who.key, cart([insertion(yield* listArticle(siteId))])) }
  }),
  "abandoning a quote": Effect.gen(function* () {
    const who = yield* buyer({ creditCents: 200 })
    const { quote_id } = yield* openQuote(who)
    return { by: who, send: call("POST", `${QUOTES}/${quote_id}/abandon`, { key: who.key }) }
  }),
  "paying in the sandbox": Effect.gen(function* () {
    const who = yield* buyer({ mode: "sandbox" })
    const { quote_id } = yield* openQuote(who)
    return { by: who, send: call("POST", `${SANDBOX}/quotes/${quote_id}/pay`, { key: who.key }) }
  }),
  "advancing in the sandbox": Effect.gen(function* () {
    const who = yield* buyer({ mode: "sandbox" })
    const { siteId } = yield* listSite()
    const { order_id } = placedBy(yield* postOrder(who.key, cart([item(siteId)], { sandbox_credit_cents: 500 })))
    const body = { to: "published" }
    return { by: who, send: call("POST", `${SANDBOX}/orders/${order_id}/advance`, { key: who.key, body }) }
  }),
  "changing a link": changing,
  "subscribing a webhook": Effect.gen(function* () {
    const { port } = yield* RunningService
    const who = yield* buyer()
    return { by: who, send: call("POST", WEBHOOKS, { key: who.key, body: receiver(port) }) }
  }),
  "revoking a webhook": Effect.gen(function* () {
    const { port } = yield* RunningService
    const who = yield* buyer()
    const { id } = yield* who.api.webhooks.createWebhook({ payload: { ...receiver(port), events: ["order.accepted"] } })
    return { by: who, send: call("DELETE", `${WEBHOOKS}/${id}`, { key: who.key }) }
  })
} satisfies Readonly<Record<string, Effect.Effect<Write, unknown, unknown>>>

export const storeFaultsSuite = scenarios("store faults", {}, (it) => {
  for (const [name, prepare] of Object.entries(WRITES)) {
    it.effect(
      `${name} is 503 while the store is unavailable, with nothing written; the same request then succeeds`,
      () =>
        Effect.gen(function* () {
          const { books } = yield* RunningService
          const { injectFaults } = yield* OrderBookFaults
          const { send } = yield* prepare
          const before = yield* books
          yield* injectFaults("is refused")
          expectUnavailable(yield* send, !name.endsWith("without an idempotency key"))
          expect(yield* books).toBe(before)
          const { status, text } = yield* send
          expect(status, text).toBeLessThan(300)
          expect(yield* books).not.toBe(before)
          expectConsistent(yield* books)
        })
    )
  }

  it.effect("a defect is 500 without internal details, logged once under its request id", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { lines } = yield* LogLines
      const { injectFaults } = yield* OrderBookFaults
      const { send } = yield* WRITES["an order that credit covers"]
      const before = yield* books
      yield* injectFaults("breaks")
      const answer = yield* send
      expect(refusalIn(answer)).toMatchObject({ code: "internal_error", status: 500, retryable: true })
      expect(answer.text).not.toMatch(/10\.0\.0\.7|Error|\.ts/)
      expect(yield* books).toBe(before)
      const logged = lines.filter((line) => line.includes(answer.headers.get("request-id") ?? "?"))
      expect([logged.length, logged[0]?.includes(BUG)]).toEqual([1, true])
      expect((yield* send).status).toBe(201)
    })
  )

  for (const fate of ["is refused", "loses its answer", "breaks"] as const) {
    it.effect(`an order that ${fate} is to be sent again only under an idempotency key, over REST and MCP`, () =>
      Effect.gen(function* () {
        const { all } = yield* ServiceInstances
        const [here] = yield* all
        const { injectFaults } = yield* OrderBookFaults
        const { siteId } = yield* listSite()
        for (const [dryRun, keyed, isRepeatable] of [
          [false, true, true],
          [false, false, false],
          [true, false, fate !== "breaks"]
        ] as const) {
          const who = yield* buyer({ creditCents: 5_000 })
          const body = cart([item(siteId)], dryRun ? { dry_run: true } : {})
          yield* injectFaults(fate)
          const overRest = refusalIn(yield* postOrder(who.key, body, keyed ? freshKey() : undefined))
          yield* injectFaults(fate)
          const args = keyed ? { ...body, idempotency_key: freshKey() } : body
          const overMcp = resultIn(
            yield* post(`${here?.url}/mcp`, toolCall("2025", "create_order", args), bearer(who.key))
          )
          const expected = repeatability(isRepeatable)
          expect([dryRun, keyed, overRest]).toMatchObject([dryRun, keyed, expected])
          expect([dryRun, keyed, overMcp]).toMatchObject([dryRun, keyed, { body: { error: expected } }])
        }
      })
    )
  }

  it.effect("the payment page says so in words, and a second try pays once", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { injectFaults } = yield* OrderBookFaults
      const who = yield* buyer({ creditCents: 200 })
      const { payment_url } = yield* openQuote(who)
      const before = yield* books
      for (const button of ["pay", "abandon"] as const) {
        yield* injectFaults("is refused")
        const { status, headers, text } = yield* press(button, payment_url ?? "")
        expect([status, headers.get("retry-after")]).toEqual([503, String(RETRY_AFTER_SECONDS)])
        expect(text).toContain("trying again never charges twice")
        expect(yield* books).toBe(before)
      }
      expect((yield* press("pay", payment_url ?? "")).status).toBe(303)
      expect(ordersOf(yield* books, who).length).toBe(1)
      expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200", "capture 200"])
    })
  )

  for (const creditCents of [500, 200]) {
    it.effect(`with ${creditCents} cents of credit, a response lost after the commit is found by the replay`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { injectFaults } = yield* OrderBookFaults
        const who = yield* buyer({ creditCents })
        const { siteId } = yield* listSite()
        const send = postOrder(who.key, cart([item(siteId)]), freshKey())
        yield* injectFaults("loses its answer")
        expectUnavailable(yield* send)
        const [written] = quotesOf(yield* books, who)
        const found = yield* send
        const again = yield* send
        expect(placedBy(found)).toMatchObject({ quote_id: written?.quoteId, credit_applied_cents: creditCents })
        expect([isReplay(found), isReplay(again), again.text]).toEqual([true, true, found.text])
        expect(quotesOf(yield* books, who).length).toBe(1)
        expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(1)
        expectConsistent(yield* books)
      })
    )
  }

  it.effect("an order without an idempotency key whose response is lost is found where the error says to look", () =>
    Effect.gen(function* () {
      const { injectFaults } = yield* OrderBookFaults
      const { by: covered, send: buy } = yield* WRITES["an order that credit covers, without an idempotency key"]
      yield* injectFaults("loses its answer")
      expectUnavailable(yield* buy, false)
      expect(JSON.parse((yield* call("GET", ORDERS, { key: covered.key })).text).count).toBe(1)
      const { by: short, send: reserve } = yield* WRITES["an order without an idempotency key"]
      yield* injectFaults("loses its answer")
      expectUnavailable(yield* reserve, false)
      expect((yield* short.api.balance.getBalance()).holds.map(({ cents }) => cents)).toEqual([200])
    })
  )

  for (const fate of ["is refused", "loses its answer"] as const) {
    it.effect(`storing the payment link ${fate}: the same request gets the same quote and one link`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { injectFaults } = yield* OrderBookFaults
        const who = yield* buyer({ creditCents: 200 })
        const { siteId } = yield* listSite()
        const send = postOrder(who.key, cart([item(siteId)]), freshKey())
        yield* injectFaults("passes", fate)
        expectUnavailable(yield* send)
        expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200"])
        const found = yield* send
        expect((yield* send).text).toBe(found.text)
        const [quote, ...more] = quotesOf(yield* books, who)
        expect(more).toEqual([])
        expect(placedBy(found)).toMatchObject({ quote_id: quote?.quoteId, payment_url: quote?.paymentUrl })
        expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200"])
        expectConsistent(yield* books)
      })
    )
  }
})
