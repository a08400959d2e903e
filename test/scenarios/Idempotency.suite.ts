// The Idempotency-Key: the same request is the same order with the same bytes, another request is refused, and a refused request binds
// nothing.
import { Effect } from "effect"
import { expect } from "vitest"
import type { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { ProjectId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { quotesOf } from "../core/BookReads.ts"
import { type BuyerWish, buyer, by, cart, freshKey, insertion, issueKey, item, quoteOf } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { isReplay, placedBy, postOrder, pricedBy, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const KINDS: Readonly<Record<string, BuyerWish>> = {
  "credit covers": { creditCents: 10_000 },
  "a human pays": {},
  "the sandbox simulates payment": { mode: "sandbox" }
}

/** Two sites, two articles and a code, for a cart that can change in every field. */
const cartParts = Effect.gen(function* () {
  const site = yield* listSite()
  const other = yield* listSite()
  const article = yield* listArticle(site.siteId)
  const promo = yield* definePromo()
  return { site, other, article, promo, items: [item(site.siteId), insertion(article)] }
})

/** Every change that makes it another order. */
const CHANGES: Readonly<Record<string, (order: OrderRequest, otherSiteId: number) => OrderRequest>> = {
  "another site": ({ items: [first, ...rest], ...order }, site_id) => ({
    ...order,
    items: [{ ...item(site_id), ...first, site_id }, ...rest]
  }),
  "another target": ({ items: [, ...rest] }, id) =>
    cart([item(id, { target_url: "https://brand.example/b" }), ...rest]),
  "another anchor": ({ items: [, ...rest] }, id) => cart([item(id, { anchor_text: "a finer page" }), ...rest]),
  "another anchor type": ({ items: [, ...rest] }, id) => cart([item(id, { anchor_type: "exact" }), ...rest]),
  "a tier-2 pack": ({ items: [, ...rest] }, id) => cart([item(id, { tier2_links: 3 }), ...rest]),
  "a brief": ({ items: [, ...rest] }, id) => cart([item(id, { brief: "" }), ...rest]),
  "one item less": ({ items }) => cart(items.slice(0, 1)),
  "one item more": ({ items }, id) => cart([...items, item(id)]),
  "items the other way round": ({ items }) => cart(items.toReversed()),
  "a code": (order) => ({ ...order, promo_code: "TEN" }),
  "a price guard": (order) => ({ ...order, max_total_eur: 100 })
}

export const idempotencySuite = scenarios("idempotency keys", {}, (it) => {
  for (const [kind, wish] of Object.entries(KINDS)) {
    it.effect(`where ${kind}, the same order again gets the same status and bytes, is one order, and counts once`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { items } = yield* cartParts
        const who = yield* buyer(wish)
        const idempotencyKey = freshKey()
        const first = yield* postOrder(who.key, cart(items), idempotencyKey)
        const after = yield* books
        const again = yield* postOrder(who.key, cart(items), idempotencyKey)
        expect([first.status, isReplay(first)]).toEqual([201, false])
        expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text])
        expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"))
        expect(yield* books).toBe(after)
        expect(quotesOf(yield* books, who).length).toBe(1)
        expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(1)
      })
    )
  }

  for (const [change, apply] of Object.entries(CHANGES)) {
    it.effect(`${change} under the same key is 422, and nothing is written`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { items, other } = yield* cartParts
        const { key } = yield* buyer({ creditCents: 10_000 })
        const idempotencyKey = freshKey()
        const { quote_id } = placedBy(yield* postOrder(key, cart(items), idempotencyKey))
        const before = yield* books
        const error = refusalIn(yield* postOrder(key, apply(cart(items), other.siteId), idempotencyKey))
        expect(error).toMatchObject({ code: "idempotency_key_reused", status: 422, retryable: false })
        expect(error.details).toEqual({ quote_id })
        expect(yield* books).toBe(before)
      })
    )
  }

  it.effect("another sandbox credit under the same key is 422, and nothing is written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { items } = yield* cartParts
      const { key } = yield* buyer({ mode: "sandbox" })
      const idempotencyKey = freshKey()
      placedBy(yield* postOrder(key, cart(items, { sandbox_credit_cents: 100 }), idempotencyKey))
      const before = yield* books
      for (const changed of [cart(items, { sandbox_credit_cents: 101 }), cart(items)]) {
        const error = refusalIn(yield* postOrder(key, changed, idempotencyKey))
        expect(error.code).toBe("idempotency_key_reused")
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("the same key string is another order under another account, and in the sandbox", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const idempotencyKey = freshKey()
      const first = yield* buyer({ creditCents: 10_000 })
      const test = yield* issueKey(first.accountId, { mode: "sandbox" })
      const buyers = [first, test, yield* buyer(), yield* buyer({ mode: "sandbox" })]
      const made: Array<string | null> = []
      for (const who of buyers) {
        const answer = yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey)
        expect(isReplay(answer)).toBe(false)
        const { quote_id } = placedBy(answer)
        const found = yield* quoteOf(who, idempotencyKey)
        expect(found.quote_id).toBe(quote_id)
        expect(quotesOf(yield* books, who).length).toBe(1)
        made.push(quote_id)
      }
      expect(new Set(made).size).toBe(4)
    })
  )

  it.effect("a refused order does not bind its key: the corrected order succeeds", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { items, site } = yield* cartParts
      const closed = yield* listSite({ open: false })
      const who = yield* buyer({ creditCents: 600, limits: { maxOrderCents: 2_000 } })
      const refused: ReadonlyArray<readonly [number, string, unknown]> = [
        [400, "invalid_json", '{"items":['],
        [422, "validation_failed", { items: [] }],
        [422, "validation_failed", cart([{ ...item(site.siteId), format: "insertion" }])],
        [404, "site_not_found", cart([item(2_000_000_000)])],
        [404, "project_not_found", cart([item(site.siteId, { project_id: ProjectId.make("prj_none") })])],
        [409, "site_unavailable", cart([item(closed.siteId)])],
        [422, "promo_code_invalid", cart(items, { promo_code: "NO SUCH" })],
        [403, "spend_policy_refused", cart([...items, ...items.slice(0, 1), item(site.siteId, { tier2_links: 5 })])],
        [409, "price_above_limit", cart(items, { max_total_eur: 9.99 })]
      ]
      const before = yield* books
      const idempotencyKey = freshKey()
      for (const [status, code, body] of refused) {
        const error = refusalIn(yield* postOrder(who.key, body, idempotencyKey))
        expect([error.status, error.code]).toEqual([status, code])
      }
      expect(yield* books).toBe(before)
      const answer = yield* postOrder(who.key, cart(items), idempotencyKey)
      expect([answer.status, isReplay(answer)]).toEqual([201, false])
      expect(quotesOf(yield* books, who).length).toBe(1)
    })
  )

  it.effect("a replay gets the original response after prices, offer, cap and quote have changed", () =>
    Effect.gen(function* () {
      const { advance, nowMs } = yield* MovableClock
      const site = yield* listSite()
      const promo = yield* definePromo({ endsAtMs: nowMs() + 3_600_000 })
      const who = yield* buyer({ limits: { dailyOrderCap: 2 } })
      const idempotencyKey = freshKey()
      const body = cart([item(site.siteId)], { promo_code: promo.code })
      const first = yield* postOrder(who.key, body, idempotencyKey)
      placedBy(yield* postOrder(who.key, body))
      const same = Effect.gen(function* () {
        const again = yield* postOrder(who.key, body, idempotencyKey)
        expect([again.status, isReplay(again), again.text]).toEqual([201, true, first.text])
      })
      yield* same // the cap is reached
      expect(refusalIn(yield* postOrder(who.key, body)).code).toBe("daily_order_cap_reached")
      yield* listSite({ ...site, shelf: "Nautilus", open: false })
      yield* same
      yield* advance("2 hours")
      yield* same // the code has expired
      const { quote_id } = placedBy(first)
      yield* who.api.quotes.abandonQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      yield* same
      yield* advance("2 days")
      yield* same
      expect(refusalIn(yield* postOrder(who.key, body)).code).toBe("site_unavailable")
    })
  )

  it.effect("a replay under a revoked API key is 401", () =>
    Effect.gen(function* () {
      const keys = yield* Credentials
      const { siteId } = yield* listSite()
      const who = yield* buyer()
      const idempotencyKey = freshKey()
      placedBy(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey))
      yield* keys.revoke(who.keyId, by)
      const error = refusalIn(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey))
      expect([error.status, error.code]).toEqual([401, "revoked_api_key"])
    })
  )

  it.effect("a dry run neither reads nor binds a key", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { items } = yield* cartParts
      const who = yield* buyer({ creditCents: 10_000 })
      const idempotencyKey = freshKey()
      const dry = cart(items, { dry_run: true })
      const before = yield* books
      const tried = yield* postOrder(who.key, dry, idempotencyKey)
      expect([pricedBy(tried).quote_id, isReplay(tried)]).toEqual([null, false])
      expect(yield* books).toBe(before)
      expect(isReplay(yield* postOrder(who.key, cart(items.slice(0, 1)), idempotencyKey))).toBe(false)
      const after = yield* books
      const retried = yield* postOrder(who.key, dry, idempotencyKey)
      expect([pricedBy(retried).items_count, isReplay(retried)]).toEqual([2, false])
      expect(yield* books).toBe(after)
    })
  )

  it.effect("the idempotency key finds out whether an order was placed", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 500 })
      const idempotencyKey = freshKey()
      const ask = quoteOf(who, idempotencyKey)
      const before = yield* Effect.flip(ask)
      const message = "There is no such quote in this account and mode."
      const suggestion = expect.stringContaining("Send the order with this very idempotency key")
      expect(before).toMatchObject({ error: { code: "quote_not_found", message, suggestion } })
      const { quote_id, order_id } = placedBy(yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey))
      expect(yield* ask).toMatchObject({ quote_id, order_id, paid: true, status: "paid" })
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
