// The limits that an account's human sets on a key: exact to the cent and under concurrency, named in the refusal, never exceeded.
import { Effect } from "effect"
import { expect } from "vitest"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach, quotesOf } from "../core/BookReads.ts"
import { type Buyer, buyer, by, cart, freshKey, issueKey, item, order } from "./Buyers.ts"
import { definePromo, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { placedBy, postOrder, press, refusalIn } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

/** Refused because of this limit, with nothing written. */
const expectRefused = Effect.fnUntraced(function* (
  who: Buyer,
  body: unknown,
  details: Readonly<Record<string, unknown>>
) {
  const { books } = yield* RunningService
  const before = yield* books
  const error = refusalIn(yield* postOrder(who.key, body, freshKey()))
  expect(error).toMatchObject({ code: "spend_policy_refused", status: 403, recovery: "human", retryable: false })
  expect(error.details).toEqual(details)
  expect(yield* books).toBe(before)
  return error
})

const KINDS = { live: { creditCents: 100_000 }, "live, paid by a human": {}, sandbox: { mode: "sandbox" as const } }

export const spendLimitsSuite = scenarios("spend limits", {}, (it) => {
  for (const [kind, wish] of Object.entries(KINDS)) {
    it.effect(`max_order_cents is exact to the cent, after discount, also for a dry run (${kind})`, () =>
      Effect.gen(function* () {
        const { siteId } = yield* listSite()
        const who = yield* buyer({ ...wish, limits: { maxOrderCents: 999 } })
        const two = [item(siteId), item(siteId)]
        const details = { rule: "max_order_cents", limit_cents: 999, would_be_cents: 1_000 }
        yield* expectRefused(who, cart(two), details)
        yield* expectRefused(who, cart(two, { dry_run: true }), details)
        const { code: promo_code } = yield* definePromo({ reduction: { kind: "fixed", cents: 1 } })
        expect(yield* order(who, two, { promo_code })).toMatchObject({ total_eur: 9.99 })
      })
    )

    it.effect(`max_day_cents counts open and paid quotes of the UTC day, not abandoned ones (${kind})`, () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const { siteId } = yield* listSite()
        const who = yield* buyer({ ...wish, limits: { maxDayCents: 1_400 } })
        const one = cart([item(siteId)])
        const details = { rule: "max_day_cents", limit_cents: 1_400, would_be_cents: 1_500 }
        const idempotencyKey = freshKey()
        const first = placedBy(yield* postOrder(who.key, one, idempotencyKey))
        placedBy(yield* postOrder(who.key, one))
        yield* expectRefused(who, one, details)
        placedBy(yield* postOrder(who.key, one, idempotencyKey)) // a replay buys nothing
        if (first.payment_url !== null) {
          yield* who.api.quotes.abandonQuote({ params: { id: first.quote_id ?? QuoteId.make("") } })
          const third = placedBy(yield* postOrder(who.key, one))
          yield* press("pay", third.payment_url ?? "")
          yield* expectRefused(who, one, details)
        }
        yield* advance("24 hours")
        placedBy(yield* postOrder(who.key, one))
      })
    )
  }

  it.effect("60 orders at once within a daily limit for three: three are placed", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      for (const creditCents of [100_000, 0, 700]) {
        const who = yield* buyer({ creditCents, limits: { maxDayCents: 1_999 } })
        const answers = yield* concurrently(times(60, () => postOrder(who.key, cart([item(siteId)]))))
        expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: 3, 403: 57 })
        expect(quotesOf(yield* books, who).length).toBe(3)
      }
    })
  )

  it.effect("every target must be on an allowed domain or below it", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const allowed = ["brand.example", "shop.other.example"]
      const who = yield* buyer({ creditCents: 100_000, limits: { allowedDomains: allowed } })
      const to = (target_url: string) => item(siteId, { target_url })
      const good = ["https://brand.example/a", "http://www.BRAND.example", "https://shop.other.example:8443/x"].map(to)
      expect((yield* order(who, good)).items_count).toBe(3)
      for (const host of ["notbrand.example", "brand.example.evil.example", "other.example", "example.com"]) {
        const error = yield* expectRefused(who, cart([...good, to(`https://${host}/?brand.example`)]), {
          rule: "allowed_domains",
          allowed_domains: allowed
        })
        expect([error.param, error.message.includes(host)]).toEqual(["items[3].target_url", true])
      }
    })
  )

  it.effect("limits belong to one key, and a change takes effect at once", () =>
    Effect.gen(function* () {
      const keys = yield* Credentials
      const { siteId } = yield* listSite()
      const tight = yield* buyer({ creditCents: 5_000, limits: { maxOrderCents: 1 } })
      const loose = yield* issueKey(tight.accountId)
      const details = { rule: "max_order_cents", limit_cents: 1, would_be_cents: 500 }
      yield* expectRefused(tight, cart([item(siteId)]), details)
      yield* order(loose, [item(siteId)])
      yield* keys.limit(tight.keyId, noLimits, by)
      yield* keys.limit(loose.keyId, { ...noLimits, maxOrderCents: 1 }, by)
      yield* order(tight, [item(siteId)])
      yield* expectRefused(loose, cart([item(siteId)]), details)
    })
  )

  it.effect("the books are consistent", () => expectConsistentBooks)
})
