// Orders with their links. Each order row has its status, so that the total of a filtered list comes from an index.
import { Effect, Layer, Schema } from "effect"
import { OrderStatus } from "#core/domain/Order.ts"
import { Orders } from "#core/ports/Orders.ts"
import { Database } from "./database/Database.ts"
import { FIRST_ID, LAST_ID, query, queryRows, takePage } from "./database/Queries.ts"
import { links, orders, reversals } from "./rows/OrderRows.ts"
import { Integer } from "./rows/Table.ts"

const withLinks = `${orders.list("o")} AS "order", (
  SELECT json_agg(${links.list("l")} ORDER BY l.index) FROM links l WHERE l.order_id = o.order_id
) AS links`

const byId = `SELECT ${withLinks} FROM orders o WHERE o.order_id = $1`

/** The newest orders of each status by the index on key and status, then the newest of those. */
const ofKey = `
SELECT ${withLinks} FROM (
  SELECT newest.* FROM unnest($2::text[]) AS asked (status) CROSS JOIN LATERAL (
    SELECT one.* FROM orders one
    WHERE one.key_id = $1 AND one.status = asked.status AND one.order_id < $3 ORDER BY one.order_id DESC LIMIT $4
  ) newest
  ORDER BY newest.order_id DESC LIMIT $4
) o
ORDER BY o.order_id DESC`

const count = "SELECT count(*)::int AS total FROM orders WHERE key_id = $1 AND status = ANY ($2::text[])"

const queue = `
SELECT ${links.list("l")} AS row FROM links l
WHERE l.mode = 'live' AND l.status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved')
  AND l.link_id > $1
ORDER BY l.link_id LIMIT $2`

const reversalRows = `
SELECT ${reversals.list("v")} AS row FROM reversals v WHERE v.quote_id = $1 ORDER BY v.at_ms, v.reversal_id`

const WithLinks = Schema.Struct({ order: orders.schema, links: Schema.NullOr(Schema.Array(links.schema)) })

const withLinksOf = ({ order, links }: typeof WithLinks.Type) => ({ order, links: links ?? [] })

export const layer: Layer.Layer<Orders, never, Database> = Layer.effect(
  Orders,
  Effect.gen(function* () {
    const database = yield* Database
    const withId = query(database.read, WithLinks, byId)
    const page = query(database.search, WithLinks, ofKey)
    const total = query(database.search, Schema.Struct({ total: Integer }), count)
    const gone = queryRows(database.read, reversals, reversalRows)
    const openLinks = queryRows(database.search, links, queue)

    return Orders.of({
      byId: (orderId) => Effect.map(withId(orderId), ([row]) => (row === undefined ? null : withLinksOf(row))),
      ofKey: Effect.fnUntraced(function* ({ keyId, status, limit, beforeId }) {
        const statuses = status === null ? OrderStatus.literals : [status]
        const [found, [counted]] = yield* Effect.all(
          [page(keyId, statuses, beforeId ?? LAST_ID, limit + 1), total(keyId, statuses)],
          { concurrency: 2 }
        )
        const { rows, next } = takePage(found, limit, ({ order }) => order.orderId)
        return { orders: rows.map(withLinksOf), total: counted?.total ?? 0, nextBeforeId: next }
      }),
      reversalsOf: (quoteId) => gone(quoteId),
      queue: ({ limit, afterId }) => openLinks(afterId ?? FIRST_ID, limit)
    })
  })
)
