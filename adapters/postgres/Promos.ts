// Reads promotion codes and how often each was used. What is not counted as it is spent is counted when somebody asks.
import { Effect, Layer, Schema } from "effect"
import { type PromoSummary, Promos } from "#core/ports/Promos.ts"
import { Database } from "./database/Database.ts"
import { FIRST_ID, query, takePage } from "./database/Queries.ts"
import { promos, reductionOf } from "./rows/CatalogueRows.ts"
import { Integer } from "./rows/Table.ts"

const page = `
SELECT ${promos.list("p")} AS promo,
  CASE WHEN p.max_redemptions IS NOT NULL THEN p.redeemed ELSE (
    SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms IS NULL
  ) END::int AS redeemed,
  (SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms > $3)::int AS reserved
FROM promos p WHERE p.code > $1 ORDER BY p.code LIMIT $2`

const Summary = Schema.Struct({ promo: promos.schema, redeemed: Integer, reserved: Integer })

const summaryOf = ({ promo, redeemed, reserved }: typeof Summary.Type): PromoSummary => {
  const { version: _, reductionKind, reductionValue, ...described } = promo
  return { ...described, reduction: reductionOf({ reductionKind, reductionValue }), redeemed, reserved }
}

export const layer: Layer.Layer<Promos, never, Database> = Layer.effect(
  Promos,
  Effect.map(Database, ({ search }) => {
    const summaries = query(search, Summary, page)
    return Promos.of({
      page: ({ limit, afterCode, nowMs }) =>
        Effect.map(summaries(afterCode ?? FIRST_ID, limit + 1, nowMs), (found) => {
          const { rows, hasMore: more } = takePage(found, limit)
          return { promos: rows.map(summaryOf), nextAfterCode: more ? (rows.at(-1)?.promo.code ?? null) : null }
        })
    })
  })
)
