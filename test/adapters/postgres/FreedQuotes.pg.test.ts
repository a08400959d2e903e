// A sandbox quote that retention frees after a decision has read it: the decision is made again, and does not find it.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { abandon, pay } from "#test/core/ports/ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order } from "#test/core/ports/ShopSetup.ts"
import { sharedDatabase, whileBlocked } from "./OtherSession.ts"

layer(sharedDatabase, { excludeTestServices: true })("a sandbox quote that is freed meanwhile", (it) => {
  it.effect("is not found by a payment", () =>
    Effect.gen(function* () {
      const { caller } = yield* buyer(0, { mode: "sandbox" })
      const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
      yield* abandon(quote, "human")
      const freed = [
        "WITH told AS (DELETE FROM events WHERE quote_id = $1) DELETE FROM quotes WHERE quote_id = $1",
        quote.quoteId
      ] as const
      const [failure] = yield* whileBlocked(freed, Effect.flip(pay(quote)), Effect.void)
      expect(failure._tag).toBe("QuoteNotFound")
    })
  )
})
