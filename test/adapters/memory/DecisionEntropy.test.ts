// The memory store draws random bytes for many decisions at once, and gives each of them to one decision only.
import { describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { expect } from "vitest"
import { layer as memoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { layer as orderBook } from "#adapters/memory/ports/ordering/OrderBook.ts"
import { type Decide, unchanged } from "#core/decisions/Draft.ts"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"

/** Numbers of 32 bits that count up, so that no two parts of what is drawn are the same. */
const countingBytes = () => {
  const drawn: Array<Uint8Array> = []
  let next = 0
  const draw = (size: number): Uint8Array => {
    const bytes = new Uint8Array(Uint32Array.from({ length: size / 4 }, () => next++).buffer)
    drawn.push(bytes)
    return bytes
  }
  // Other fibers run before the bytes are there, so that several may draw at the same time.
  const random = {
    ...SecureRandom.make(draw),
    randomBytes: (size: number) =>
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => draw(size))
      )
  }
  return { drawn, random }
}

/** The secrets of the decisions that these bytes are enough for. */
const secretsOf = (bytes: Uint8Array): ReadonlyArray<string> =>
  Array.from({ length: bytes.length / CONTEXT_ENTROPY_BYTES }, (_, index) => {
    const from = index * CONTEXT_ENTROPY_BYTES
    return makeDecisionContext(0, bytes.subarray(from, from + CONTEXT_ENTROPY_BYTES)).secret
  })

const readSecret: Decide<string> = (_, { secret }) => Result.succeed(unchanged(secret))

/** Decisions that are made at the same time: below, at and above the number whose bytes are drawn at once. */
const GROUPS = [1, 126, 1, 3, 128, 129, 300, 1]

describe("OrderBook in memory", () => {
  it.effect("gives no two decisions the same random bytes, nor parts of them", () => {
    const { drawn, random } = countingBytes()
    const layer = orderBook.pipe(
      Layer.provide(memoryBooks),
      Layer.provide(Layer.succeed(SecureRandom.SecureRandom, random))
    )
    return Effect.gen(function* () {
      const { transact } = yield* OrderBook
      const decided = transact({ _tag: "ForKey", keyId: KeyId.make("key_1") }, readSecret)
      const secrets = yield* Effect.forEach(GROUPS, (size) =>
        Effect.all(
          Array.from({ length: size }, () => decided),
          { concurrency: "unbounded" }
        )
      )
      const given = secrets.flat()
      const offered = new Set(drawn.flatMap(secretsOf))
      expect(new Set(given).size).toBe(given.length)
      expect(given.filter((secret) => !offered.has(secret))).toEqual([])
    }).pipe(Effect.provide(layer))
  })
})
