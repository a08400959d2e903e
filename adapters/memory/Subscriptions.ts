// Reads webhook subscriptions from the books.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { drawers } from "./Drawers.ts"
import { idsIn } from "./Indexes.ts"
import { MemoryBooks } from "./MemoryBooks.ts"

export const layer: Layer.Layer<Subscriptions, never, MemoryBooks> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks

    return Subscriptions.of({
      ofKey: (keyId) =>
        Effect.sync(() =>
          idsIn(index, drawers.activeSubscriptionsOf(keyId)).flatMap(
            (webhookId) => find(current().subscriptions, webhookId) ?? []
          )
        ),
      anyActive: Effect.sync(() => {
        for (const one of HashMap.values(current().subscriptions)) if (one.revokedAtMs === null) return one
        return null
      })
    })
  })
)
