// Any order book, with troubles to order: it gives up before it wrote anything, or after it wrote everything and only the
// answer is lost, or has a bug. What a shop then tells its callers is for tests to see.
import { Context, Effect, Latch, Layer, Ref } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { StoreUnavailable } from "#core/ports/PortErrors.ts"

export const RETRY_AFTER_SECONDS = 7

/** What happens to a transaction. One that breaks meets a bug of ours, and writes nothing; one that waits is let go later. */
export type Fault = "passes" | "is refused" | "loses its answer" | "breaks" | "waits"

/** What a bug would say of the inside. */
export const BUG = "duplicate key value violates constraint at 10.0.0.7"

export class OrderBookFaults extends Context.Service<
  OrderBookFaults,
  {
    /** Of the next transactions, one each; those after them pass. */
    readonly injectFaults: (...fates: ReadonlyArray<Fault>) => Effect.Effect<void>
    /** Lets all go that wait, now and from now on. */
    readonly release: Effect.Effect<void>
    /** What is to become of the transaction that begins now. */
    readonly next: Effect.Effect<Fault>
    /** Done when those that wait may go. */
    readonly released: Effect.Effect<void>
  }
>()("backlinks/test/OrderBookFaults") {}

const unavailable = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** What was ordained, for one order book or for several together. */
export const layerFaults: Layer.Layer<OrderBookFaults> = Layer.effect(
  OrderBookFaults,
  Effect.gen(function* () {
    const ahead = yield* Ref.make<ReadonlyArray<Fault>>([])
    const gate = yield* Latch.make(false)
    return {
      injectFaults: (...fates) => Ref.set(ahead, fates),
      release: Effect.asVoid(gate.open),
      next: Ref.modify(ahead, ([fate = "passes", ...rest]) => [fate, rest] as const),
      released: Effect.asVoid(gate.await)
    }
  })
)

/** Stands in for the order book it is given. */
export const layer = ({ next, released }: OrderBookFaults["Service"]): Layer.Layer<OrderBook, never, OrderBook> =>
  Layer.effect(
    OrderBook,
    Effect.map(OrderBook, ({ transact }) => ({
      transact: Effect.fnUntraced(function* <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) {
        const fate = yield* next
        if (fate === "is refused") return yield* unavailable
        if (fate === "waits") yield* released
        if (fate === "breaks") return yield* Effect.die(new Error(BUG))
        const reply = yield* transact(reads, decide)
        return fate === "loses its answer" ? yield* unavailable : reply
      })
    }))
  )
