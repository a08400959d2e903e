// Orders with their links. Each order row has its status, so that the total of a filtered list comes from an index.
import { Effect, Layer, Schema } from "effect"
import { type OrderConditions, OrderStatus } from "#core/domain/Order.ts"
import { Orders } from "#core/ports/Orders.ts"
import { Database } from "./database/Database.ts"
import { FIRST_ID, LAST_ID, query, queryRows, takePage } from "./database/Queries.ts"
import { hostPath, links, orders, reversals } from "./rows/OrderRows.ts"
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

/** A key has few enough orders to look at the links of each. */
const matching = `o.key_id = $1 AND o.status = ANY ($2::text[])
  AND ($3::bigint IS NULL OR o.created_at_ms >= $3) AND ($4::bigint IS NULL OR o.created_at_ms <= $4)
  AND ($5::text IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND starts_with(l.host_path, $5)))
  AND ($6::text IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND l.project_id = $6))`

const ofKeyNarrowed = `
SELECT ${withLinks} FROM orders o WHERE ${matching} AND o.order_id < $7 ORDER BY o.order_id DESC LIMIT $8`

const countNarrowed = `SELECT count(*)::int AS total FROM orders o WHERE ${matching}`

const paramsOf = ({ createdFromMs, createdToMs, targetDomain, projectId }: OrderConditions) => [
  createdFromMs ?? null,
  createdToMs ?? null,
  targetDomain === undefined ? null : hostPath(targetDomain),
  projectId ?? null
]

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
    const narrowedPage = query(database.search, WithLinks, ofKeyNarrowed)
    const narrowedTotal = query(database.search, Schema.Struct({ total: Integer }), countNarrowed)
    const openLinks = queryRows(database.search, links, queue)

    return Orders.of({
      byId: (orderId) => Effect.map(withId(orderId), ([row]) => (row === undefined ? null : withLinksOf(row))),
      ofKey: Effect.fnUntraced(function* ({ keyId, status, conditions = {}, limit, beforeId }) {
        const statuses = status === null ? OrderStatus.literals : [status]
        const start = [beforeId ?? LAST_ID, limit + 1]
        const params = [keyId, statuses, ...paramsOf(conditions)]
        const [found, [counted]] = yield* Effect.all(
          Object.keys(conditions).length === 0
            ? ([page(keyId, statuses, ...start), total(keyId, statuses)] as const)
            : ([narrowedPage(...params, ...start), narrowedTotal(...params)] as const),
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
