-- The order of `Handwritten.ts` as one statement, for pgbench: whatever is not there (key, promo code, credit, room under the cap)
-- leaves nothing to insert. `:accounts` is a parameter; keys are `key-<account>`, and each order's ids share a prefix.
\set account random(1, :accounts)
\set site random(1, 300)
\set order random(1, 9007199254740991)
WITH fresh AS MATERIALIZED (
  SELECT at_ms, '02' || lpad(to_hex(at_ms), 11, '0') || lpad(to_hex(:order::bigint), 15, '0') AS id_prefix
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint) clock (at_ms)
), caller AS (
  SELECT k.key_id, k.account_id FROM keys k
  WHERE k.hash = encode(sha256(convert_to('key-' || :account::bigint, 'UTF8')), 'hex')
    AND k.revoked_at_ms IS NULL AND 'order' = ANY (k.scopes)
    AND NOT EXISTS (SELECT FROM bindings b WHERE b.key_id = k.key_id AND b.idempotency_key = (:order::bigint)::text)
), priced AS (
  SELECT s.site_id, s.domain, s.shelf, p.code, s.price_cents AS gross,
    s.price_cents - round(s.price_cents * p.reduction_value / 10000.0)::bigint AS net
  FROM sites s, promos p WHERE s.site_id = :site::bigint AND s.open AND p.code = 'TEN'
), paid AS (
  UPDATE accounts a SET balance_cents = a.balance_cents - p.net, previous = a.version, version = f.id_prefix
  FROM caller c, priced p, fresh f WHERE a.account_id = c.account_id AND a.balance_cents - a.held_cents >= p.net
  RETURNING a.account_id, a.balance_cents, a.held_cents
), counted AS (
  INSERT INTO tallies (key_id, day, quotes, spent_cents)
  SELECT c.key_id, f.at_ms / 86400000, 1, p.net FROM caller c, paid, fresh f, priced p
  ON CONFLICT (key_id, day) DO UPDATE SET quotes = tallies.quotes + 1, spent_cents = tallies.spent_cents + EXCLUDED.spent_cents
  WHERE tallies.quotes < 1000000000
  RETURNING key_id
), quoted AS (
  INSERT INTO quotes (quote_id, account_id, key_id, mode, lines, items_digest, gross_cents, discount, total_cents, credit_cents,
    card_cents, warnings, status, order_id, credited_cents, idempotency_key, payment_token, created_at_ms, expires_at_ms)
  SELECT 'q_' || f.id_prefix, a.account_id, c.key_id, 'live',
    jsonb_build_array(jsonb_build_object('item', jsonb_build_object('format', 'new_article', 'siteId', p.site_id,
      'targetUrl', 'https://brand' || :order::bigint % 500 || '.example/page', 'anchorText', 'a good read',
      'anchorType', 'partial', 'tier2Links', 0), 'shelf', p.shelf, 'domain', p.domain, 'netCents', p.net, 'priceCents', p.gross)),
    encode(sha256(convert_to(f.id_prefix, 'UTF8')), 'hex'), p.gross,
    jsonb_build_object('code', p.code, 'label', 'Promo code ' || p.code, 'source', 'promo', 'considered', jsonb_build_array(
      jsonb_build_object('code', p.code, 'source', 'promo', 'applied', true, 'amountCents', p.gross - p.net)),
      'amountCents', p.gross - p.net),
    p.net, p.net, 0, '[]', 'paid', 'ord_' || f.id_prefix, 0, (:order::bigint)::text,
    md5((:order::bigint)::text), f.at_ms, f.at_ms + 86400000
  FROM counted c, paid a, priced p, fresh f RETURNING quote_id, key_id, account_id
), redeemed AS (
  INSERT INTO promo_uses (code, quote_id, account_id) SELECT p.code, q.quote_id, q.account_id FROM quoted q, priced p
), placed AS (
  INSERT INTO orders (order_id, quote_id, account_id, key_id, mode, link_ids, total_cents, created_at_ms, status)
  SELECT 'ord_' || f.id_prefix, q.quote_id, q.account_id, q.key_id, 'live', ARRAY['lnk_' || f.id_prefix], p.net, f.at_ms, 'paid'
  FROM quoted q, priced p, fresh f RETURNING order_id, quote_id, account_id, key_id, created_at_ms
), linked AS (
  INSERT INTO links (link_id, order_id, quote_id, account_id, mode, index, site_id, domain, shelf, format, target_url, anchor_text,
    anchor_type, tier2_links, price_cents, net_cents, status, history, host_path, turnaround_days)
  SELECT 'lnk_' || f.id_prefix, o.order_id, o.quote_id, o.account_id, 'live', 0, p.site_id, p.domain, p.shelf, 'new_article',
    'https://brand' || :order::bigint % 500 || '.example/page', 'a good read', 'partial', 0, p.gross, p.net, 'assigned',
    jsonb_build_array(jsonb_build_object('atMs', f.at_ms, 'status', 'to_assign'),
      jsonb_build_object('atMs', f.at_ms, 'status', 'assigned')),
    'example.brand' || :order::bigint % 500 || '.',
    CASE p.shelf WHEN 'Plancton' THEN 3 WHEN 'Corail' THEN 7 ELSE 14 END
  FROM placed o, priced p, fresh f RETURNING link_id
), entered AS (
  INSERT INTO ledger (account_id, entry_id, kind, amount_cents, balance_delta_cents, held_delta_cents, balance_after_cents,
    held_after_cents, quote_id, order_id, at_ms)
  SELECT o.account_id, 'led_' || f.id_prefix, 'capture', p.net, -p.net, 0, a.balance_cents, a.held_cents, o.quote_id, o.order_id, f.at_ms
  FROM placed o, paid a, priced p, fresh f
), answered AS (
  SELECT o.quote_id, o.key_id, o.created_at_ms, json_build_object('ok', true, 'quote_id', o.quote_id, 'status', 'paid',
    'currency', 'EUR', 'gross_total_eur', (p.gross / 100.0)::float8, 'total_eur', (p.net / 100.0)::float8,
    'discount_eur', ((p.gross - p.net) / 100.0)::float8, 'credit_applied_cents', p.net, 'card_amount_cents', 0,
    'discount', json_build_object('source', 'promo', 'label', 'Promo code ' || p.code, 'considered',
      json_build_array(json_build_object('source', 'promo', 'code', p.code, 'amount_eur', ((p.gross - p.net) / 100.0)::float8,
        'applied', true))),
    'payment_url', NULL, 'items_count', 1, 'order_id', o.order_id, 'order_status', 'paid',
    'warnings', json_build_array(),
    'summary',
      'Order ' || o.order_id || ' is placed: 1 link, ' || p.net || ' cents of prepaid credit; nothing is left to pay by card.',
    'next_action', json_build_object('type', 'none', 'tell_user',
      'Your order ' || o.order_id || ' is placed and paid for. I can follow it until the link is online.'),
    'sandbox', false)::text AS body
  FROM placed o, priced p
), raised AS (
  INSERT INTO events (event_id, type, mode, key_id, account_id, order_id, body, at_ms)
  SELECT 'evt_' || f.id_prefix, 'order.accepted', 'live', o.key_id, o.account_id, o.order_id,
    json_build_object('id', 'evt_' || f.id_prefix, 'type', 'order.accepted', 'api_version', 'v1', 'sandbox', false,
    'created_at', to_timestamp(f.at_ms / 1000.0), 'data', json_build_object('order', json_build_object('order_id', o.order_id,
      'quote_id', o.quote_id, 'order_status', 'paid', 'total_eur', (p.net / 100.0)::float8, 'items_count', 1,
      'published_count', 0, 'created_at', to_timestamp(f.at_ms / 1000.0), 'items', json_build_array(json_build_object(
        'link_id', l.link_id, 'site_id', p.site_id, 'domain', p.domain, 'format', 'new_article',
        'target_url', 'https://brand' || :order::bigint % 500 || '.example/page', 'anchor_text', 'a good read',
        'anchor_type', 'partial', 'tier2_links', 0, 'price_eur', (p.gross / 100.0)::float8, 'net_price_eur', (p.net / 100.0)::float8,
        'status', 'assigned')))))::text, f.at_ms
  FROM placed o, linked l, priced p, fresh f
), bound AS (
  INSERT INTO bindings (key_id, idempotency_key, fingerprint, quote_id, answer_status, answer_body, bound_at_ms)
  SELECT a.key_id, (:order::bigint)::text, encode(sha256(convert_to((:order::bigint)::text, 'UTF8')), 'hex'), a.quote_id, 201,
    a.body, a.created_at_ms
  FROM answered a
)
SELECT body FROM answered;
