// Two instances that sweep at the same time close the payment session of each expired quote once, and no call to Stripe is wasted.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { StripeStandIn } from "#test/adapters/payments/StripeStandIn.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { ServiceInstances } from "#test/scenarios/RunningService.ts"
import { openQuote } from "#test/scenarios/StripeQuoteSteps.ts"
import { withStripe } from "#test/scenarios/StripeService.ts"
import { serviceInstances } from "./ServiceInstances.ts"

layer(withStripe(serviceInstances(2)).start({ SWEEP_INTERVAL: "1 hour" }), { excludeTestServices: true })(
  "two instances that sweep at once",
  (it) => {
    it.effect("close each payment session once, and give each hold back once", () =>
      Effect.gen(function* () {
        const { advance } = yield* MovableClock
        const { account } = yield* StripeStandIn
        const sales = yield* Effect.forEach(
          times(8, () => null),
          () => openQuote
        )
        const closed: Array<string> = []
        const expire = account.expire.bind(account)
        account.expire = (id) => {
          closed.push(id)
          return expire(id)
        }
        yield* advance("25 hours")
        const all = yield* (yield* ServiceInstances).all
        const passes = yield* concurrently(all.map(({ sweep }) => sweep()))
        expect(passes.reduce((sum, { expired }) => sum + expired, 0)).toBe(sales.length)
        expect(closed.toSorted()).toEqual(sales.map(({ sessionId }) => sessionId).toSorted())
        for (const { who, status } of sales) {
          expect(yield* status).toMatchObject({ status: "abandoned" })
          expect(yield* who.api.balance.getBalance()).toMatchObject({ held_cents: 0, available_cents: 200 })
        }
      })
    )
  }
)
