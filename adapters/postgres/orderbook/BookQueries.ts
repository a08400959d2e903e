// The query for each kind of `Reads`: the tables that the decision reads, as one JSON object from one snapshot.
import { linkedId } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { TESTS_WINDOW_MS } from "#core/domain/webhooks/Delivery.ts"
import { accountIdOf } from "../rows/AccountRows.ts"
import {
  activeSubscriptions,
  type BooksQuery,
  bookTables,
  jsonRows,
  selectBooks,
  subscriptionsWhere,
  type TableSelect,
  tableRows
} from "../rows/BookTables.ts"
import { promoInUse } from "../rows/CatalogueRows.ts"
import { hostPath } from "../rows/OrderRows.ts"
import { discountOf, linesOf, OPEN } from "../rows/QuoteRows.ts"
import { forListing, listingParams } from "./ListingQuery.ts"
import { missedEvents, missedParams } from "./MissedEvents.ts"
import { type ForPlacement, linkedByOthers, queryForPlacements } from "./PlacementQuery.ts"

const articlesOfQuote = `articles r WHERE r.article_id IN (
  SELECT (line -> 'item' ->> 'articleId')::bigint FROM jsonb_array_elements(${linesOf("q")}) line
)`

/** The account's own uses, which have the domains of its quotes, and those for their domains. */
const welcomeUsesOfQuote = `accounts a JOIN welcome_uses own ON own.account_id = a.account_id
  CROSS JOIN LATERAL welcome_uses_in(own.host_path) w
  WHERE a.account_no = q.account_no AND ${discountOf("q")} ->> 'source' = 'welcome' AND (a.self_opened OR w.account_id = a.account_id)`

const quoteTables: ReadonlyArray<TableSelect> = [
  ["quotes", `CASE WHEN q.quote_id IS NOT NULL THEN json_build_array(${bookTables.quotes.list("q")}) END`],
  tableRows("accounts", "accounts a WHERE a.account_no = q.account_no"),
  tableRows("holds", "quote_holds h WHERE h.quote_id = q.quote_id"),
  tableRows("articles", articlesOfQuote),
  ["promos", jsonRows(promoInUse(accountIdOf("q")), `promos p WHERE p.code = ${discountOf("q")} ->> 'code'`)],
  ["welcomeUses", jsonRows(bookTables.welcomeUses.list("w"), welcomeUsesOfQuote)],
  tableRows("orders", "orders o WHERE o.order_id = q.order_id"),
  tableRows("links", "links l WHERE l.order_id = q.order_id"),
  tableRows("payments", "payments y WHERE y.quote_id = $1 OR y.payment_id = $2"),
  tableRows("setAside", "payments_set_aside s WHERE s.quote_id = $1 OR s.payment_id = $2"),
  tableRows("reversals", "reversals v WHERE v.quote_id = q.quote_id"),
  tableRows("bindings", "quotes b WHERE b.quote_id = q.quote_id AND b.idempotency_key IS NOT NULL"),
  tableRows("dailyUsage", `tallies t WHERE t.key_id = q.key_id AND t.day = q.created_at_ms / ${DAY_MS}`),
  tableRows("keys", "keys k WHERE k.key_id = q.key_id"),
  activeSubscriptions("= q.key_id", `= ${accountIdOf("q")}`)
]

const quoteWithId = (more: ReadonlyArray<TableSelect> = []): string =>
  selectBooks([...quoteTables, ...more], "snapshot LEFT JOIN quotes q ON q.quote_id = $1")

const membersOf = (alias: string): TableSelect =>
  tableRows("members", `members e WHERE e.account_id = ${accountIdOf(alias)} AND e.removed_at_ms IS NULL`)

const orderWithId = (orderId: string, more: ReadonlyArray<TableSelect> = [], keys = "k.key_id = o.key_id"): string =>
  selectBooks(
    [
      ["orders", `CASE WHEN o.order_id IS NOT NULL THEN json_build_array(${bookTables.orders.list("o")}) END`],
      tableRows("accounts", "accounts a WHERE a.account_no = o.account_no"),
      tableRows("quotes", "quotes q WHERE q.quote_id = o.quote_id"),
      tableRows("payments", "payments y WHERE y.quote_id = o.quote_id"),
      tableRows("setAside", "payments_set_aside s WHERE s.quote_id = o.quote_id"),
      tableRows("reversals", "reversals v WHERE v.quote_id = o.quote_id"),
      tableRows("links", "links l WHERE l.order_id = o.order_id"),
      tableRows(
        "articles",
        "articles r WHERE r.article_id IN (SELECT l.article_id FROM links l WHERE l.order_id = o.order_id)"
      ),
      tableRows("keys", `keys k WHERE ${keys}`),
      activeSubscriptions("= o.key_id", `= ${accountIdOf("o")}`),
      ...more
    ],
    `snapshot LEFT JOIN orders o ON o.order_id = ${orderId}`
  )

const accountWithId = (accountId: string, more: ReadonlyArray<TableSelect> = []): string =>
  selectBooks(
    [
      ["accounts", `CASE WHEN a.account_id IS NOT NULL THEN json_build_array(${bookTables.accounts.list("a")}) END`],
      tableRows("keys", "keys k WHERE k.account_id = a.account_id"),
      tableRows("members", "members e WHERE e.account_id = a.account_id AND e.removed_at_ms IS NULL"),
      tableRows("invitations", "invitations i WHERE i.account_id = a.account_id"),
      subscriptionsWhere("s.account_id = a.account_id"),
      ...more
    ],
    `snapshot LEFT JOIN accounts a ON a.account_id = ${accountId}`
  )

const deliveriesWhere = (condition: string): TableSelect =>
  tableRows("deliveries", `deliveries d WHERE d.delivery_id ${condition}`)

const forDeliveries = selectBooks([
  deliveriesWhere("= ANY ($1::text[])"),
  subscriptionsWhere(
    "s.webhook_id = ANY (ARRAY(SELECT d.webhook_id FROM deliveries d WHERE d.delivery_id = ANY ($1::text[])))"
  )
])

/** The accounts and members with an address, and the members of an account; SQL for both. */
const withEmail = (email: string, accountId: string): ReadonlyArray<TableSelect> => [
  tableRows(
    "accounts",
    `accounts a WHERE a.account_id = ANY (
      ARRAY (SELECT one.account_id FROM accounts one WHERE email_key(one.email) = email_key(${email})) || ${accountId}
    )`
  ),
  tableRows(
    "members",
    `members e WHERE e.member_id = ANY (
      ARRAY (SELECT one.member_id FROM members one WHERE sign_in_key(one.email, one.removed_at_ms) = email_key(${email}))
      || ARRAY (
        SELECT own.member_id FROM members own WHERE own.account_id = ${accountId}
          AND (own.removed_at_ms IS NULL OR own.member_id = regexp_replace(${accountId}, '^acc_', 'mem_'))
      )
    )`
  )
]

const forInvitation = selectBooks(
  [
    [
      "invitations",
      `CASE WHEN i.invitation_id IS NOT NULL THEN json_build_array(${bookTables.invitations.list("i")}) END`
    ],
    ...withEmail("i.email", "i.account_id")
  ],
  "snapshot LEFT JOIN invitations i ON i.invitation_id = $1"
)

/** Takes the first such order of each key by the index on its orders. */
const unfinishedOrder = `SELECT one.order_id FROM keys k CROSS JOIN LATERAL (
    SELECT q.order_id FROM quotes q
    WHERE q.key_id = k.key_id AND q.order_id IS NOT NULL AND q.order_status IN ('paid', 'in_progress') LIMIT 1
  ) one WHERE k.account_id = a.account_id AND k.mode = 'live' LIMIT 1`

const hinderClosing: ReadonlyArray<TableSelect> = [
  tableRows(
    "quotes",
    `quotes q WHERE q.quote_id = (
      SELECT one.quote_id FROM quotes one
      WHERE one.status IN ${OPEN} AND one.account_no = a.account_no AND one.mode = 'live' ORDER BY one.expires_at_ms LIMIT 1
    )`
  ),
  tableRows("links", `links l WHERE l.order_id = (${unfinishedOrder})`)
]

type OtherReads = Exclude<Reads, ForPlacement>

const statements: { readonly [Tag in OtherReads["_tag"]]: string } = {
  ForQuote: quoteWithId(),
  ForApproval: quoteWithId([membersOf("q")]),
  ForOrder: orderWithId("$1", [tableRows("members", "members e WHERE e.member_id = $2 AND e.removed_at_ms IS NULL")]),
  ForLink: orderWithId("(SELECT link.order_id FROM links link WHERE link.link_id = $1)"),
  ForChange: orderWithId(
    "$1",
    [membersOf("o"), linkedByOthers],
    `k.key_id IN (o.key_id, $2) AND k.account_id = ${accountIdOf("o")}`
  ),
  ForEmail: selectBooks(withEmail("$1", "$2::id")),
  ForInvitation: forInvitation,
  ForAccount: accountWithId("$1", [
    tableRows("ledger", "ledger l WHERE l.account_no = a.account_no AND l.reference = $2")
  ]),
  ForClosing: accountWithId("$1", hinderClosing),
  ForTopUp: accountWithId("coalesce((SELECT one.account_id FROM top_ups one WHERE one.top_up_id = $1), $2::id)", [
    tableRows("topUps", "top_ups t WHERE t.top_up_id = $1"),
    tableRows("topUpReversals", "top_up_reversals v WHERE v.top_up_id = $1"),
    tableRows("setAside", "payments_set_aside s WHERE s.payment_id = $3"),
    tableRows("ledger", "ledger l WHERE l.account_no = a.account_no AND l.reference = $3")
  ]),
  ForKey: accountWithId("(SELECT key.account_id FROM keys key WHERE key.key_id = $1)"),
  ForSubscription: accountWithId("(SELECT one.account_id FROM subscriptions one WHERE one.webhook_id = $1)", [
    deliveriesWhere(`IN (
      SELECT $2 UNION ALL
      SELECT t.delivery_id FROM deliveries t
      WHERE $3 AND t.webhook_id = $1 AND t.event = 'webhook.test' AND t.created_at_ms > snapshot.now_ms - ${TESTS_WINDOW_MS}
    )`)
  ]),
  ForReplay: accountWithId("(SELECT one.account_id FROM subscriptions one WHERE one.webhook_id = $1)", missedEvents),
  ForDeliveries: forDeliveries,
  ForListing: forListing
}

const params = (reads: OtherReads): ReadonlyArray<unknown> => {
  switch (reads._tag) {
    case "ForQuote":
      return [reads.quoteId, reads.paymentId ?? null]
    case "ForApproval":
      return [reads.quoteId, null]
    case "ForOrder":
      return [reads.orderId, reads.memberId ?? null]
    case "ForLink":
      return [reads.linkId]
    case "ForChange": {
      const { orderId, keyId, accountId, target } = reads
      return [orderId, keyId, linkedId(accountId, target), target.siteId, hostPath(target.host)]
    }
    case "ForEmail":
      return [reads.email, reads.accountId ?? null]
    case "ForInvitation":
      return [reads.invitationId]
    case "ForAccount":
      return [reads.accountId, reads.reference ?? null]
    case "ForClosing":
      return [reads.accountId]
    case "ForTopUp":
      return [reads.topUpId, reads.accountId ?? null, reads.reference ?? null]
    case "ForKey":
      return [reads.keyId]
    case "ForSubscription":
      return [reads.webhookId, reads.deliveryId ?? null, reads.tests ?? false]
    case "ForReplay":
      return missedParams(reads)
    case "ForDeliveries":
      return [reads.deliveryIds]
    case "ForListing":
      return listingParams(reads)
  }
}

export const queryFor = (reads: Reads): BooksQuery =>
  reads._tag === "ForPlacement" ? queryForPlacements([reads]) : { sql: statements[reads._tag], params: params(reads) }
