// Orders with their links. Each order row has its status, so that the total of a filtered list comes from an index.
import { Effect, Schema } from "effect"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import { foldAscii, type OrderConditions, OrderStatus, OrderTotals } from "#core/domain/ordering/Order.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { EXAMINED_ORDERS, type OrderSearchPage, Orders } from "#core/ports/ordering/Orders.ts"
import { overDatabase } from "../../database/Database.ts"
import { FIRST_ID, first, LAST_ID, query, queryValues, select, takePage } from "../../database/Queries.ts"
import { creditOfCancelled } from "../../invariants/LinkCredit.ts"
import { dueAtMs, hostPath, links, orders, reversals } from "../../rows/OrderRows.ts"
import { Integer } from "../../rows/Table.ts"

const withLinks = `${orders.list("o")} AS "order", (
  SELECT coalesce(json_agg(${links.list("l")} ORDER BY l.index), '[]') FROM links l WHERE l.order_id = o.order_id
) AS links`

const byId = `SELECT ${withLinks} FROM orders o WHERE o.order_id = $1`

const byIds = `SELECT ${withLinks} FROM orders o WHERE o.order_id = ANY ($1::text[])`

/**
 * The newest orders of each key and status by the index on both, then the newest of those. BETWEEN says the same again, so that the planner
 * expects few rows: where most orders are of one key and state, it would otherwise go through all of them by id for each rare state.
 */
export const newest = (columns: string, before: string, limit: string): string => `
  SELECT newest.* FROM unnest($1::text[]) AS key (key_id), unnest($2::text[]) AS asked (status) CROSS JOIN LATERAL (
    SELECT ${columns} FROM orders one
    WHERE one.key_id = key.key_id AND one.status = asked.status AND one.order_id < ${before}
      AND one.key_id BETWEEN key.key_id AND key.key_id AND one.status BETWEEN asked.status AND asked.status
    ORDER BY one.order_id DESC LIMIT ${limit}
  ) newest
  ORDER BY newest.order_id DESC LIMIT ${limit}`

const newestOfKeys = `SELECT ${withLinks} FROM (${newest("one.*", "$3", "$4")}) o ORDER BY o.order_id DESC`

/** OFFSET keeps the planner from reading all links of all orders first. */
const meets = `($3::bigint IS NULL OR o.created_at_ms >= $3) AND ($4::bigint IS NULL OR o.created_at_ms <= $4)
  AND ($5::text IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND starts_with(l.host_path, $5) OFFSET 0))
  AND ($6::text IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND l.project_id = $6 OFFSET 0))
  AND ($7::text IS NULL OR strpos(lower(concat_ws(E'\\n', o.order_id, o.reference) COLLATE "C"), $7) > 0 OR EXISTS (
    SELECT FROM links l WHERE l.order_id = o.order_id AND strpos(lower(
      concat_ws(E'\\n', l.domain, l.target_url, l.anchor_text, l.published_url, l.reference) COLLATE "C"), $7) > 0 OFFSET 0
  ))
  AND ($8::text IS NULL OR o.reference = $8 OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND l.reference = $8 OFFSET 0))
  AND ($9::bigint IS NULL OR EXISTS (SELECT FROM links l WHERE l.order_id = o.order_id AND l.site_id = $9 OFFSET 0))`

const ofKeysIn = "o.key_id = ANY ($1::text[]) AND o.status = ANY ($2::text[])"

/** A key has few enough orders to look at the links of each. */
const matching = `${ofKeysIn} AND ${meets}`

const countWhere = (condition: string) => `SELECT count(*)::int AS value FROM orders o WHERE ${condition}`

/** Ends at the bound. */
const countSome = (condition: string) =>
  `SELECT count(*)::int AS value FROM (SELECT FROM orders o WHERE ${condition} LIMIT ${MAX_COUNTED}) bounded`

/** Reads one more than it may add up, and the links of each only where there are no more. */
const totalsWhere = (condition: string) => `
WITH matching AS MATERIALIZED (SELECT o.order_id, o.total_cents FROM orders o WHERE ${condition} LIMIT ${MAX_COUNTED + 1})
SELECT json_build_object(
  'count', count(*), 'totalCents', coalesce(sum(m.total_cents), 0), 'creditedCents',
  CASE WHEN count(*) > ${MAX_COUNTED} THEN 0 ELSE (
    SELECT coalesce(sum(given.cents), 0) FROM matching one CROSS JOIN LATERAL (
      SELECT sum(${creditOfCancelled("l")}) AS cents FROM links l
      WHERE l.order_id = one.order_id AND l.status = 'cancelled' OFFSET 0
    ) given
  ) END
) AS value FROM matching m`

const narrowedOfKey = `
SELECT ${withLinks} FROM orders o WHERE ${matching} AND o.order_id < $10 ORDER BY o.order_id DESC LIMIT $11`

/** Scans the newest $12 rows, returns the first $11 matches and, if the scan was cut, the last row scanned as cursor. */
const narrowedOfKeys = `
WITH examined AS MATERIALIZED (${newest("one.order_id, one.created_at_ms, one.reference", "$10", "$12")})
SELECT (
  SELECT coalesce(json_agg(row_to_json(page)), '[]') FROM (
    SELECT one.* FROM (SELECT o.order_id FROM examined o WHERE ${meets} ORDER BY o.order_id DESC LIMIT $11) hit
    CROSS JOIN LATERAL (SELECT ${withLinks} FROM orders o WHERE o.order_id = hit.order_id OFFSET 0) one
    ORDER BY hit.order_id DESC
  ) page
) AS found, (
  SELECT json_build_array(e.order_id, e.created_at_ms) FROM examined e
  WHERE (SELECT count(*) FROM examined) = $12 ORDER BY e.order_id LIMIT 1
) AS last`

const paramsOf = ({
  createdFromMs,
  createdToMs,
  targetDomain,
  projectId,
  text,
  reference,
  siteId
}: OrderConditions) => [
  createdFromMs ?? null,
  createdToMs ?? null,
  targetDomain === undefined ? null : hostPath(targetDomain),
  projectId ?? null,
  text === undefined ? null : foldAscii(text),
  reference ?? null,
  siteId ?? null
]

const queue = `links l
WHERE l.mode = 'live' AND l.status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved')
  AND l.link_id > $1 AND ($3::bigint IS NULL OR ${dueAtMs("l")} < $3)
ORDER BY l.link_id LIMIT $2`

const linksNamed = `links l WHERE l.link_id = ANY ($1::text[])`

/** An entry's id rises with the time of its decision. */
const atRisk = `
SELECT l.link_id::text AS value FROM links l
JOIN quotes q ON q.quote_id = l.quote_id JOIN accounts a ON a.account_no = l.account_no
WHERE l.link_id = ANY ($1::text[]) AND l.mode = 'live' AND a.owed_cents > 0 AND q.credit_cents > 0
  AND l.status IN ('to_assign', 'assigned', 'drafted', 'in_review', 'approved')
  AND EXISTS (
    SELECT FROM top_ups t
    JOIN ledger paid ON paid.account_no = a.account_no AND paid.kind = 'top_up' AND paid.reference = t.payment_id
    JOIN ledger spent ON spent.account_no = a.account_no AND spent.kind = 'capture' AND spent.quote_id = q.quote_id
    WHERE t.account_id = a.account_id AND t.reversed_cents > 0 AND paid.entry_id < spent.entry_id
  )`

const NONE: Effect.Effect<ReadonlyArray<number>> = Effect.succeed([])

const isEmpty = (conditions: OrderConditions): boolean => Object.keys(conditions).length === 0

const WithLinks = Schema.Struct({ order: orders.schema, links: Schema.Array(links.schema) })

const Search = Schema.Struct({
  found: Schema.Array(WithLinks),
  last: Schema.NullOr(Schema.Tuple([OrderId, Integer]))
})

export const layer = overDatabase(Orders, ({ read, search }) => {
  const listsWhere = (page: string, condition: string) => ({
    page: query(search, WithLinks, page),
    total: queryValues(search, Integer, countWhere(condition)),
    some: queryValues(search, Integer, countSome(condition)),
    totals: queryValues(search, OrderTotals, totalsWhere(condition))
  })
  const whole = listsWhere(newestOfKeys, ofKeysIn)
  const narrowed = listsWhere(narrowedOfKey, matching)
  const narrowedOfAll = first(query(search, Search, narrowedOfKeys))
  const linksAtRisk = queryValues(read, LinkId, atRisk)
  const named = query(read, WithLinks, byIds)
  const openLinks = select(read, links, queue)
  const namedLinks = select(read, links, linksNamed)

  const pageOf = (found: ReadonlyArray<typeof WithLinks.Type>, limit: number) => {
    const { rows, next } = takePage(found, limit, ({ order }) => order.orderId)
    return { orders: rows, nextBeforeId: next }
  }

  /** How many orders match and, of a first page, what they add up to. */
  const counted = Effect.fnUntraced(function* (
    { total, totals }: Pick<typeof whole, "total" | "totals">,
    asked: ReadonlyArray<unknown>,
    isFirst: boolean
  ) {
    const [sums] = isFirst ? yield* totals(...asked) : []
    if (sums !== undefined && sums.count <= MAX_COUNTED) return { total: sums.count, totals: sums }
    const [matches = 0] = yield* total(...asked)
    return isFirst ? { total: matches, totals: null } : { total: matches }
  })

  const searchPage = (row: typeof Search.Type | null, limit: number): OrderSearchPage => {
    const page = pageOf(row?.found ?? [], limit)
    const [lastId, lastMs] = row?.last ?? []
    return page.nextBeforeId !== null || lastId === undefined || lastMs === undefined
      ? { ...page, examinedToMs: null }
      : { orders: page.orders, nextBeforeId: lastId, examinedToMs: lastMs }
  }

  return Orders.of({
    byId: first(query(read, WithLinks, byId)),
    linksNamed: (linkIds) => (linkIds.length === 0 ? Effect.succeed([]) : namedLinks(linkIds)),
    byIds: (orderIds) => (orderIds.length === 0 ? Effect.succeed([]) : named(orderIds)),
    listed: Effect.fnUntraced(function* ({ shown, leftOut, status, conditions = {}, limit, beforeId }) {
      const statuses = status === null ? OrderStatus.literals : [status]
      const lists = isEmpty(conditions) ? whole : narrowed
      const params = isEmpty(conditions) ? [] : paramsOf(conditions)
      const [found, counts, [others = 0]] = yield* Effect.all(
        [
          lists.page(shown, statuses, ...params, beforeId ?? LAST_ID, limit + 1),
          counted(lists, [shown, statuses, ...params], beforeId === null),
          leftOut.length === 0 ? NONE : lists.some(leftOut, statuses, ...params)
        ],
        { concurrency: 3 }
      )
      return { ...pageOf(found, limit), ...counts, leftOutCount: others }
    }),
    ofKeys: ({ keyIds, statuses, conditions = {}, examine = EXAMINED_ORDERS, limit, beforeId }) => {
      const start = [beforeId ?? LAST_ID, limit + 1]
      return isEmpty(conditions)
        ? Effect.map(whole.page(keyIds, statuses, ...start), (found) => ({
            ...pageOf(found, limit),
            examinedToMs: null
          }))
        : Effect.map(narrowedOfAll(keyIds, statuses, ...paramsOf(conditions), ...start, examine), (found) =>
            searchPage(found, limit)
          )
    },
    reversalsOf: select(read, reversals, "reversals v WHERE v.quote_id = $1 ORDER BY v.at_ms, v.reversal_id"),
    atRisk: (linkIds) => (linkIds.length === 0 ? Effect.succeed([]) : linksAtRisk(linkIds)),
    queue: ({ limit, afterId, overdueAtMs }) => openLinks(afterId ?? FIRST_ID, limit, overdueAtMs ?? null)
  })
})
