// `transact` over the books in memory: slice, decide and commit in one synchronous step, which no other fiber can interleave.
import { Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { apply } from "#core/decisions/Apply.ts"
import { difference } from "#core/decisions/Difference.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import { CONTEXT_ENTROPY_BYTES } from "#core/domain/DecisionContext.ts"
import { monotonicContexts } from "#core/domain/MonotonicIds.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { MemoryBooks } from "./books/MemoryBooks.ts"
import { slice } from "./books/Slice.ts"

export const layer: Layer.Layer<OrderBook, never, MemoryBooks | SecureRandom.SecureRandom> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const store = yield* MemoryBooks
    const random = yield* SecureRandom.SecureRandom
    const nextContext = monotonicContexts()

    const transact = Effect.fnUntraced(function* <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) {
      const entropy = yield* random.randomBytes(CONTEXT_ENTROPY_BYTES)
      return yield* Effect.clockWith((clock) =>
        Effect.suspend(() => {
          const context = nextContext(clock.currentTimeMillisUnsafe(), entropy, "")
          const books = slice(store.current(), store.indexes, reads, context.nowMs)
          const decided = decide(books, context)
          return Effect.fromResult(
            Result.map(decided, ({ reply, changes, after = changes.reduce(apply, books) }) => {
              store.commit({ changes, changed: difference(books, after), atMs: context.nowMs })
              return reply
            })
          )
        })
      )
    })

    return OrderBook.of({ transact })
  })
)
