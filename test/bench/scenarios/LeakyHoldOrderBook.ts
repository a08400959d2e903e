// An order book with a bug: it never releases held credit.
import { Effect, Layer, Result } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"

const withoutReleases =
  <A, E extends Refusal>(decide: Decide<A, E>): Decide<A, E> =>
  (books, moment) =>
    Result.map(decide(books, moment), ({ reply, changes }) => ({
      reply,
      changes: changes.filter(({ _tag }) => _tag !== "HoldReleased")
    }))

export const layer: Layer.Layer<OrderBook, never, OrderBook> = Layer.effect(
  OrderBook,
  Effect.map(OrderBook, ({ transact }) => ({
    transact: <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) => transact(reads, withoutReleases(decide))
  }))
)
