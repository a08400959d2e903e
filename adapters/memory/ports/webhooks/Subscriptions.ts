// Webhook subscriptions, read from the books in memory.
import { Effect } from "effect"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, rowsWhere, sorted } from "../../books/Rows.ts"

export const layer = overBooks(Subscriptions, ({ current }) => {
  const active = (after: string | null = null, limit = Number.POSITIVE_INFINITY) =>
    sorted(
      rowsWhere(current().subscriptions, ({ revokedAtMs }) => revokedAtMs === null),
      { by: ({ webhookId }) => [webhookId], after: afterId(after), limit }
    )
  return {
    ofKey: (keyId) => active().filter((one) => one.keyId === keyId),
    activeAfter: ({ after, limit }) => active(after, limit),
    anyActive: Effect.sync(() => active()[0] ?? null)
  }
})
