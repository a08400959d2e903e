// Webhook subscriptions, read from the books in memory.
import { Effect, HashMap, Layer } from "effect"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { rowsIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<Subscriptions, never, MemoryBooks> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const { current, indexes } = yield* MemoryBooks

    return Subscriptions.of({
      ofKey: (keyId) =>
        Effect.sync(() => rowsIn(current().subscriptions, indexes, indexKeys.activeSubscriptionsOf(keyId))),
      activeAfter: ({ after, limit }) =>
        Effect.sync(() =>
          [...HashMap.values(current().subscriptions)]
            .filter(({ webhookId, revokedAtMs }) => revokedAtMs === null && webhookId > (after ?? ""))
            .sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1))
            .slice(0, limit)
        ),
      anyActive: Effect.sync(() => {
        for (const one of HashMap.values(current().subscriptions)) if (one.revokedAtMs === null) return one
        return null
      })
    })
  })
)
