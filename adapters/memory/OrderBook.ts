// `transact` over the folded books: slice, decide, commit, in one synchronous step that no other fiber can come between.
import { Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import { ascendingMoments } from "#core/domain/AscendingMoments.ts"
import { MOMENT_ENTROPY_BYTES } from "#core/domain/DecisionContext.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import { MemoryBooks } from "./MemoryBooks.ts"
import { slice } from "./Slice.ts"

export const layer: Layer.Layer<OrderBook, never, MemoryBooks | SecureRandom.SecureRandom> = Layer.effect(
  OrderBook,
  Effect.gen(function* () {
    const store = yield* MemoryBooks
    const random = yield* SecureRandom.SecureRandom
    const momentAfter = ascendingMoments()

    const transact = Effect.fnUntraced(function* <A, E extends Refusal>(reads: Reads, decide: Decide<A, E>) {
      const entropy = yield* random.randomBytes(MOMENT_ENTROPY_BYTES)
      return yield* Effect.clockWith((clock) =>
        Effect.suspend(() => {
          const moment = momentAfter(clock.currentTimeMillisUnsafe(), entropy, "")
          const decided = decide(slice(store.current(), store.index, reads, moment.nowMs), moment)
          return Effect.fromResult(
            Result.map(decided, ({ reply, changes }) => {
              store.commit({ atMs: moment.nowMs, changes })
              return reply
            })
          )
        })
      )
    })

    return OrderBook.of({ transact })
  })
)
