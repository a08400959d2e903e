-- The order of `Order.sql` on the service's own tables, where the quote's row is also binding, order and use of its code, links have the
-- lines, answers have a form in common, and an event is written only where a webhook receives it. `:accounts` is a parameter; keys are
-- `key-<account>`, and each order's ids share a prefix.
\set account random(1, :accounts)
\set site random(1, 300)
\set order random(1, 9007199254740991)
WITH fresh AS MATERIALIZED (
  SELECT at_ms, '02' || lpad(to_hex(at_ms), 11, '0') || right(lpad(to_hex(:order::bigint), 15, '0'), 13) AS id_prefix
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint) clock (at_ms)
), caller AS (
  SELECT k.key_id, k.account_id FROM keys k
  WHERE k.hash = encode(sha256(convert_to('key-' || :account::bigint, 'UTF8')), 'hex')
    AND k.revoked_at_ms IS NULL AND 'order' = ANY (k.scopes)
    AND NOT EXISTS (
      SELECT FROM quotes b WHERE hashtextextended(b.key_id, 0) = hashtextextended(k.key_id, 0)
        AND hashtextextended(b.idempotency_key, 0) = hashtextextended((:order::bigint)::text, 0)
    )
), priced AS (
  SELECT s.site_id, s.domain, s.shelf, p.code, s.price_cents AS gross,
    s.price_cents - round(s.price_cents * p.reduction_value / 10000.0)::bigint AS net
  FROM sites s, promos p WHERE s.site_id = :site::bigint AND s.open AND p.code = 'TEN'
), paid AS (
  UPDATE accounts a SET balance_cents = a.balance_cents - p.net, version = f.id_prefix
  FROM caller c, priced p, fresh f WHERE a.account_id = c.account_id AND a.balance_cents - a.held_cents >= p.net
  RETURNING a.account_no, a.balance_cents, a.held_cents
), counted AS (
  INSERT INTO tallies (key_id, day, quotes, spent_cents, account_no)
  SELECT c.key_id, f.at_ms / 86400000, 1, p.net, a.account_no FROM caller c, paid a, fresh f, priced p
  ON CONFLICT (key_id, day, account_no) DO UPDATE SET quotes = tallies.quotes + 1, spent_cents = tallies.spent_cents + EXCLUDED.spent_cents
  WHERE tallies.quotes < 1000000000
  RETURNING key_id
), answered AS (
  SELECT json_build_object('ok', true, 'quote_id', 'q_' || f.id_prefix || '00', 'status', 'paid',
    'currency', 'EUR', 'gross_total_eur', (p.gross / 100.0)::float8, 'total_eur', (p.net / 100.0)::float8,
    'discount_eur', ((p.gross - p.net) / 100.0)::float8, 'credit_applied_cents', p.net, 'card_amount_cents', 0,
    'discount', json_build_object('source', 'promo', 'label', 'Promo code ' || p.code, 'considered',
      json_build_array(json_build_object('source', 'promo', 'code', p.code, 'amount_eur', ((p.gross - p.net) / 100.0)::float8,
        'applied', true))),
    'payment_url', NULL, 'items_count', 1, 'order_id', 'ord_' || f.id_prefix || '03', 'order_status', 'paid',
    'warnings', json_build_array(),
    'summary',
      'Order ord_' || f.id_prefix || '03 is placed: 1 link, ' || p.net || ' cents of prepaid credit; nothing is left to pay by card.',
    'next_action', json_build_object('type', 'none', 'tell_user',
      'Your order ord_' || f.id_prefix || '03 is placed and paid for. I can follow it until the link is online.'),
    'sandbox', false)::text AS body,
    concat_ws(' ', E'\x01lean', '00', (p.gross / 100.0)::float8, (p.net / 100.0)::float8, ((p.gross - p.net) / 100.0)::float8, p.net, '0',
      ((p.gross - p.net) / 100.0)::float8, '1',
      '03', '03', '1', p.net, '03') AS stored
  FROM counted c, priced p, fresh f
), quoted AS (
  INSERT INTO quotes (quote_id, account_no, key_id, mode, lines, items_digest, gross_cents, discount, total_cents, credit_cents,
    card_cents, warnings, status, order_id, credited_cents, idempotency_key, payment_token, created_at_ms, expires_at_ms,
    fingerprint, answer_status, answer_body, ordered_at_ms, order_status, promo_code)
  SELECT 'q_' || f.id_prefix || '00', a.account_no, c.key_id, 'live', '[]',
    '=' || encode(sha256(convert_to(f.id_prefix, 'UTF8')), 'base64'), p.gross,
    concat_ws(' ', E'\x01discount', p.gross - p.net, p.gross - p.net),
    p.net, p.net, 0, '[]', 'paid', 'ord_' || f.id_prefix || '03', 0, (:order::bigint)::text,
    md5((:order::bigint)::text), f.at_ms, f.at_ms + 86400000,
    '=' || encode(sha256(convert_to((:order::bigint)::text, 'UTF8')), 'base64'), 201, b.stored, f.at_ms, 'paid', p.code
  FROM counted c, paid a, priced p, answered b, fresh f RETURNING quote_id, order_id, key_id, account_no
), linked AS (
  INSERT INTO links (link_id, order_id, quote_id, account_no, mode, index, site_id, domain, shelf, format, target_url, anchor_text,
    anchor_type, tier2_links, price_cents, net_cents, status, host_path, ordered_at_ms)
  SELECT 'lnk_' || f.id_prefix || '04', o.order_id, o.quote_id, o.account_no, 'live', 0, p.site_id, p.domain, p.shelf, 'new_article',
    'https://brand' || :order::bigint % 500 || '.example/page', 'a good read', 'partial', 0, p.gross, p.net, 'assigned',
    'example.brand' || :order::bigint % 500 || '.', f.at_ms
  FROM quoted o, priced p, fresh f
), entered AS (
  INSERT INTO ledger (account_no, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents,
    held_after_cents, quote_id, order_id, at_ms)
  SELECT o.account_no, 'led_' || f.id_prefix || '05', 'capture', p.net, -p.net, 0, a.balance_cents, a.held_cents, o.quote_id,
    o.order_id, f.at_ms
  FROM quoted o, paid a, priced p, fresh f
)
SELECT body FROM answered;
