// Orders with their links. Each order row has its status, so that the total of a filtered list comes from an index.
import { Effect, Layer, Schema } from "effect"
import { foldAscii, type OrderConditions, OrderStatus } from "#core/domain/Order.ts"
import { Orders } from "#core/ports/Orders.ts"
import { Database } from "./database/Database.ts"
import { FIRST_ID, LAST_ID, query, queryRows, takePage } from "./database/Queries.ts"
import { hostPath, links, orders, reversals } from "./rows/OrderRows.ts"
import { Integer } from "./rows/Table.ts"

const withLinks = `${orders.list("o")} AS "order", (
  SELECT json_agg(${links.list("l")} ORDER BY l.index) FROM links l WHERE l.order_id = o.order_id
) AS links`

const byId = `SELECT ${withLinks} FROM orders o WHERE o.order_id = $1`

/**
 * The newest orders of each key and status by the index on both, then the newest of those. BETWEEN says the same again, so that the planner
 * expects few rows: where most orders are of one key and state, it would otherwise go through all of them by id for each rare state.
 */
const newestOfKeys = `
SELECT ${withLinks} FROM (
  SELECT newest.* FROM unnest($1::text[]) AS key (key_id), unnest($2::text[]) AS asked (status) CROSS JOIN LATERAL (
    SELECT one.* FROM orders one
    WHERE one.key_id = key.key_id AND one.status = asked.status AND one.order_id < $3
      AND one.key_id BETWEEN key.key_id AND key.key_id AND one.status BETWEEN asked.status AND asked.status
    ORDER BY one.order_id DESC LIMIT $4
  ) newest
  ORDER BY newest.order_id DESC LIMIT $4
) o
ORDER BY o.order_id DESC`

const count = "SELECT count(*)::int AS total FROM orders WHERE key_id = ANY ($1::text[]) AND status = ANY ($2::text[])"

/** An account has few enough orders to look at the links of each. OFFSET keeps the planner from reading all links of all orders first. */
const matching = `o.key_id = ANY ($1::text[]) AND o.status = ANY ($2::text[])
  AND ($3::bigint IS NULL OR o.created_at_ms >= $3) AND ($4::bigint IS NULL OR o.created_at_ms <= $4)
  AND ($5::text IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND starts_with(l.host_path, $5) OFFSET 0))
  AND ($6::text IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND l.project_id = $6 OFFSET 0))
  AND ($7::text IS NULL OR strpos(lower(o.order_id COLLATE "C"), $7) > 0 OR EXISTS (
    SELECT FROM links l WHERE l.order_id = o.order_id AND strpos(lower(
      concat_ws(E'\\n', l.domain, l.target_url, l.anchor_text, l.published_url) COLLATE "C"), $7) > 0 OFFSET 0
  ))`

const narrowedOfKeys = `
SELECT ${withLinks} FROM orders o WHERE ${matching} AND o.order_id < $8 ORDER BY o.order_id DESC LIMIT $9`

const countNarrowed = `SELECT count(*)::int AS total FROM orders o WHERE ${matching}`

const paramsOf = ({ createdFromMs, createdToMs, targetDomain, projectId, text }: OrderConditions) => [
  createdFromMs ?? null,
  createdToMs ?? null,
  targetDomain === undefined ? null : hostPath(targetDomain),
  projectId ?? null,
  text === undefined ? null : foldAscii(text)
]

const queue = `
SELECT ${links.list("l")} AS row FROM links l
WHERE l.mode = 'live' AND l.status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved')
  AND l.link_id > $1
ORDER BY l.link_id LIMIT $2`

const reversalRows = `
SELECT ${reversals.list("v")} AS row FROM reversals v WHERE v.quote_id = $1 ORDER BY v.at_ms, v.reversal_id`

const isEmpty = (conditions: OrderConditions): boolean => Object.keys(conditions).length === 0

const WithLinks = Schema.Struct({ order: orders.schema, links: Schema.NullOr(Schema.Array(links.schema)) })

const withLinksOf = ({ order, links }: typeof WithLinks.Type) => ({ order, links: links ?? [] })

export const layer: Layer.Layer<Orders, never, Database> = Layer.effect(
  Orders,
  Effect.gen(function* () {
    const database = yield* Database
    const withId = query(database.read, WithLinks, byId)
    const page = query(database.search, WithLinks, newestOfKeys)
    const total = query(database.search, Schema.Struct({ total: Integer }), count)
    const gone = queryRows(database.read, reversals, reversalRows)
    const narrowedPage = query(database.search, WithLinks, narrowedOfKeys)
    const narrowedTotal = query(database.search, Schema.Struct({ total: Integer }), countNarrowed)
    const openLinks = queryRows(database.search, links, queue)

    const ofKeys: Orders["Service"]["ofKeys"] = ({ keyIds, statuses, conditions = {}, limit, beforeId }) => {
      const start = [beforeId ?? LAST_ID, limit + 1]
      const finding = isEmpty(conditions)
        ? page(keyIds, statuses, ...start)
        : narrowedPage(keyIds, statuses, ...paramsOf(conditions), ...start)
      return Effect.map(finding, (found) => {
        const { rows, next } = takePage(found, limit, ({ order }) => order.orderId)
        return { orders: rows.map(withLinksOf), nextBeforeId: next }
      })
    }

    return Orders.of({
      byId: (orderId) => Effect.map(withId(orderId), ([row]) => (row === undefined ? null : withLinksOf(row))),
      ofKey: Effect.fnUntraced(function* ({ keyId, status, ...query }) {
        const statuses = status === null ? OrderStatus.literals : [status]
        const { conditions = {} } = query
        const counting = isEmpty(conditions)
          ? total([keyId], statuses)
          : narrowedTotal([keyId], statuses, ...paramsOf(conditions))
        const [found, [counted]] = yield* Effect.all([ofKeys({ keyIds: [keyId], statuses, ...query }), counting], {
          concurrency: 2
        })
        return { ...found, total: counted?.total ?? 0 }
      }),
      ofKeys,
      reversalsOf: (quoteId) => gone(quoteId),
      queue: ({ limit, afterId }) => openLinks(afterId ?? FIRST_ID, limit)
    })
  })
)
