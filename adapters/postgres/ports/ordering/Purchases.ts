// What credentials have bought. Neither list has an index that every order would pay for: the quotes that became an order at once are found
// by the index of orders, and the others by theirs.
import { Effect, Schema, Struct } from "effect"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import { LATELY_MS, LinkProgress, placeIn } from "#core/domain/ordering/LinkLists.ts"
import { type LinkConditions, Order, OrderStatus, type OrderTotals } from "#core/domain/ordering/Order.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { Purchases } from "#core/ports/ordering/Purchases.ts"
import { overDatabase } from "../../database/Database.ts"
import { bigintArray, first, LAST_ID, only, query, queryValues, takePage } from "../../database/Queries.ts"
import { creditOfCancelled } from "../../invariants/LinkCredit.ts"
import { accountNo, byAccountNo } from "../../rows/AccountRows.ts"
import { dueAtMs, hostPath, links } from "../../rows/OrderRows.ts"
import { quotes } from "../../rows/QuoteRows.ts"
import { Integer, Text, table } from "../../rows/Table.ts"
import { newest } from "./Orders.ts"

/** The condition of the index of quotes that waited for a payment or an approval. */
const WAITED = "(one.status <> 'paid' OR one.card_cents > 0 OR one.approved_at_ms IS NOT NULL)"

const AT_ONCE = "one.status = 'paid' AND one.card_cents = 0 AND one.approved_at_ms IS NULL"

/** The newest quotes of each key and state by an index on both. The id of an order that was placed at once sorts as its quote's. */
const quotesOf = (columns: string, more: { readonly waited: string; readonly atOnce: string }): string => `
  SELECT waited.* FROM unnest($1::text[]) AS key (key_id), unnest($2::text[]) AS asked (status) CROSS JOIN LATERAL (
    SELECT ${columns} FROM quotes one WHERE one.key_id = key.key_id AND one.status = asked.status AND ${WAITED} ${more.waited}
  ) waited
  UNION ALL
  SELECT bought.* FROM unnest($1::text[]) AS key (key_id), unnest($3::text[]) AS asked (status) CROSS JOIN LATERAL (
    SELECT ${columns} FROM quotes one WHERE one.key_id = key.key_id AND one.order_status = asked.status AND ${AT_ONCE} ${more.atOnce}
  ) bought`

const quotePage = `
SELECT ${quotes.list("q")} AS quote, q.order_status AS "orderStatus" FROM (${quotesOf("one.*", {
  waited: "AND one.quote_id < $4 ORDER BY one.quote_id DESC LIMIT $6",
  atOnce: "AND one.order_id < $5 ORDER BY one.order_id DESC LIMIT $6"
})}) q
ORDER BY q.quote_id DESC LIMIT $6`

const quoteCount = `
SELECT count(*)::int AS value FROM (
  SELECT FROM (${quotesOf("one.quote_id", { waited: "", atOnce: "" })}) every LIMIT ${MAX_COUNTED}
) counted`

/** Before the orders that were placed by the decision which made this quote, and by later ones. Its ids differ in their last two characters. */
const orderBefore = (quoteId: string): string => `ord_${quoteId.slice("q_".length, -2)}`

const ListedQuote = Schema.Struct({ quote: quotes.schema, orderStatus: Schema.NullOr(OrderStatus) })

const orders = table(Struct.omit(Order.fields, ["linkIds"]), { derived: byAccountNo })

const UNPUBLISHED = "('to_assign', 'assigned', 'drafted', 'in_review', 'approved')"

/** The matching links of these orders. OFFSET keeps the planner from reading all links of all orders first. */
const linksOf = (orders: string): string => `${orders} o CROSS JOIN LATERAL (
  SELECT l.* FROM links l WHERE l.order_id = o.order_id
    AND ($5::text IS NULL OR starts_with(l.host_path, $5)) AND ($6::text IS NULL OR l.project_id = $6)
    AND ($7::text IS NULL OR o.reference = $7 OR l.reference = $7) AND ($8::bigint IS NULL OR l.site_id = $8)
    AND ($9::text IS NULL OR l.status = $9)
    AND ($10::boolean IS NULL OR $10 = (l.status IN ${UNPUBLISHED} AND coalesce(${dueAtMs("l")} < $11::bigint, false)))
  OFFSET 0
) l
WHERE o.key_id = ANY ($1::text[]) AND o.status = ANY ($2::text[])
  AND ($3::bigint IS NULL OR o.created_at_ms >= $3) AND ($4::bigint IS NULL OR o.created_at_ms <= $4)`

/** In the order of the list, after the place of $12 and $13. */
const linkPageOf = (of: string): string => `
SELECT ${orders.list("o")} AS "order", ${links.list("l")} AS link FROM ${linksOf(of)}
  AND (o.order_id, -l.index) < ($12::text, -$13::integer)
ORDER BY o.order_id DESC, l.index LIMIT $14`

/** Each order has a link, so that so many orders fill the page. */
const linkPage = linkPageOf(`(${newest("one.*", "$15", "$16")})`)

/** A key has few enough orders to look at the links of each. */
const narrowedLinkPage = linkPageOf("orders")

const linkTotals = `
SELECT json_build_array(count(*), coalesce(sum(net_cents), 0), coalesce(sum(credited_cents), 0)) AS value FROM (
  SELECT l.net_cents, ${creditOfCancelled("l")} AS credited_cents FROM ${linksOf("orders")} LIMIT ${MAX_COUNTED + 1}
) counted`

const linkCount = `SELECT count(*)::int AS value FROM (SELECT FROM ${linksOf("orders")} LIMIT ${MAX_COUNTED}) counted`

const ordered = "(l.history -> 0 ->> 'atMs')::bigint"

/** In the words of the index by account, host and site. */
const orderedOn = `
SELECT l.site_id::float8 AS "siteId", l.target_url AS "targetUrl", l.anchor_text AS "anchorText", l.order_id::text AS "orderId",
  ${ordered}::float8 AS "orderedAtMs"
FROM links l
WHERE l.account_no = ${accountNo("$1")} AND l.host_path = ANY ($2::text[]) AND l.site_id = ANY ($3::bigint[])
  AND l.mode <> 'sandbox' AND l.status <> 'cancelled' AND ${ordered} >= $4`

/** The oldest come first, because they are due first. Where there are more than the bound, the newest are left out. */
const open = `unnest($1::text[]) AS key (key_id), unnest(ARRAY['paid', 'in_progress']) AS asked (status)
CROSS JOIN LATERAL (
  SELECT one.* FROM orders one WHERE one.key_id = key.key_id AND one.status = asked.status
    AND one.key_id BETWEEN key.key_id AND key.key_id AND one.status BETWEEN asked.status AND asked.status
  ORDER BY one.order_id LIMIT ${MAX_COUNTED}
) o CROSS JOIN LATERAL (
  SELECT l.*, ${dueAtMs("l")} AS due_at_ms FROM links l WHERE l.order_id = o.order_id AND l.status IN ${UNPUBLISHED} OFFSET 0
) l`

/** In the words of the index of what is online, by account and time. */
const online = (accountId: string, since: string): string => `links l WHERE l.account_no = ${accountNo(accountId)}
  AND l.mode = 'live' AND l.published_at_ms >= ${since}::bigint AND l.status <> 'cancelled'`

const progress = `
SELECT json_build_object(
  'inWork', count(*), 'overdue', count(*) FILTER (WHERE due_at_ms < $3::bigint),
  'nextDueAtMs', min(due_at_ms) FILTER (WHERE due_at_ms >= $3),
  'online', (SELECT count(*) FROM (SELECT FROM ${online("$2", "$4")} LIMIT ${MAX_COUNTED}) lately)
) AS value FROM (SELECT l.due_at_ms FROM ${open} LIMIT ${MAX_COUNTED}) started`

const linked = `SELECT ${orders.list("o")} AS "order", ${links.list("l")} AS link`

const duePlace = `coalesce(l.due_at_ms, ${Number.MAX_SAFE_INTEGER})`

const openPage = `
${linked} FROM ${open}
WHERE ($2::bigint IS NULL OR l.due_at_ms < $2) AND (${duePlace}, l.link_id) > ($3::bigint, $4::text)
ORDER BY ${duePlace}, l.link_id LIMIT $5`

const onlinePage = `
${linked} FROM (
  SELECT l.* FROM ${online("$1", "$2")} AND (-l.published_at_ms, l.link_id) > ($3::bigint, $4::text)
  ORDER BY -l.published_at_ms, l.link_id LIMIT $5
) l JOIN orders o ON o.order_id = l.order_id ORDER BY -l.published_at_ms, l.link_id`

const OrderedBefore = Schema.Struct({
  siteId: Integer,
  targetUrl: Text,
  anchorText: Text,
  orderId: OrderId,
  orderedAtMs: Integer
})

const Linked = Schema.Struct({ order: orders.schema, link: links.schema })

const paramsOf = (asked: LinkConditions, asOfMs: number) => [
  OrderStatus.literals,
  asked.createdFromMs ?? null,
  asked.createdToMs ?? null,
  asked.targetDomain === undefined ? null : hostPath(asked.targetDomain),
  asked.projectId ?? null,
  asked.reference ?? null,
  asked.siteId ?? null,
  asked.status ?? null,
  asked.overdue ?? null,
  asOfMs
]

const totalsOf = ([count, totalCents, creditedCents]: readonly [number, number, number]): OrderTotals | null =>
  count > MAX_COUNTED ? null : { count, totalCents, creditedCents }

const NOTHING = Effect.succeed([0])

export const layer = overDatabase(Purchases, ({ search }) => {
  const quotesOn = query(search, ListedQuote, quotePage)
  const quotesIn = queryValues(search, Integer, quoteCount)
  const linksOn = query(search, Linked, linkPage)
  const narrowedLinksOn = query(search, Linked, narrowedLinkPage)
  const totals = first(queryValues(search, Schema.Tuple([Integer, Integer, Integer]), linkTotals))
  const linksIn = queryValues(search, Integer, linkCount)
  const linksOrderedOn = query(search, OrderedBefore, orderedOn)

  const progressOn = only(queryValues(search, LinkProgress, progress))
  const openOn = query(search, Linked, openPage)
  const onlineOn = query(search, Linked, onlinePage)

  return Purchases.of({
    quotes: Effect.fnUntraced(function* ({ shown, leftOut, statuses, limit, beforeId }) {
      const asked = [statuses, statuses.includes("paid") ? OrderStatus.literals : []]
      const before = beforeId === null ? [LAST_ID, LAST_ID] : [beforeId, orderBefore(beforeId)]
      const [found, [leftOutCount = 0]] = yield* Effect.all(
        [quotesOn(shown, ...asked, ...before, limit + 1), leftOut.length === 0 ? NOTHING : quotesIn(leftOut, ...asked)],
        { concurrency: 2 }
      )
      const { rows, next } = takePage(found, limit, ({ quote }) => quote.quoteId)
      return { quotes: rows, leftOutCount, nextBeforeId: next }
    }),
    links: Effect.fnUntraced(function* ({ shown, leftOut, conditions, asOfMs, limit, after }) {
      const params = paramsOf(conditions, asOfMs)
      const place = [after?.orderId ?? LAST_ID, after?.index ?? 0, limit + 1]
      const isNarrowed = Object.keys(conditions).length > 0
      // The order of the last place may have more links, or none.
      const orders = [after === null ? LAST_ID : `${after.orderId}~`, limit + 2]
      const [found, sums, [leftOutCount = 0]] = yield* Effect.all(
        [
          isNarrowed ? narrowedLinksOn(shown, ...params, ...place) : linksOn(shown, ...params, ...place, ...orders),
          after === null ? totals(shown, ...params) : Effect.succeed(null),
          leftOut.length === 0 ? NOTHING : linksIn(leftOut, ...params)
        ],
        { concurrency: 3 }
      )
      const { rows, next } = takePage(found, limit, ({ order, link }) => ({
        orderId: order.orderId,
        index: link.index
      }))
      return { links: rows, leftOutCount, ...(sums === null ? {} : { totals: totalsOf(sums) }), next }
    }),
    progress: ({ accountId, keyIds, asOfMs }) => progressOn(keyIds, accountId, asOfMs, asOfMs - LATELY_MS),
    inList: Effect.fnUntraced(function* ({ accountId, keyIds, asOfMs, list, limit, after }) {
      const place = [after?.at ?? Number.MIN_SAFE_INTEGER, after?.linkId ?? "", limit + 1]
      const found = yield* list === "online"
        ? onlineOn(accountId, asOfMs - LATELY_MS, ...place)
        : openOn(keyIds, list === "overdue" ? asOfMs : null, ...place)
      const { rows, next } = takePage(found, limit, ({ link }) => ({ at: placeIn(link, list), linkId: link.linkId }))
      return { links: rows, next }
    }),
    orderedOn: ({ accountId, siteIds, hosts, sinceMs }) =>
      linksOrderedOn(accountId, hosts.map(hostPath), bigintArray(siteIds), sinceMs)
  })
})
