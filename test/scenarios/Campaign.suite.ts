// The first day of a campaign: many clients at once order with one code of limited uses.
import { Effect } from "effect"
import { expect } from "vitest"
import { find } from "#core/decisions/Books.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { buyer, cart, item } from "./Buyers.ts"
import { definePromo, listSite } from "./CatalogueSetup.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { postOrder } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

export const campaignSuite = scenarios("a campaign", {}, (it) => {
  it.effect(
    "300 clients order with a limited code at once: every order is answered, and the last use is spent once",
    () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const { siteId } = yield* listSite()
        const uses = 120
        const { code: promo_code } = yield* definePromo({ maxRedemptions: uses })
        const crowd = yield* Effect.all(times(100, (index) => buyer({ creditCents: index % 4 === 0 ? 0 : 3_000 })))
        const orders = crowd.flatMap(({ key }) =>
          times(3, (nth) =>
            postOrder(key, cart([item(siteId, { target_url: `https://brand.example/${nth}` })], { promo_code }))
          )
        )
        const answers = yield* concurrently(orders)
        expect(countEach(answers.map(({ status }) => status))).toEqual({ 201: uses, 422: 300 - uses })
        const promo = find((yield* books).promos, promo_code)
        expect((promo?.redeemed ?? 0) + (promo?.reservations.length ?? 0)).toBe(uses)
        yield* expectConsistentBooks
      })
  )
})
