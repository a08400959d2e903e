// Any order book, with all that it writes counted. A transaction answers what it wrote together with its reply, so that a decision
// that was run again, or that wrote nothing, counts no more than it did. What was written although its caller was told that the
// store failed, or did not wait, is not counted: the books are exact, counters are for watching.
import { Effect, Layer, Result } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { countChanges } from "./OrderBookMetrics.ts"

export const layer: Layer.Layer<OrderBook, never, OrderBook> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const book = yield* OrderBook
    const context = yield* Effect.context<never>()

    const transact = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) =>
      Effect.map(
        book.transact(reads, (books, moment) =>
          Result.map(decide(books, moment), (decided) => ({ reply: decided, changes: decided.changes }))
        ),
        ({ reply, changes }) => {
          countChanges(changes, context)
          return reply
        }
      )

    return OrderBook.of({ transact })
  })
)
