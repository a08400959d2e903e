// The statement for each kind of reads: all that a decision may look at, as one JSON object, from one snapshot, with the time at
// which it was taken. What becomes of the rows is `LoadedBooks`'.
import type { Reads } from "#core/decisions/Reads.ts"
import { normaliseCode } from "#core/domain/Promo.ts"
import { numbers } from "./Reading.ts"
import { accounts, keys, tallies } from "./rows/AccountRows.ts"
import { guardedDeliveries, guardedSubscriptions } from "./rows/DeliveryRows.ts"
import {
  guardedArticles,
  guardedOpportunities,
  guardedProjects,
  guardedSites,
  promoId,
  promoInUse
} from "./rows/OfferRows.ts"
import { bindings, holds, ledger, links, orders, payments, quotes } from "./rows/OrderRows.ts"

export type ForPlacement = Extract<Reads, { readonly _tag: "ForPlacement" }>

/** A shelf of the books, by name, and SQL for its rows. */
type Shelf = readonly [name: string, rows: string]

const all = (json: string, from: string): string => `(SELECT json_agg(${json}) FROM ${from})`

/** For each of what is asked for, its one row, looked up by itself: a join would begin with a table that was empty when it was planned. */
const eachOf = (asked: string, row: string): string => {
  const [, alias = ""] = /^\w+ (\w+) /.exec(row) ?? []
  return `${asked} CROSS JOIN LATERAL (SELECT ${alias}.* FROM ${row} LIMIT 1) ${alias}`
}

/** The snapshot is taken when the statement begins, and the time right after it: nothing seen is of a later time. */
const booksWith = (shelves: ReadonlyArray<Shelf>, from = "moment"): string => `
WITH moment AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms)
SELECT json_build_object(
  'nowMs', moment.now_ms,
  'shop', (SELECT json_build_object('version', version, 'fulfilment', fulfilment) FROM shop),
  ${shelves.map(([name, rows]) => `'${name}', ${rows}`).join(",\n  ")}
) AS books FROM ${from}`

const DAY_MS = 86_400_000

const subscriptionsWhere = (condition: string): Shelf => [
  "subscriptions",
  all(guardedSubscriptions.json("s"), `subscriptions s WHERE ${condition}`)
]

/** Where events of the key's orders may be sent: revoked subscriptions hear nothing any more. */
const hearing = (key: string): Shelf => subscriptionsWhere(`s.key_id = ${key} AND s.revoked_at_ms IS NULL`)

/** Of any number of placements at once: what each may look at is picked out of it again. */
const forPlacements = booksWith([
  ["keys", all(keys.json("k"), "keys k WHERE k.key_id = ANY ($1::text[])")],
  ["accounts", all(accounts.json("a"), "accounts a WHERE a.account_id = ANY ($2::text[])")],
  [
    "tallies",
    all(tallies.json("t"), `tallies t WHERE t.key_id = ANY ($1::text[]) AND t.day = moment.now_ms / ${DAY_MS}`)
  ],
  ["sites", all(guardedSites.json("s"), "sites s WHERE s.site_id = ANY ($3::bigint[])")],
  ["articles", all(guardedArticles.json("r"), "articles r WHERE r.article_id = ANY ($4::bigint[])")],
  ["projects", all(guardedProjects.json("j"), "projects j WHERE j.project_id = ANY ($5::text[])")],
  ["opportunities", all(guardedOpportunities.json("o"), "opportunities o WHERE o.opportunity_id = ANY ($6::text[])")],
  [
    "promos",
    all(
      promoInUse("u.account_id"),
      eachOf("unnest($7::text[], $8::text[]) AS u (code, account_id)", "promos p WHERE p.code = u.code")
    )
  ],
  [
    "bindings",
    all(
      bindings.json("b"),
      eachOf(
        "unnest($9::text[], $10::text[]) AS u (key_id, idempotency_key)",
        "bindings b WHERE b.key_id = u.key_id AND b.idempotency_key = u.idempotency_key"
      )
    )
  ],
  subscriptionsWhere("s.key_id = ANY ($1::text[]) AND s.revoked_at_ms IS NULL")
])

const articlesOfQuote = `articles r WHERE r.article_id IN (
  SELECT (line -> 'item' ->> 'articleId')::bigint FROM jsonb_array_elements(q.lines) line
)`

const forQuote = booksWith(
  [
    ["quotes", `CASE WHEN q.quote_id IS NOT NULL THEN json_build_array(${quotes.json("q")}) END`],
    ["accounts", all(accounts.json("a"), "accounts a WHERE a.account_id = q.account_id")],
    ["holds", all(holds.json("h"), "holds h WHERE h.hold_id = q.hold_id")],
    ["articles", all(guardedArticles.json("r"), articlesOfQuote)],
    ["promos", all(promoInUse("q.account_id"), "promos p WHERE p.code = q.discount ->> 'code'")],
    ["orders", all(orders.json("o"), "orders o WHERE o.order_id = q.order_id")],
    ["links", all(links.json("l"), "links l WHERE l.order_id = q.order_id")],
    ["payments", all(payments.json("y"), "payments y WHERE y.quote_id = $1 OR y.payment_id = $2")],
    [
      "bindings",
      all(bindings.json("b"), "bindings b WHERE b.key_id = q.key_id AND b.idempotency_key = q.idempotency_key")
    ],
    ["tallies", all(tallies.json("t"), `tallies t WHERE t.key_id = q.key_id AND t.day = q.created_at_ms / ${DAY_MS}`)],
    hearing("q.key_id")
  ],
  "moment LEFT JOIN quotes q ON q.quote_id = $1"
)

const orderNamed = (orderId: string): string =>
  booksWith(
    [
      ["orders", `CASE WHEN o.order_id IS NOT NULL THEN json_build_array(${orders.json("o")}) END`],
      ["accounts", all(accounts.json("a"), "accounts a WHERE a.account_id = o.account_id")],
      ["quotes", all(quotes.json("q"), "quotes q WHERE q.quote_id = o.quote_id")],
      ["links", all(links.json("l"), "links l WHERE l.order_id = o.order_id")],
      [
        "articles",
        all(
          guardedArticles.json("r"),
          "articles r WHERE r.article_id IN (SELECT l.article_id FROM links l WHERE l.order_id = o.order_id)"
        )
      ],
      hearing("o.key_id")
    ],
    `moment LEFT JOIN orders o ON o.order_id = ${orderId}`
  )

const accountNamed = (accountId: string, more: ReadonlyArray<Shelf> = []): string =>
  booksWith(
    [
      ["accounts", `CASE WHEN a.account_id IS NOT NULL THEN json_build_array(${accounts.json("a")}) END`],
      ["keys", all(keys.json("k"), "keys k WHERE k.account_id = a.account_id")],
      subscriptionsWhere("s.account_id = a.account_id"),
      ...more
    ],
    `moment LEFT JOIN accounts a ON a.account_id = ${accountId}`
  )

const deliveriesNamed = (condition: string): Shelf => [
  "deliveries",
  all(guardedDeliveries.json("d"), `deliveries d WHERE d.delivery_id ${condition}`)
]

const forDeliveries = booksWith([
  deliveriesNamed("= ANY ($1::text[])"),
  subscriptionsWhere("s.webhook_id IN (SELECT d.webhook_id FROM deliveries d WHERE d.delivery_id = ANY ($1::text[]))")
])

const forListing = booksWith([
  ["sites", all(guardedSites.json("s"), "sites s WHERE s.site_id = ANY ($1::bigint[])")],
  ["articles", all(guardedArticles.json("r"), "articles r WHERE r.article_id = ANY ($2::bigint[])")],
  ["promos", all(promoInUse("''"), "promos p WHERE p.code = ANY ($3::text[])")],
  ["projects", all(guardedProjects.json("j"), "projects j WHERE j.project_id = ANY ($4::text[])")],
  ["opportunities", all(guardedOpportunities.json("o"), "opportunities o WHERE o.opportunity_id = ANY ($5::text[])")],
  ["accounts", all(accounts.json("a"), "accounts a WHERE a.account_id = ANY ($6::text[])")]
])

const statements: { readonly [Tag in Reads["_tag"]]: string } = {
  ForPlacement: forPlacements,
  ForQuote: forQuote,
  ForOrder: orderNamed("$1"),
  ForLink: orderNamed("(SELECT link.order_id FROM links link WHERE link.link_id = $1)"),
  ForAccount: accountNamed("$1", [
    ["ledger", all(ledger.json("l"), "ledger l WHERE l.account_id = $1 AND l.reference = $2")]
  ]),
  ForKey: accountNamed("(SELECT key.account_id FROM keys key WHERE key.key_id = $1)"),
  ForSubscription: accountNamed("(SELECT one.account_id FROM subscriptions one WHERE one.webhook_id = $1)", [
    deliveriesNamed("= $2")
  ]),
  ForDeliveries: forDeliveries,
  ForListing: forListing
}

/** Each once, so that their order is the only thing that the parameters of the same placements can differ in. */
const distinct = <A, B>(rows: ReadonlyArray<A>, ids: (row: A) => ReadonlyArray<B>): ReadonlyArray<B> => [
  ...new Set(rows.flatMap(ids))
]

const placementParams = (placements: ReadonlyArray<ForPlacement>): ReadonlyArray<unknown> => {
  const coded = new Map<string, readonly [code: string, accountId: string]>()
  const bound: Array<readonly [keyId: string, idempotencyKey: string]> = []
  for (const { keyId, accountId, promoCode, idempotencyKey } of placements) {
    if (promoCode !== null) {
      const code = normaliseCode(promoCode)
      coded.set(promoId(code, accountId), [code, accountId])
    }
    if (idempotencyKey !== null) bound.push([keyId, idempotencyKey])
  }
  const uses = [...coded.values()]
  return [
    distinct(placements, ({ keyId }) => [keyId]),
    distinct(placements, ({ accountId }) => [accountId]),
    numbers(distinct(placements, ({ siteIds }) => siteIds)),
    numbers(distinct(placements, ({ articleIds }) => articleIds)),
    distinct(placements, ({ projectIds }) => projectIds),
    distinct(placements, ({ opportunityIds }) => opportunityIds),
    uses.map(([code]) => code),
    uses.map(([, accountId]) => accountId),
    bound.map(([keyId]) => keyId),
    bound.map(([, idempotencyKey]) => idempotencyKey)
  ]
}

const params = (reads: Reads): ReadonlyArray<unknown> => {
  switch (reads._tag) {
    case "ForPlacement":
      return placementParams([reads])
    case "ForQuote":
      return [reads.quoteId, reads.paymentId ?? null]
    case "ForOrder":
      return [reads.orderId]
    case "ForLink":
      return [reads.linkId]
    case "ForAccount":
      return [reads.accountId, reads.reference ?? null]
    case "ForKey":
      return [reads.keyId]
    case "ForSubscription":
      return [reads.webhookId, reads.deliveryId ?? null]
    case "ForDeliveries":
      return [reads.deliveryIds]
    case "ForListing": {
      const { siteIds, articleIds, promoCodes, projectIds, opportunityIds, accountIds } = reads
      return [
        numbers(siteIds),
        numbers(articleIds),
        promoCodes.map(normaliseCode),
        projectIds,
        opportunityIds,
        accountIds
      ]
    }
  }
}

export interface BookQuery {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

export const queryFor = (reads: Reads): BookQuery => ({ sql: statements[reads._tag], params: params(reads) })

/** The same for many placements. */
export const queryForPlacements = (placements: ReadonlyArray<ForPlacement>): BookQuery => ({
  sql: forPlacements,
  params: placementParams(placements)
})
