// Promotion codes and how often each was used. Uses of unlimited codes have no counter; they are counted by the query.
import { Effect, Schema } from "effect"
import { Promos } from "#core/ports/pricing/Promos.ts"
import { overDatabase } from "../../database/Database.ts"
import { FIRST_ID, query, takePage } from "../../database/Queries.ts"
import { promos } from "../../rows/CatalogueRows.ts"
import { Integer } from "../../rows/Table.ts"

const summaries = `
SELECT ${promos.list("p")} AS promo,
  CASE WHEN p.max_redemptions IS NOT NULL THEN p.redeemed ELSE (
    SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms IS NULL
  ) END::int AS redeemed,
  (SELECT count(*) FROM promo_uses u WHERE u.code = p.code AND u.until_ms > $3)::int AS reserved
FROM promos p WHERE p.code > $1 ORDER BY p.code LIMIT $2`

const Summary = Schema.Struct({ promo: promos.schema, redeemed: Integer, reserved: Integer })

export const layer = overDatabase(Promos, ({ search }) => {
  const page = query(search, Summary, summaries)
  return Promos.of({
    page: ({ limit, afterCode, nowMs }) =>
      Effect.map(page(afterCode ?? FIRST_ID, limit + 1, nowMs), (found) => {
        const { rows, next } = takePage(found, limit, ({ promo }) => promo.code)
        return {
          promos: rows.map(({ promo, redeemed, reserved }) => ({ ...promo, redeemed, reserved })),
          nextAfterCode: next
        }
      })
  })
})
