// Top-ups, read from the books in memory. A read goes through all of them: an account has few.
import { Effect, HashMap, Layer } from "effect"
import { find } from "#core/decisions/Books.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<TopUps, never, MemoryBooks> = Layer.effect(
  TopUps,
  Effect.map(MemoryBooks, ({ current }) => {
    const all = () => Array.from(HashMap.values(current().topUps))
    return TopUps.of({
      byId: (topUpId) => Effect.sync(() => find(current().topUps, topUpId) ?? null),
      byPaymentToken: (token) => Effect.sync(() => all().find(({ paymentToken }) => paymentToken === token) ?? null),
      ofAccount: ({ accountId, limit, beforeId }) =>
        Effect.sync(() => {
          const before = all()
            .filter((one) => one.accountId === accountId && (beforeId === null || one.topUpId < beforeId))
            .sort((a, b) => (a.topUpId < b.topUpId ? 1 : -1))
          const topUps = before.slice(0, limit)
          return { topUps, nextBeforeId: before.length > limit ? (topUps.at(-1)?.topUpId ?? null) : null }
        }),
      due: ({ nowMs, limit }) =>
        Effect.sync(() =>
          all()
            .filter(({ status, expiresAtMs }) => status === "open" && expiresAtMs <= nowMs)
            .sort((a, b) => a.expiresAtMs - b.expiresAtMs || (a.topUpId < b.topUpId ? -1 : 1))
            .slice(0, limit)
        )
    })
  })
)
