// Steps of scenarios about payments: an order that waits for a human to pay a part of it, and what can happen to it.
import { Effect, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { countEach, movements, ordersOf } from "../core/BookReads.ts"
import { type Buyer, buyer, insertion, order } from "./Buyers.ts"
import { listArticle, listSite } from "./CatalogueSetup.ts"
import { press } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { RunningService } from "./RunningService.ts"

/** 5.00 EUR, of which 2.00 is held credit and 3.00 is to be paid. */
export const openQuote = Effect.gen(function* () {
  const { siteId } = yield* listSite()
  const article = yield* listArticle(siteId)
  const who = yield* buyer({ creditCents: 200 })
  const { quote_id, payment_url } = yield* order(who, [insertion(article)])
  return { who, article, quoteId: quote_id ?? QuoteId.make(""), url: payment_url ?? "" }
})

/** Three quotes: open, paid, abandoned. */
export const quotesInEveryState = Effect.fnUntraced(function* <Quote extends { readonly url: string }, E, R>(
  openQuote: Effect.Effect<Quote, E, R>
) {
  const open = yield* openQuote
  const paid = yield* openQuote
  yield* press("pay", paid.url)
  const givenUp = yield* openQuote
  yield* press("abandon", givenUp.url)
  return [open, paid, givenUp]
})

/** Sends an order and runs a step while the processor makes its session. Returns the order's response. */
export const whileSessionOpens = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  send: Effect.Effect<A, E, R>,
  action: (quoteId: string) => Effect.Effect<unknown, E2, R2>
) {
  const { meanwhile } = yield* ProcessorFaults
  const context = yield* Effect.context<R2>()
  const idle = yield* Ref.get(meanwhile)
  yield* Ref.set(meanwhile, (quoteId) =>
    Effect.andThen(Ref.set(meanwhile, idle), action(quoteId)).pipe(Effect.orDie, Effect.provideContext(context))
  )
  return yield* send
})

/** Checks that ten notices for an open quote of this buyer, and one more days later, are one order. */
export const settlesOnce = Effect.fnUntraced(function* <E, R, E2, R2>(
  who: Buyer,
  ten: Effect.Effect<ReadonlyArray<string>, E, R>,
  oneMore: Effect.Effect<string, E2, R2>
) {
  const { books } = yield* RunningService
  const { advance } = yield* MovableClock
  expect(countEach(yield* ten)).toEqual({ settled: 1, repeated: 9 })
  yield* advance("3 days")
  const before = yield* books
  expect(yield* oneMore).toBe("repeated")
  expect(yield* books).toBe(before)
  expect(ordersOf(yield* books, who).length).toBe(1)
  expect(movements(yield* books, who.accountId)).toEqual(["top_up 200", "hold 200", "capture 200"])
})
