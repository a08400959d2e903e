// Promotion codes, read from the books in memory. A page sorts all of them: a shop has few, and only its operator lists them.
import { Effect, HashMap, Layer } from "effect"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { type PromoSummary, Promos } from "#core/ports/pricing/Promos.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

const summary = ({ redeemedBy: _, reservations, ...promo }: Promo, nowMs: Millis): PromoSummary => ({
  ...promo,
  reserved: reservations.filter(({ untilMs }) => untilMs > nowMs).length
})

export const layer: Layer.Layer<Promos, never, MemoryBooks> = Layer.effect(
  Promos,
  Effect.map(MemoryBooks, ({ current }) =>
    Promos.of({
      page: ({ limit, afterCode, nowMs }) =>
        Effect.sync(() => {
          const after = Array.from(HashMap.values(current().promos))
            .filter(({ code }) => afterCode === null || code > afterCode)
            .sort((a, b) => (a.code < b.code ? -1 : 1))
          const promos = after.slice(0, limit).map((promo) => summary(promo, nowMs))
          return { promos, nextAfterCode: after.length > limit ? (promos.at(-1)?.code ?? null) : null }
        })
    })
  )
)
