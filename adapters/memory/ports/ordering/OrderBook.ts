// `transact` over the books in memory: slice, decide and commit in one synchronous step, which no other fiber can interleave.
import { Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { apply } from "#core/decisions/Apply.ts"
import { difference } from "#core/decisions/Difference.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { CONTEXT_ENTROPY_BYTES } from "#core/domain/shared/DecisionContext.ts"
import { monotonicContexts } from "#core/domain/shared/MonotonicIds.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { slice } from "../../books/Slice.ts"

/** Random bytes are drawn for many decisions at once, which costs a tenth of drawing them one by one. */
const DECISIONS_PER_DRAW = 128

export const layer: Layer.Layer<OrderBook, never, MemoryBooks | SecureRandom.SecureRandom> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const store = yield* MemoryBooks
    const random = yield* SecureRandom.SecureRandom
    const nextContext = monotonicContexts()
    let drawn: Uint8Array = new Uint8Array(0)
    let used = 0

    /** The random bytes of one decision. `used` moves on in the same step, so that no two decisions get the same ones. */
    const takeEntropy = (): Uint8Array => {
      used += CONTEXT_ENTROPY_BYTES
      return drawn.subarray(used - CONTEXT_ENTROPY_BYTES, used)
    }

    const freshEntropy = Effect.map(random.randomBytes(DECISIONS_PER_DRAW * CONTEXT_ENTROPY_BYTES), (bytes) => {
      drawn = bytes
      used = 0
      return takeEntropy()
    })

    const transact = Effect.fnUntraced(function* <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) {
      const entropy = used < drawn.length ? takeEntropy() : yield* freshEntropy
      return yield* Effect.clockWith((clock) =>
        Effect.suspend(() => {
          const context = nextContext(clock.currentTimeMillisUnsafe(), entropy, "")
          const books = slice(store.current(), reads, context.nowMs)
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
