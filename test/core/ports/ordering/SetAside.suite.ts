// What every store promises of payments set aside: those without an outcome, added up.
import { Effect } from "effect"
import { expect } from "vitest"
import { resolvePayment } from "#core/decisions/ordering/ResolvePayment.ts"
import { PaymentId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { actor, buyer, linksOn, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import { pay } from "./OrderSteps.ts"

export const setAsideSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Payments set aside of ${name}`, store, (it) => {
    it.effect("adds up the payments set aside without an outcome, by currency", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const book = yield* OrderBook
        const { caller } = yield* buyer()
        const { quote } = yield* order(caller, { items: linksOn(yield* listSite()) })
        // The currencies belong to this test, as other tests of the store set money aside, too.
        const [first, second] = [`first ${quote.quoteId}`, `second ${quote.quoteId}`]
        const open = Effect.map(quotes.setAsideOpen, (all) =>
          [first, second].map((currency) => all.find((one) => one.currency === currency))
        )
        for (const [cents, currency] of [
          [2_000_000_000, first],
          [2_000_000_001, first],
          [7, second]
        ] as const) {
          const payment = { paymentId: PaymentId.make(`pay_${cents}_${quote.quoteId}`), amountCents: cents, currency }
          expect((yield* pay(quote, payment)).outcome).toBe("set_aside")
        }
        expect(yield* open).toEqual([
          { currency: first, count: 2, cents: 4_000_000_001 },
          { currency: second, count: 1, cents: 7 }
        ])
        for (const cents of [2_000_000_000, 7]) {
          const paymentId = PaymentId.make(`pay_${cents}_${quote.quoteId}`)
          const resolution = { paymentId, outcome: "refunded" as const, reason: "It came twice.", actor }
          const reads = { _tag: "ForQuote" as const, quoteId: quote.quoteId, paymentId }
          yield* book.transact(reads, resolvePayment(resolution))
        }
        expect(yield* open).toEqual([{ currency: first, count: 1, cents: 2_000_000_001 }, undefined])
      })
    )
  })
