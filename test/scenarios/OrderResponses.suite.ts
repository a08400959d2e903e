// What the response to an order says besides its amounts: dry runs, warnings, the summary and the next action.
import { Effect } from "effect"
import { expect } from "vitest"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { type Buyer, buyer, by, cart, freshKey, insertion, item, order } from "./Buyers.ts"
import { definePromo, listArticle, listSite } from "./CatalogueSetup.ts"
import { isReplay, placedBy, postOrder, press, pricedBy, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const codes = ({ warnings }: { readonly warnings: ReadonlyArray<{ readonly code: string }> }) =>
  warnings.map(({ code }) => code)

export const orderResponsesSuite = scenarios("order responses", {}, (it) => {
  for (const [creditCents, pays] of [
    [0, "18.00 EUR would be left for a human to pay"],
    [200, "2.00 EUR of prepaid credit would be held; 16.00 EUR would be left for a human to pay"],
    [5_000, "prepaid credit would cover it"]
  ] as const) {
    it.effect(`a dry run with ${creditCents} cents of credit has the amounts of the order, and writes nothing`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { siteId } = yield* listSite()
        const { code: promo_code } = yield* definePromo({ maxRedemptions: 1 })
        const items = [item(siteId, { tier2_links: 3 }), insertion(yield* listArticle(siteId))]
        const who = yield* buyer({ creditCents, limits: { dailyOrderCap: 1 } })
        const before = yield* books
        const tries = [
          yield* order(who, items, { promo_code, dry_run: true }),
          yield* order(who, items, { promo_code, dry_run: true })
        ]
        expect(yield* books).toBe(before)
        expect((yield* who.api.balance.getBalance()).orders_today.used).toBe(0)
        const real = yield* order(who, items, { promo_code })
        for (const dry of tries) {
          const { quote_id, status, payment_url, order_id, order_status, expires_at, summary, next_action, ...same } =
            real
          expect(dry).toMatchObject({ ...same, quote_id: null, payment_url: null })
          expect([dry.status, dry.dry_run, dry.outcome]).toEqual(["dry_run", true, status])
          expect(["order_id" in dry, "expires_at" in dry, dry.next_action.type]).toEqual([false, false, "none"])
          expect(dry.summary).toMatch(/^Dry run, nothing was ordered: 2 links for 18\.00 EUR after 2\.00 EUR off/)
          expect(dry.next_action.tell_user).toContain(
            ` for 18.00 EUR after 2.00 EUR off (Promo code ${promo_code}); ${pays}. Shall I`
          )
        }
        expect(real.status).toBe(creditCents === 5_000 ? "paid" : "awaiting_payment")
      })
    )
  }

  it.effect("a dry run is refused as the order would be, except for the daily cap, which it does not use", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const article = yield* listArticle(siteId)
      const who = yield* buyer({ limits: { dailyOrderCap: 1 } })
      yield* order(who, [insertion(article)])
      const before = yield* books
      const taken = refusalIn(yield* postOrder(who.key, cart([insertion(article)], { dry_run: true })))
      expect(taken.code).toBe("article_unavailable")
      const priced = pricedBy(yield* postOrder(who.key, cart([item(siteId)], { dry_run: true })))
      expect(priced).toMatchObject({ quote_id: null, total_eur: 5, payment_url: null })
      expect(refusalIn(yield* postOrder(who.key, cart([item(siteId)]))).code).toBe("daily_order_cap_reached")
      expect(yield* books).toBe(before)
    })
  )

  it.effect("max_total_eur is compared with the net total, to the cent", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const { code: promo_code } = yield* definePromo()
      const who = yield* buyer({ creditCents: 5_000 })
      const before = yield* books
      for (const max_total_eur of [13.49, 0]) {
        const error = refusalIn(yield* postOrder(who.key, cart([item(siteId)], { promo_code, max_total_eur })))
        expect(error).toMatchObject({ code: "price_above_limit", status: 409, param: "max_total_eur" })
        expect(error.details).toEqual({ total_eur: 13.5, max_total_eur })
      }
      expect(yield* books).toBe(before)
      expect(yield* order(who, [item(siteId)], { promo_code, max_total_eur: 13.5 })).toMatchObject({ total_eur: 13.5 })
    })
  )

  it.effect(
    "a similar order within 10 minutes gets a warning, unless a key, time, another agent or an abandonment explains it",
    () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const { siteId } = yield* listSite()
        const who = yield* buyer()
        const first = yield* order(who, [item(siteId)])
        const second = yield* order(who, [item(siteId)])
        expect([codes(first), codes(second)]).toEqual([[], ["similar_recent_order"]])
        expect(second.warnings[0]?.message).toContain(first.quote_id)
        expect(codes(yield* order(who, [item(siteId)], { idempotencyKey: freshKey() }))).toEqual([])
        expect(codes(yield* order(yield* buyer(), [item(siteId)]))).toEqual([])
        expect(codes(yield* order(who, [item(siteId, { anchor_text: "another" })]))).toEqual([])
        yield* advance("10 minutes")
        yield* advance("1 second")
        const late = yield* order(who, [item(siteId)])
        expect(codes(late)).toEqual([])
        yield* who.api.quotes.abandonQuote({ params: { id: late.quote_id ?? QuoteId.make("") } })
        expect(codes(yield* order(who, [item(siteId)]))).toEqual([])
      })
  )

  it.effect("repeated targets, too many exact anchors and sites that already link get a warning, never a refusal", () =>
    Effect.gen(function* () {
      const { cancelOrder } = yield* FulfilLinks
      const { siteId } = yield* listSite()
      const { siteId: other } = yield* listSite()
      const who: Buyer = yield* buyer({ creditCents: 50_000 })
      expect(
        codes(
          yield* order(
            who,
            times(2, () => item(siteId))
          )
        )
      ).toEqual(["duplicate_target"])
      const exact = { anchor_type: "exact" as const }
      const fresh = (nth: number, over = {}) => item(other, { target_url: `https://brand${nth}.example/`, ...over })
      expect(codes(yield* order(who, [fresh(1, exact), fresh(2, exact), fresh(3)]))).toEqual(["too_many_exact_anchors"])
      expect(codes(yield* order(who, [fresh(4, exact), fresh(5), fresh(6, exact), fresh(7)]))).toEqual([])
      const again = item(siteId, { target_url: "https://brand.example/elsewhere" })
      const linked = yield* order(who, [again])
      expect(codes(linked)).toEqual(["site_already_links"])
      expect(codes(yield* order(yield* buyer(), [again]))).toEqual([])
      expect(linked.status).toBe("paid")
      const { order_id = OrderId.make("") } = yield* order(who, [fresh(8)])
      yield* cancelOrder(order_id, "as a test", by)
      expect(codes(yield* order(who, [fresh(8, { anchor_text: "again" })]))).toEqual([])
    })
  )

  it.effect("summary and next action contain the amount, the link and the deadline", () =>
    Effect.gen(function* () {
      const { nowMs } = yield* MovableClock
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 120 })
      const open = yield* order(who, [item(siteId)])
      expect(open.summary).toBe(
        `Quote ${open.quote_id}: 1 link for 5.00 EUR; 1.20 EUR of prepaid credit is held; 3.80 EUR is left for a human to pay.`
      )
      const { tell_user, ...action } = open.next_action
      expect(action).toEqual({
        ...{ type: "open_payment_url", url: open.payment_url, poll_after_seconds: 30 },
        expires_at: open.expires_at
      })
      for (const part of ["3.80 EUR", open.payment_url ?? "?", open.expires_at ?? "?"])
        expect(tell_user).toContain(part)
      const leftMs = Date.parse(open.expires_at ?? "") - nowMs()
      expect(leftMs > 86_300_000 && leftMs <= 86_400_000).toBe(true)
      const rich = yield* buyer({ creditCents: 500 })
      const paid = yield* order(rich, [item(siteId)])
      expect(paid.summary).toBe(
        `Order ${paid.order_id} is placed: 1 link for 5.00 EUR; paid with 5.00 EUR of prepaid credit.`
      )
      expect(paid.next_action).toEqual({ type: "none", tell_user: expect.any(String) })
    })
  )

  it.effect("a quote shows its current state, and a replayed response the original one", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const who = yield* buyer({ creditCents: 120 })
      const idempotencyKey = freshKey()
      const answer = yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey)
      const { quote_id, payment_url } = placedBy(answer)
      const quote = who.api.quotes.getQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      expect(yield* quote).toMatchObject({ status: "awaiting_payment", paid: false, order_id: null, payment_url })
      yield* press("pay", payment_url ?? "")
      const after = yield* quote
      expect(after).toMatchObject({ status: "paid", paid: true, order_status: "paid", payment_url: null })
      const listed = yield* who.api.orders.listOrders({ query: { status: "paid" } })
      expect(listed.orders.map(({ order_id }) => order_id)).toEqual([after.order_id])
      const replay = yield* postOrder(who.key, cart([item(siteId)]), idempotencyKey)
      expect([isReplay(replay), replay.text]).toEqual([true, answer.text])
    })
  )
})
