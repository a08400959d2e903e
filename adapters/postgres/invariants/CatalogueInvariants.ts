// Invariants of articles, promotion codes and welcome offers, as queries that select violations.
import { accountIdOf } from "../rows/AccountRows.ts"
import { discountOf, OPEN } from "../rows/QuoteRows.ts"

/** What an expired quote reserved may belong to another quote by now. */
const IN_TIME =
  "(payment_pending_at_ms IS NOT NULL OR expires_at_ms > (extract(epoch FROM statement_timestamp()) * 1000)::bigint)"

/** Live quotes with the welcome offer that are not abandoned. */
const welcomed = `
  SELECT quote_id, account_no, status, expires_at_ms, payment_pending_at_ms
  FROM quotes WHERE takes_welcome AND status <> 'abandoned'`

export const catalogueInvariants = {
  article_is_sold_once: `
SELECT a.article_id::text AS subject, format(
  'it is %s to quote %s, which is %s; %s living links are in it, of quote %s',
  a.sale_state, coalesce(a.sale_quote_id, '-'), coalesce(q.status, 'not there'), coalesce(l.count, 0),
  coalesce(l.quote_id, '-')
) AS message
FROM articles a
LEFT JOIN (
  SELECT article_id, count(*), min(quote_id) AS quote_id FROM links
  WHERE article_id IS NOT NULL AND mode = 'live' AND status <> 'cancelled' GROUP BY article_id
) l USING (article_id)
LEFT JOIN quotes q ON q.quote_id = a.sale_quote_id
WHERE coalesce(l.count, 0) <> (a.sale_state = 'sold')::int
  OR (a.sale_state = 'sold' AND a.sale_quote_id IS DISTINCT FROM l.quote_id)
  OR (a.sale_state = 'reserved' AND NOT coalesce(
    q.status IN ${OPEN} AND q.mode = 'live'
      AND q.lines @> jsonb_build_array(jsonb_build_object('item', jsonb_build_object('articleId', a.article_id))),
    false
  ))
UNION ALL
SELECT wanted.article_id::text, format('it is not reserved by quote %s, which is open', wanted.quote_id)
FROM (
  SELECT quote_id, (line -> 'item' ->> 'articleId')::bigint AS article_id
  FROM quotes CROSS JOIN LATERAL jsonb_array_elements(lines) line
  WHERE mode = 'live' AND status IN ${OPEN} AND ${IN_TIME}
) wanted LEFT JOIN articles a USING (article_id)
WHERE wanted.article_id IS NOT NULL
  AND (a.sale_state, a.sale_quote_id) IS DISTINCT FROM ('reserved', wanted.quote_id)`,

  // Redemptions of unlimited codes are not counted, so that their users do not wait for one another.
  promo_is_counted: `
SELECT code AS subject,
  format('%s redemptions are counted; %s paid quotes took it', redeemed, coalesce(count, 0)) AS message
FROM promos LEFT JOIN (
  SELECT promo_code AS code, count(*) FROM quotes WHERE promo_code IS NOT NULL AND status = 'paid' GROUP BY promo_code
) used USING (code)
WHERE max_redemptions IS NOT NULL AND redeemed <> coalesce(count, 0)
UNION ALL
SELECT coalesce(q.promo_code, d.discount ->> 'code'), format(
  'quote %s uses code %s; its discount is from %s', q.quote_id, coalesce(q.promo_code, '-'), coalesce(d.discount::text, 'nothing')
)
FROM quotes q CROSS JOIN LATERAL (SELECT ${discountOf("q")} AS discount OFFSET 0) d
WHERE q.promo_code IS DISTINCT FROM CASE WHEN q.mode = 'live' AND d.discount ->> 'source' = 'promo' THEN d.discount ->> 'code' END`,

  welcome_is_given_once: `
SELECT a.account_id AS subject, format(
  'the offer is %s to quote %s, which is %s; %s paid quotes took it',
  a.welcome_state, coalesce(a.welcome_quote_id, '-'), coalesce(q.status, 'not one that took it'), coalesce(used.count, 0)
) AS message
FROM accounts a
LEFT JOIN (
  SELECT account_no, count(*) FROM (${welcomed}) q WHERE status = 'paid' GROUP BY account_no
) used ON used.account_no = a.account_no
LEFT JOIN (${welcomed}) q ON q.quote_id = a.welcome_quote_id AND q.account_no = a.account_no
WHERE coalesce(used.count, 0) <> (a.welcome_state = 'spent')::int
  OR CASE a.welcome_state
    WHEN 'spent' THEN q.status IS DISTINCT FROM 'paid'
    WHEN 'reserved' THEN coalesce(q.status NOT IN ${OPEN}, true)
    ELSE q.status IS NOT NULL
  END
UNION ALL
SELECT a.account_id, format('the offer is %s; quote %s took it and is open', a.welcome_state, q.quote_id)
FROM (${welcomed}) q JOIN accounts a ON a.account_no = q.account_no
WHERE q.status IN ${OPEN} AND ${IN_TIME}
  AND (a.welcome_state, a.welcome_quote_id) IS DISTINCT FROM ('reserved', q.quote_id)
UNION ALL
SELECT coalesce(${accountIdOf("q")}, q.quote_id), format(
  'quote %s takes the offer: %s; its discount is from %s', q.quote_id, coalesce(q.takes_welcome, false), d.discount ->> 'source'
)
FROM quotes q CROSS JOIN LATERAL (SELECT ${discountOf("q")} AS discount OFFSET 0) d
WHERE coalesce(q.takes_welcome, false) <> coalesce(q.mode = 'live' AND d.discount ->> 'source' = 'welcome', false)`
} as const
