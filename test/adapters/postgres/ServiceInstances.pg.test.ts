// The test setup of several service instances: requests and operator steps reach all of them in turn, and they share the test's clock and
// the books.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect } from "vitest"
import { find } from "#core/decisions/Books.ts"
import { idTimeMs } from "#core/domain/shared/DecisionContext.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { ActivityLog } from "#core/ports/operations/ActivityLog.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, insertion, order } from "#test/scenarios/Buyers.ts"
import { definePromo, listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { expectConsistent } from "#test/scenarios/ConsistentBooks.ts"
import { press } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { RunningService, ServiceInstances } from "#test/scenarios/RunningService.ts"
import { serviceInstances } from "./ServiceInstances.ts"

const SIZE = 3

/** Tolerance: the clocks are read one after the other, on a machine that may be busy. */
const MEANWHILE_MS = 5_000

layer(serviceInstances(SIZE).start({}), { excludeTestServices: true })("several service instances", (it) => {
  it.effect("answer requests in turn", () =>
    Effect.gen(function* () {
      const fetch = yield* FetchHttpClient.Fetch
      const { url } = yield* RunningService
      const { all } = yield* ServiceInstances
      const visit = Effect.promise(() => fetch(`${url}/healthz`))
      const answers = yield* Effect.all(times(2 * SIZE, () => visit))
      expect(answers.map(({ ok }) => ok)).toEqual(times(2 * SIZE, () => true))
      const addresses = (yield* all).map((one) => `${one.url}/healthz`)
      const asked = answers.map((answer) => addresses.indexOf(answer.url))
      const [first = -1] = asked
      expect(asked).toEqual(times(2 * SIZE, (nth) => (first + nth) % SIZE))
    })
  )

  it.effect("use the test's clock, in the database too", () =>
    Effect.gen(function* () {
      const { advance, nowMs } = yield* MovableClock
      const { now } = yield* ActivityLog
      for (const by of ["0 seconds", "40 days"] as const) {
        yield* advance(by)
        const beforeMs = nowMs()
        const aheadMs = (idTimeMs(yield* now) ?? 0) - beforeMs
        expect(aheadMs).toBeGreaterThanOrEqual(0)
        expect(aheadMs).toBeLessThan(MEANWHILE_MS)
      }
    })
  )

  it.effect("have one set of books, which is the same object until something is written", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { siteId } = yield* listSite()
      const article = yield* listArticle(siteId)
      const { code } = yield* definePromo({ maxRedemptions: 2 })
      const who = yield* buyer({ creditCents: 100 })
      const before = yield* books
      const { quote_id, payment_url } = yield* order(who, [insertion(article)], { promo_code: code })
      const quoted = yield* books
      expect(quoted).not.toBe(before)
      expect(find(before.quotes, quote_id ?? QuoteId.make(""))).toBeUndefined()
      expect(find(quoted.quotes, quote_id ?? QuoteId.make(""))).toMatchObject({ creditCents: 100, cardCents: 350 })
      expect(find(quoted.promos, code)).toMatchObject({ redeemed: 0, reservations: [{ quoteId: quote_id }] })
      yield* Effect.all(times(SIZE, () => who.api.balance.getBalance()))
      expect(yield* books).toBe(quoted)
      yield* press("pay", payment_url ?? "")
      const paid = yield* books
      expect(find(paid.quotes, quote_id ?? QuoteId.make(""))?.status).toBe("paid")
      expect(find(paid.articles, article.articleId)?.sale).toEqual({ state: "sold", quoteId: quote_id })
      expect(find(paid.promos, code)).toMatchObject({ redeemed: 1, reservations: [] })
      expectConsistent(paid)
    })
  )
})
