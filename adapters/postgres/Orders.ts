// Reads orders and their links. An order's status stands beside it, so that a list filtered by it has an exact total from an index.
import { Effect, Layer, Schema } from "effect"
import { Orders } from "#core/ports/Orders.ts"
import { Database } from "./Database.ts"
import { cut, FIRST_ID, LAST_ID, reader } from "./Reading.ts"
import { links, orders } from "./rows/OrderRows.ts"
import { Whole } from "./rows/Table.ts"

const withLinks = `${orders.list("o")} AS "order", (
  SELECT json_agg(${links.list("l")} ORDER BY l.index) FROM links l WHERE l.order_id = o.order_id
) AS links`

const byId = `SELECT ${withLinks} FROM orders o WHERE o.order_id = $1`

const ofKey = `
SELECT ${withLinks} FROM orders o
WHERE o.key_id = $1 AND o.order_id < $2 ORDER BY o.order_id DESC LIMIT $3`

const ofKeyByStatus = `
SELECT ${withLinks} FROM orders o
WHERE o.key_id = $1 AND o.status = $4 AND o.order_id < $2 ORDER BY o.order_id DESC LIMIT $3`

const count = "SELECT count(*)::int AS total FROM orders WHERE key_id = $1"
const countByStatus = "SELECT count(*)::int AS total FROM orders WHERE key_id = $1 AND status = $2"

const queue = `
SELECT ${links.list("l")} AS link FROM links l
WHERE l.mode = 'live' AND l.status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved')
  AND l.link_id > $1
ORDER BY l.link_id LIMIT $2`

const WithLinks = Schema.Struct({ order: orders.schema, links: Schema.NullOr(Schema.Array(links.schema)) })

const whole = ({ order, links }: typeof WithLinks.Type) => ({ order, links: links ?? [] })

export const layer: Layer.Layer<Orders, never, Database> = Layer.effect(
  Orders,
  Effect.gen(function* () {
    const database = yield* Database
    const withId = reader(database.read, WithLinks, byId)
    const all = reader(database.search, WithLinks, ofKey)
    const someOf = reader(database.search, WithLinks, ofKeyByStatus)
    const Total = Schema.Struct({ total: Whole })
    const countAll = reader(database.search, Total, count)
    const countSome = reader(database.search, Total, countByStatus)
    const waiting = reader(database.search, Schema.Struct({ link: links.schema }), queue)

    return Orders.of({
      byId: (orderId) => Effect.map(withId(orderId), ([row]) => (row === undefined ? null : whole(row))),
      ofKey: Effect.fnUntraced(function* ({ keyId, status, limit, beforeId }) {
        const page = [keyId, beforeId ?? LAST_ID, limit + 1]
        const [found, [counted]] = yield* status === null
          ? Effect.all([all(...page), countAll(keyId)], { concurrency: 2 })
          : Effect.all([someOf(...page, status), countSome(keyId, status)], { concurrency: 2 })
        const { rows, more } = cut(found, limit)
        return {
          orders: rows.map(whole),
          total: counted?.total ?? 0,
          nextBeforeId: more ? (rows.at(-1)?.order.orderId ?? null) : null
        }
      }),
      queue: ({ limit, afterId }) =>
        Effect.map(waiting(afterId ?? FIRST_ID, limit), (rows) => rows.map(({ link }) => link))
    })
  })
)
