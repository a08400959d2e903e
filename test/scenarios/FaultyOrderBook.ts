// An order book with injected faults: it fails before it writes, fails after it wrote everything, has a defect, or waits. The calls that
// idempotency keys bind fail alike.
import { Context, Effect, Latch, Layer, Ref } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

export const RETRY_AFTER_SECONDS = 7

/** What happens to a transaction. One that breaks throws and writes nothing; one that waits continues after `release`. */
export type Fault = "passes" | "is refused" | "loses its answer" | "breaks" | "waits"

export type CallFault = Exclude<Fault, "breaks" | "waits">

/** The message of a defect, with internal details. */
export const BUG = "duplicate key value violates constraint at 10.0.0.7"

export class OrderBookFaults extends Context.Service<
  OrderBookFaults,
  {
    /** Sets the faults of the next transactions, one each; later transactions pass. */
    readonly injectFaults: (...fates: ReadonlyArray<Fault>) => Effect.Effect<void>
    /** Sets the faults of the next times that a call is bound or its answer kept. */
    readonly injectCallFaults: (...fates: ReadonlyArray<CallFault>) => Effect.Effect<void>
    /** Ends the wait of all waiting transactions, now and from now on. */
    readonly release: Effect.Effect<void>
    /** The fault of the transaction that begins now. */
    readonly next: Effect.Effect<Fault>
    readonly nextOfCalls: Effect.Effect<CallFault>
    /** Completes after `release`. */
    readonly released: Effect.Effect<void>
  }
>()("backlinks/test/OrderBookFaults") {}

const unavailable = new StoreUnavailable({ retryAfterSeconds: RETRY_AFTER_SECONDS })

/** The faults of one order book, or shared by several. */
export const layerFaults: Layer.Layer<OrderBookFaults> = Layer.effect(
  OrderBookFaults,
  Effect.gen(function* () {
    const ahead = yield* Ref.make<ReadonlyArray<Fault>>([])
    const aheadOfCalls = yield* Ref.make<ReadonlyArray<CallFault>>([])
    const gate = yield* Latch.make(false)
    return {
      injectFaults: (...fates) => Ref.set(ahead, fates),
      injectCallFaults: (...fates) => Ref.set(aheadOfCalls, fates),
      release: Effect.asVoid(gate.open),
      next: Ref.modify(ahead, ([fate = "passes", ...rest]) => [fate, rest] as const),
      nextOfCalls: Ref.modify(aheadOfCalls, ([fate = "passes", ...rest]) => [fate, rest] as const),
      released: Effect.asVoid(gate.await)
    }
  })
)

const layerCalls = ({ nextOfCalls }: OrderBookFaults["Service"]): Layer.Layer<BoundCalls, never, BoundCalls> =>
  Layer.effect(
    BoundCalls,
    Effect.map(BoundCalls, (calls) => {
      const failing = Effect.fnUntraced(function* <A>(call: Effect.Effect<A, StoreUnavailable>) {
        const fate = yield* nextOfCalls
        if (fate === "is refused") return yield* unavailable
        const reply = yield* call
        return fate === "loses its answer" ? yield* unavailable : reply
      })
      return {
        ...calls,
        bind: (call) => failing(calls.bind(call)),
        answer: (call) => failing(calls.answer(call))
      }
    })
  )

/** Wraps the order book and the bound calls in context. */
export const layer = (
  faults: OrderBookFaults["Service"]
): Layer.Layer<BoundCalls | OrderBook, never, BoundCalls | OrderBook> =>
  Layer.merge(layerBook(faults), layerCalls(faults))

const layerBook = ({ next, released }: OrderBookFaults["Service"]): Layer.Layer<OrderBook, never, OrderBook> =>
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
