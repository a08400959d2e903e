// The query for the books of any number of placements.
import { linkedId } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import type { LinkTarget } from "#core/domain/pricing/Cart.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { aliasIn, bigintArray } from "../database/Queries.ts"
import { accountNo } from "../rows/AccountRows.ts"
import { type BooksQuery, bookTables, jsonRows, selectBooks, type TableSelect, tableRows } from "../rows/BookTables.ts"
import { EVERY_ACCOUNT, isLimited, promoId, promoInUse } from "../rows/CatalogueRows.ts"
import { bindingsSeen, hostPath } from "../rows/OrderRows.ts"
import { boundQuote, isAlike, OPEN, soughtBinding } from "../rows/QuoteRows.ts"

export type ForPlacement = Extract<Reads, { readonly _tag: "ForPlacement" }>

/** Looks up one row for each parameter by index; a join might start from a table that was empty when the statement was planned. */
const lateralRows = (parameters: string, row: string): string => {
  const alias = aliasIn(row)
  return `${parameters} CROSS JOIN LATERAL (SELECT ${alias}.* FROM ${row} LIMIT 1) ${alias}`
}

/** Each code that is used, as each of its accounts sees it; a code without limits once, because most orders of a batch have the same one. */
const promosInUse = `${lateralRows(
  "(SELECT DISTINCT code FROM unnest($4::text[]) AS one (code)) c",
  "promos p WHERE p.code = c.code"
)} CROSS JOIN LATERAL (
    SELECT use.account_id FROM unnest($4::text[], $5::text[]) AS use (code, account_id) WHERE use.code = p.code AND ${isLimited}
    UNION ALL SELECT '${EVERY_ACCOUNT}' WHERE NOT ${isLimited}
  ) u`

/** `OFFSET 0` keeps it a look-up by index for each account, so that it costs nothing where no cart names an article. */
const holdingArticles = `
  SELECT o.* FROM quotes o
  WHERE o.status IN ${OPEN} AND o.account_no = ${accountNo("u.account_id")}
    AND (o.expires_at_ms > snapshot.now_ms OR o.payment_pending_at_ms IS NOT NULL)
    AND o.mode = 'live' AND o.lines @? '$[*].item.articleId'
  OFFSET 0`

/** All accounts' uses of the welcome offer for the domains of the carts of self-opened accounts that have it. */
const welcomeUsesFor = `
  SELECT w.* FROM accounts a CROSS JOIN LATERAL welcome_uses_in(u.host_path) w
  WHERE a.account_id = u.account_id AND a.self_opened AND a.welcome_state <> 'spent'
  OFFSET 0`

/** Found by the index of each key's quotes, in the time windows that the range spans. */
const lookAlikes = `
  SELECT o.* FROM keys k CROSS JOIN generate_series(0, 1) AS behind
  JOIN quotes o ON o.created_at_ms / ${SIMILAR_ORDER_WINDOW_MS} = snapshot.now_ms / ${SIMILAR_ORDER_WINDOW_MS} - behind
    AND o.created_at_ms >= snapshot.now_ms - ${SIMILAR_ORDER_WINDOW_MS} AND ${isAlike("o", "k.key_id", "u.items_digest")}
  WHERE k.account_id = u.account_id
  OFFSET 0`

/** What a change of a link reads: links of its order `o` are not those that the site has already. */
export const linkedByOthers: TableSelect = [
  "linked",
  jsonRows(
    "u.linked_id",
    `(SELECT $3::text AS linked_id, $4::bigint AS site_id, $5::text AS host_path) u WHERE EXISTS (
      SELECT FROM links l WHERE l.account_no = o.account_no AND l.host_path = u.host_path AND l.site_id = u.site_id
        AND l.mode <> 'sandbox' AND l.status <> 'cancelled' AND l.order_id <> o.order_id
    )`
  )
]
/** The few active webhooks of each account, looked up for each: those of the keys, and those for their whole account. */
const subscribed = `
  unnest($2::text[]) AS u (account_id) CROSS JOIN LATERAL (
    SELECT one.* FROM subscriptions one WHERE one.account_id = u.account_id AND one.revoked_at_ms IS NULL OFFSET 0
  ) s WHERE s.key_id = ANY ($1::text[]) OR s.scope = 'account'`

/** What any order may read. */
const common: ReadonlyArray<TableSelect> = [
  tableRows("keys", "keys k WHERE k.key_id = ANY ($1::text[])"),
  tableRows("accounts", "accounts a WHERE a.account_id = ANY ($2::text[])"),
  tableRows("dailyUsage", `tallies t WHERE t.key_id = ANY ($1::text[]) AND t.day = snapshot.now_ms / ${DAY_MS}`),
  tableRows("sites", "sites s WHERE s.site_id = ANY ($3::bigint[])"),
  ["promos", jsonRows(promoInUse("u.account_id"), promosInUse)],
  [
    "bindings",
    jsonRows(
      bindingsSeen.list("b"),
      `unnest($6::text[], $7::text[], $8::text[], $9::text[]) AS u (key_id, account_id, mode, idempotency_key)
        CROSS JOIN LATERAL (${boundQuote}) b`
    )
  ],
  ["subscriptions", jsonRows(bookTables.subscriptions.list("s"), subscribed)],
  [
    "welcomeUses",
    jsonRows(
      bookTables.welcomeUses.list("w"),
      `unnest($14::text[], $15::text[]) AS u (account_id, host_path) CROSS JOIN LATERAL (${welcomeUsesFor}) w`
    )
  ],
  [
    "linked",
    jsonRows(
      "u.linked_id",
      lateralRows(
        "unnest($10::text[], $11::text[], $12::bigint[], $13::text[]) AS u (linked_id, account_id, site_id, host_path)",
        `links l WHERE l.account_no = ${accountNo("u.account_id")} AND l.host_path = u.host_path AND l.site_id = u.site_id
          AND l.mode <> 'sandbox' AND l.status <> 'cancelled'`
      )
    )
  ]
]

/** What most orders do not read: even selecting none of it takes the database time. */
const occasional: ReadonlyArray<TableSelect> = [
  tableRows("articles", "articles r WHERE r.article_id = ANY ($16::bigint[])"),
  tableRows("projects", "projects j WHERE j.project_id = ANY ($17::text[])"),
  tableRows("opportunities", "opportunities o WHERE o.opportunity_id = ANY ($18::text[])"),
  [
    "quotes",
    jsonRows(
      bookTables.quotes.list("q"),
      `(
        SELECT h.* FROM unnest($19::text[]) AS u (account_id) CROSS JOIN LATERAL (${holdingArticles}) h
        UNION ALL
        SELECT s.* FROM unnest($20::text[], $21::text[]) AS u (account_id, items_digest) CROSS JOIN LATERAL (${lookAlikes}) s
      ) q`
    )
  ]
]

const commonQuery = selectBooks(common)
const wholeQuery = selectBooks([...common, ...occasional])

/** Placements of one batch have many ids in common. */
const distinct = <A>(ids: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(ids)]

/** Accounts, and the items that each of them orders. */
const lookAlikeParams = (placements: ReadonlyArray<ForPlacement>): ReadonlyArray<ReadonlyArray<string>> => {
  const sought = new Map(
    placements.flatMap(({ accountId, lookAlikesOf }) =>
      lookAlikesOf === undefined ? [] : [[`${accountId} ${lookAlikesOf}`, { accountId, lookAlikesOf }] as const]
    )
  )
  const each = [...sought.values()]
  return [each.map(({ accountId }) => accountId), each.map(({ lookAlikesOf }) => lookAlikesOf)]
}

const commonParams = (placements: ReadonlyArray<ForPlacement>): ReadonlyArray<unknown> => {
  const promoUses = new Map<string, readonly [code: string, accountId: string]>()
  const bound = placements.flatMap((reads) =>
    reads.idempotencyKey === null ? [] : [soughtBinding(reads, reads.idempotencyKey)]
  )
  const welcomes = new Map<string, readonly [accountId: string, domain: string]>()
  const targetsById = new Map<string, readonly [accountId: string, target: LinkTarget]>()
  for (const { accountId, promoCode, targets, welcomeDomains } of placements) {
    if (promoCode !== null) {
      const code = normaliseCode(promoCode)
      promoUses.set(promoId(code, accountId), [code, accountId])
    }
    for (const domain of welcomeDomains) welcomes.set(`${accountId} ${domain}`, [accountId, domain])
    for (const target of targets) targetsById.set(linkedId(accountId, target), [accountId, target])
  }
  const uses = [...promoUses.values()]
  const targets = [...targetsById.values()]
  return [
    distinct(placements.map(({ keyId }) => keyId)),
    distinct(placements.map(({ accountId }) => accountId)),
    bigintArray(distinct(placements.flatMap(({ siteIds }) => siteIds))),
    uses.map(([code]) => code),
    uses.map(([, accountId]) => accountId),
    bound.map(([keyId]) => keyId),
    bound.map(([, accountId]) => accountId),
    bound.map(([, , mode]) => mode),
    bound.map(([, , , idempotencyKey]) => idempotencyKey),
    [...targetsById.keys()],
    targets.map(([accountId]) => accountId),
    bigintArray(targets.map(([, { siteId }]) => siteId)),
    targets.map(([, { host }]) => hostPath(host)),
    [...welcomes.values()].map(([accountId]) => accountId),
    [...welcomes.values()].map(([, domain]) => hostPath(domain))
  ]
}

const occasionalParams = (placements: ReadonlyArray<ForPlacement>): ReadonlyArray<unknown> => [
  bigintArray(distinct(placements.flatMap(({ articleIds }) => articleIds))),
  distinct(placements.flatMap(({ projectIds }) => projectIds)),
  distinct(placements.flatMap(({ opportunityIds }) => opportunityIds)),
  distinct(placements.flatMap(({ accountId, articleIds }) => (articleIds.length === 0 ? [] : [accountId]))),
  ...lookAlikeParams(placements)
]

const readsOnlyCommon = ({ articleIds, projectIds, opportunityIds, lookAlikesOf }: ForPlacement): boolean =>
  lookAlikesOf === undefined && [articleIds, projectIds, opportunityIds].every(({ length }) => length === 0)

export const queryForPlacements = (placements: ReadonlyArray<ForPlacement>): BooksQuery =>
  placements.every(readsOnlyCommon)
    ? { sql: commonQuery, params: commonParams(placements) }
    : { sql: wholeQuery, params: [...commonParams(placements), ...occasionalParams(placements)] }
