// An order book that counts every committed change. A transaction returns its changes with its reply, so a decision that is run again
// counts once, and one that writes nothing does not count. Changes that are committed although the caller gets an error, or is
// interrupted, are missed: the books are exact, the counters are for monitoring.
import { Effect, Layer, Result } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { countChanges } from "./OrderBookMetrics.ts"

export const layer: Layer.Layer<OrderBook, never, OrderBook> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const book = yield* OrderBook
    const context = yield* Effect.context<never>()

    const transact = <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) =>
      Effect.map(
        book.transact(reads, (books, decisionContext) =>
          Result.map(decide(books, decisionContext), ({ reply, changes, after }) => ({
            reply: { reply, changes },
            changes,
            after
          }))
        ),
        ({ reply, changes }) => {
          countChanges(changes, context)
          return reply
        }
      )

    return OrderBook.of({ transact })
  })
)
