// API keys, read from the books in memory. The time of their last use is kept apart: using a key changes no books.
import { Effect, Layer } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { rowsWhere, sorted } from "../../books/Rows.ts"

export const layer: Layer.Layer<ApiKeys, never, MemoryBooks> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const { current } = yield* MemoryBooks
    const lastUsed = new Map<KeyId, Millis>()

    return ApiKeys.of({
      byHash: (hash) => Effect.sync(() => rowsWhere(current().keys, (key) => key.hash === hash)[0] ?? null),
      ofAccount: (accountId) =>
        Effect.sync(() =>
          sorted(
            rowsWhere(current().keys, (key) => key.accountId === accountId),
            { by: ({ keyId }) => [keyId] }
          ).map((key) => ({
            key,
            lastUsedAtMs: lastUsed.get(key.keyId) ?? null
          }))
        ),
      recordUse: (keyId, atMs) =>
        Effect.sync(() => void lastUsed.set(keyId, Math.max(atMs, lastUsed.get(keyId) ?? atMs)))
    })
  })
)
