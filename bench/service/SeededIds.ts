// An order book in memory, and random bytes for use cases, whose ids and secrets come from a seed, so that a run can be repeated. For the bench alone: the seed
// gives away every payment link.
import { Effect, Layer, Random } from "effect"
import { SecureRandom } from "effect/crypto"
import type { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import * as OrderBookInMemory from "#adapters/memory/ports/ordering/OrderBook.ts"
import type { OrderBook } from "#core/ports/ordering/OrderBook.ts"

const seededBytes = (seed: string): Layer.Layer<SecureRandom.SecureRandom> =>
  Layer.effect(
    SecureRandom.SecureRandom,
    Effect.map(Random.Random, (random) =>
      SecureRandom.make((size) => Uint8Array.from({ length: size }, () => Math.floor(random.nextDoubleUnsafe() * 256)))
    ).pipe(Random.withSeed(seed))
  )

/** Replaces the order book of a memory store, over the same books, and the random bytes of use cases, which have their own sequence. */
export const layer = (seed: string): Layer.Layer<OrderBook | SecureRandom.SecureRandom, never, MemoryBooks> =>
  Layer.merge(
    Layer.fresh(OrderBookInMemory.layer).pipe(Layer.provide(seededBytes(seed))),
    seededBytes(`${seed} of use cases`)
  )
