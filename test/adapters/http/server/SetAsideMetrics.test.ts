// `/metrics` over HTTP: payments that do not fit their quote.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { buyer, cart, freshKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { scrape } from "./ScrapeMetrics.ts"

layer(RunningService.layer({}), { excludeTestServices: true })("metrics of payments set aside", (it) => {
  it.effect("are shown by currency until the operator has decided", () =>
    Effect.gen(function* () {
      const { siteId } = yield* listSite()
      const { key } = yield* buyer()
      const { settle } = yield* Payments
      const { resolve } = yield* Payments
      const { quote_id } = placedBy(yield* postOrder(key, cart([item(siteId)])))
      const quoteId = quote_id ?? QuoteId.make("")
      const open = Effect.map(scrape, (series) =>
        ["", "_cents"].map((unit) =>
          ["EUR", "USD"].map((currency) => series.get(`backlinks_payments_set_aside${unit}{currency="${currency}"}`))
        )
      )
      const payments = [
        { amountCents: 499, currency: "EUR" },
        { amountCents: 300, currency: "EUR" },
        { amountCents: 500, currency: "USD" }
      ].map((payment) => ({ ...payment, quoteId, paymentId: PaymentId.make(freshKey()) }))
      for (const payment of payments) expect((yield* settle(payment)).outcome).toBe("set_aside")
      expect(yield* open).toEqual([
        [2, 1],
        [799, 500]
      ])
      for (const { paymentId } of payments.slice(1)) {
        yield* resolve({
          paymentId: PaymentId.make(paymentId),
          outcome: "refunded",
          reason: "It came twice.",
          actor: "ada"
        })
      }
      expect(yield* open).toEqual([
        [1, 0],
        [499, 0]
      ])
    })
  )
})
