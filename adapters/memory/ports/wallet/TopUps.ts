// Top-ups, read from the books in memory.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { afterId, page, sorted } from "../../books/Rows.ts"

export const layer: Layer.Layer<TopUps, never, MemoryBooks> = Layer.effect(
  TopUps,
  Effect.map(MemoryBooks, ({ current }) => {
    const all = () => HashMap.toValues(current().topUps)
    return TopUps.of({
      byId: (topUpId) => Effect.sync(() => find(current().topUps, topUpId) ?? null),
      byPaymentToken: (token) => Effect.sync(() => all().find(({ paymentToken }) => paymentToken === token) ?? null),
      ofAccount: ({ accountId, limit, beforeId }) =>
        Effect.sync(() => {
          const { rows: topUps, next } = page(
            all().filter((one) => one.accountId === accountId),
            { by: ({ topUpId }) => [topUpId], isDescending: true, after: afterId(beforeId), limit }
          )
          return { topUps, nextBeforeId: next?.topUpId ?? null }
        }),
      due: ({ nowMs, limit }) =>
        Effect.sync(() =>
          sorted(
            all().filter(({ status, expiresAtMs }) => status === "open" && expiresAtMs <= nowMs),
            { by: ({ expiresAtMs, topUpId }) => [expiresAtMs, topUpId], limit }
          )
        )
    })
  })
)
