// Webhook subscriptions, read from the books in memory.
import { Effect, Layer } from "effect"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { afterId, rowsWhere, sorted } from "../../books/Rows.ts"

export const layer: Layer.Layer<Subscriptions, never, MemoryBooks> = Layer.effect(
  Subscriptions,
  Effect.map(MemoryBooks, ({ current }) => {
    const active = (after: string | null = null, limit = Number.POSITIVE_INFINITY) =>
      sorted(
        rowsWhere(current().subscriptions, ({ revokedAtMs }) => revokedAtMs === null),
        { by: ({ webhookId }) => [webhookId], after: afterId(after), limit }
      )
    return Subscriptions.of({
      ofKey: (keyId) => Effect.sync(() => active().filter((one) => one.keyId === keyId)),
      activeAfter: ({ after, limit }) => Effect.sync(() => active(after, limit)),
      anyActive: Effect.sync(() => active()[0] ?? null)
    })
  })
)
