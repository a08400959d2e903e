// Promotion codes, read from the books in memory.
import { HashMap } from "effect"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { type PromoSummary, Promos } from "#core/ports/pricing/Promos.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page } from "../../books/Rows.ts"

const summary = ({ redeemedBy: _, reservations, ...promo }: Promo, nowMs: Millis): PromoSummary => ({
  ...promo,
  reserved: reservations.filter(({ untilMs }) => untilMs > nowMs).length
})

export const layer = overBooks(Promos, ({ current }) => ({
  page: ({ limit, afterCode, nowMs }) => {
    const { rows, next } = page(HashMap.toValues(current().promos), {
      ...{ by: ({ code }) => [code], after: afterId(afterCode), limit }
    })
    return { promos: rows.map((promo) => summary(promo, nowMs)), nextAfterCode: next?.code ?? null }
  }
}))
