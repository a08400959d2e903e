// Finds API keys in the books. When a key was last used is kept beside them, because using a key is no change of the shop's.
import { Effect, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { KeyRing } from "#core/ports/KeyRing.ts"
import { drawers } from "./Drawers.ts"
import { idsIn } from "./Indexes.ts"
import { MemoryBooks } from "./MemoryBooks.ts"

export const layer: Layer.Layer<KeyRing, never, MemoryBooks> = Layer.effect(
  KeyRing,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks
    const lastUsed = new Map<string, Millis>()

    return KeyRing.of({
      byHash: (hash) =>
        Effect.sync(() => {
          const entry = index.drawer(drawers.keyWithHash(hash)).first()
          return entry === undefined ? null : (find(current().keys, entry.id) ?? null)
        }),
      ofAccount: (accountId) =>
        Effect.sync(() =>
          idsIn(index, drawers.keysOf(accountId)).flatMap((keyId) => {
            const key = find(current().keys, keyId)
            return key === undefined ? [] : [{ key, lastUsedAtMs: lastUsed.get(keyId) ?? null }]
          })
        ),
      touch: (keyId, atMs) => Effect.sync(() => void lastUsed.set(keyId, Math.max(atMs, lastUsed.get(keyId) ?? atMs)))
    })
  })
)
