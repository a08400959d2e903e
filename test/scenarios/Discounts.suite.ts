// The better of promotion code and welcome offer applies. What is limited is used exactly as often as allowed, also under concurrency,
// and released with the quote that reserved it.
import { Effect } from "effect"
import { expect } from "vitest"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { type Buyer, buyer, by, cart, issueKey, item, order } from "./Buyers.ts"
import { definePromo, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { placedBy, postOrder, press, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const percent = (whole: number): Partial<Promo> => ({ reduction: { kind: "percent", basisPoints: whole * 100 } })
const fixed = (cents: number): Partial<Promo> => ({ reduction: { kind: "fixed", cents } })

const HOUR_MS = 3_600_000

/** Compared with a welcome offer of 20 % on 15.00 EUR. */
const COMPARED: Readonly<Record<string, readonly [code: Partial<Promo>, source: "promo" | "welcome", offEur: number]>> =
  {
    "equal to": [percent(20), "promo", 3],
    "equal in cents to": [fixed(300), "promo", 3],
    "better than": [percent(21), "promo", 3.15],
    "worse than": [percent(19), "welcome", 3],
    "a cent worse than": [fixed(299), "welcome", 3],
    "more than all, against": [fixed(99_999), "promo", 15]
  }

export const discountsSuite = scenarios("discounts", { WELCOME_OFFER_PERCENT: "20" }, (it) => {
  for (const [what, [code, source, offEur]] of Object.entries(COMPARED)) {
    it.effect(`a code ${what} the welcome offer: the ${source} is applied, and the other stays unused`, () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite({ shelf: "Corail" })
        const promo = yield* definePromo({ ...code, maxRedemptions: 1 })
        const who = yield* buyer({ creditCents: 5_000 })
        const first = yield* order(who, [item(siteId)], { promo_code: promo.code.toLowerCase() })
        expect(first.discount.source).toBe(source)
        expect([first.discount_eur, first.total_eur]).toEqual([offEur, Math.round((15 - offEur) * 100) / 100])
        const applied = first.discount.considered.map((one) => `${one.source} ${one.applied}`)
        expect(applied).toEqual([`promo ${source === "promo"}`, `welcome ${source === "welcome"}`])
        const second = yield* order(who, [item(siteId)])
        expect(second.discount.source).toBe(source === "promo" ? "welcome" : "none")
        const other = yield* buyer()
        const asked = yield* Effect.result(order(other, [item(siteId)], { promo_code: promo.code }))
        expect(asked._tag).toBe(source === "promo" ? "Failure" : "Success")
      })
    )
  }

  it.effect("a code that cannot be used is 422 with its reason, and nothing is written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { nowMs } = yield* MovableClock
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const who = yield* buyer({ creditCents: 9_000 })
      const once = yield* definePromo({ ...percent(50), oncePerAccount: true })
      const only = yield* definePromo({ ...percent(50), maxRedemptions: 1 })
      yield* order(who, [item(siteId)], { promo_code: once.code })
      yield* order(yield* buyer(), [item(siteId)], { promo_code: only.code })
      const codes = [
        ["unknown", "NO-SUCH-CODE"],
        ["not_started", (yield* definePromo({ startsAtMs: nowMs() + HOUR_MS })).code],
        ["expired", (yield* definePromo({ endsAtMs: nowMs() })).code],
        ["minimum_not_met", (yield* definePromo({ minimumCents: 1_501 })).code],
        ["already_used", once.code],
        ["exhausted", only.code]
      ] as const
      const before = yield* books
      for (const [reason, promo_code] of codes) {
        const error = refusalIn(yield* postOrder(who.key, cart([item(siteId)], { promo_code })))
        expect(error).toMatchObject({ code: "promo_code_invalid", status: 422, details: { reason } })
      }
      expect(yield* books).toBe(before)
    })
  )

  it.effect("an open quote reserves a limited code, its abandonment or expiry releases it, an order spends it", () =>
    Effect.gen(function* () {
      const { advance } = yield* MovableClock
      const { siteId } = yield* listSite({ shelf: "Corail" })
      const { code: promo_code } = yield* definePromo({ ...percent(50), maxRedemptions: 1 })
      const ask = Effect.flatMap(buyer(), (who) =>
        Effect.map(Effect.result(order(who, [item(siteId)], { promo_code })), (result) => ({ who, result }))
      )
      const taken = Effect.flatMap(ask, ({ who, result }) =>
        Effect.map(Effect.fromResult(result), ({ quote_id, payment_url }) => ({
          who,
          id: quote_id ?? QuoteId.make(""),
          payment_url
        }))
      )
      const refused = Effect.map(ask, ({ result }) => expect(result._tag).toBe("Failure"))
      const first = yield* taken
      yield* refused
      yield* first.who.api.quotes.abandonQuote({ params: { id: first.id } })
      yield* taken
      yield* refused
      yield* advance("24 hours")
      const third = yield* taken
      yield* press("pay", third.payment_url ?? "")
      yield* advance("24 hours")
      yield* refused
    })
  )

  it.effect("40 accounts race for the last redemption: one gets it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      for (const creditCents of [0, 1_000]) {
        const { code: promo_code } = yield* definePromo({ ...percent(50), maxRedemptions: 1 })
        const rivals = yield* Effect.all(times(40, () => buyer({ creditCents })))
        const answers = yield* concurrently(
          rivals.map(({ key }) => postOrder(key, cart([item(siteId)], { promo_code })))
        )
        expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: 1, 422: 39 })
      }
    })
  )

  it.effect("20 orders of one account race for a code that is once per account: one gets it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { code: promo_code } = yield* definePromo({ ...percent(50), oncePerAccount: true })
      const { key } = yield* buyer({ creditCents: 300 })
      const answers = yield* concurrently(times(20, () => postOrder(key, cart([item(siteId)], { promo_code }))))
      expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: 1, 422: 19 })
    })
  )

  it.effect("a code that is once per account is refused only to accounts that have spent it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { code: promo_code } = yield* definePromo({ ...percent(50), oncePerAccount: true })
      const buyers = yield* Effect.all(times(4, () => buyer({ creditCents: 1_000 })))
      const ask = ({ key }: Buyer) => postOrder(key, cart([item(siteId)], { promo_code }))
      for (const who of buyers) expect(placedBy(yield* ask(who)).status).toBe("paid")
      for (const who of buyers.toReversed()) {
        expect(refusalIn(yield* ask(who))).toMatchObject({
          code: "promo_code_invalid",
          details: { reason: "already_used" }
        })
      }
    })
  )

  it.effect("20 times two first orders race for the welcome offer: exactly one gets it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      for (let round = 0; round < 20; round++) {
        const { key } = yield* buyer({ creditCents: [0, 450, 1_000][round % 3] ?? 0 })
        const answers = yield* concurrently(times(2, () => postOrder(key, cart([item(siteId)]))))
        const placed = answers.map(placedBy)
        expect(placed.map(({ discount }) => discount.source).sort()).toEqual(["none", "welcome"])
        expect(placed.map(({ total_eur }) => total_eur).sort()).toEqual([4, 5])
      }
    })
  )

  it.effect("an abandoned quote gives the welcome offer back, a cancelled order does not", () =>
    Effect.gen(function* () {
      const { cancelOrder } = yield* FulfilLinks
      const { siteId } = yield* listSite()
      const who = yield* buyer()
      const source = Effect.map(order(who, [item(siteId)], { dry_run: true }), ({ discount }) => discount.source)
      const { quote_id } = yield* order(who, [item(siteId)])
      expect(yield* source).toBe("none")
      yield* who.api.quotes.abandonQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      expect(yield* source).toBe("welcome")
      const { payment_url, quote_id: paid } = yield* order(who, [item(siteId)])
      yield* press("pay", payment_url ?? "")
      const { order_id } = yield* who.api.quotes.getQuote({ params: { id: paid ?? QuoteId.make("") } })
      yield* cancelOrder(order_id ?? OrderId.make(""), "as a test", by)
      expect(yield* source).toBe("none")
    })
  )

  it.effect(
    "a welcome offer that an open quote keeps is named with that quote, and applies again once it has ended",
    () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite({ shelf: "Corail" })
        const who = yield* buyer()
        const first = yield* order(who, [item(siteId)])
        const second = yield* issueKey(who.accountId)
        const kept = { source: "welcome", amount_eur: 3, applied: false, reserved_by: first.quote_id }
        const asked = yield* order(second, [item(siteId)], { dry_run: true })
        expect(asked.discount).toMatchObject({ source: "none", considered: [kept] })
        for (const told of [asked.summary, asked.next_action.tell_user]) expect(told).toContain(first.quote_id)
        const bought = yield* order(second, [item(siteId)])
        expect(bought.discount.considered).toEqual([kept])
        for (const told of [bought.summary, bought.next_action.tell_user]) expect(told).toContain(first.quote_id)
        const { code: promo_code } = yield* definePromo(fixed(300))
        const better = yield* order(second, [item(siteId)], { promo_code, dry_run: true })
        expect(better.discount).toMatchObject({ source: "promo", considered: [{ applied: true }, kept] })
        expect(better.summary).not.toContain(first.quote_id)
        const listed = (yield* second.api.balance.getBalance()).open_quotes
        expect(listed.map(({ quote_id }) => quote_id)).toEqual([bought.quote_id, first.quote_id])
        expect(listed[1]).toEqual({
          quote_id: first.quote_id,
          status: "awaiting_payment",
          placed_by: { id: who.keyId, kind: "key", label: "scenario" },
          total_eur: 12,
          card_amount_cents: 1_200,
          expires_at: first.expires_at
        })
        yield* who.api.quotes.abandonQuote({ params: { id: first.quote_id ?? QuoteId.make("") } })
        const free = yield* order(second, [item(siteId)], { dry_run: true })
        expect(free.discount.considered).toEqual([{ source: "welcome", amount_eur: 3, applied: true }])
        const left = (yield* second.api.balance.getBalance()).open_quotes
        expect(left.map(({ quote_id }) => quote_id)).toEqual([bought.quote_id])
        const sandbox = yield* issueKey(who.accountId, { mode: "sandbox" })
        expect((yield* sandbox.api.balance.getBalance()).open_quotes).toEqual([])
      })
  )

  it.effect("a code that an open quote keeps is refused with that quote to its own account alone", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite({ shelf: "Corail" })
      for (const limits of [{ oncePerAccount: true }, { maxRedemptions: 1 }]) {
        const { code: promo_code } = yield* definePromo({ ...percent(50), ...limits })
        const who = yield* buyer()
        const { quote_id } = yield* order(who, [item(siteId)], { promo_code })
        const again = cart([item(siteId)], { promo_code, dry_run: true })
        const error = refusalIn(yield* postOrder(who.key, again))
        expect(error).toMatchObject({ code: "promo_code_invalid", details: { reserved_by: quote_id } })
        expect(error.suggestion).toContain(quote_id)
        const other = yield* postOrder((yield* buyer()).key, again)
        expect(other.status).toBe(limits.maxRedemptions === 1 ? 422 : 200)
        expect(other.text).not.toContain(quote_id)
      }
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
