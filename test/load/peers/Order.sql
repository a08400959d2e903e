-- The order of `Handwritten.ts` as one statement, for pgbench: whatever is not there (key, promo code, credit, room under the cap)
-- leaves nothing to insert. `:accounts` is told from outside; keys are spelled `key-<account>`.
\set account random(1, :accounts)
\set site random(1, 300)
\set order random(1, 9007199254740991)
WITH caller AS (
  SELECT k.key_id, k.account_id FROM keys k
  WHERE k.hash = encode(sha256(convert_to('key-' || :account::bigint, 'UTF8')), 'hex')
    AND NOT k.revoked AND 'order' = ANY (k.scopes)
    AND NOT EXISTS (SELECT FROM bindings b WHERE b.key_id = k.key_id AND b.idempotency_key = (:order::bigint)::text)
), priced AS (
  SELECT s.site_id, s.domain, s.shelf, p.code, s.price_cents AS gross,
    s.price_cents - round(s.price_cents * p.basis_points / 10000.0)::bigint AS net
  FROM sites s, promos p WHERE s.site_id = :site::bigint AND s.open AND p.code = 'TEN'
), paid AS (
  UPDATE accounts a SET balance_cents = a.balance_cents - p.net
  FROM caller c, priced p WHERE a.account_id = c.account_id AND a.balance_cents >= p.net
  RETURNING a.account_id, a.balance_cents
), counted AS (
  INSERT INTO tallies (key_id, day, orders) SELECT c.key_id, current_date, 1 FROM caller c, paid
  ON CONFLICT (key_id, day) DO UPDATE SET orders = tallies.orders + 1 WHERE tallies.orders < 1000000000
  RETURNING key_id
), quoted AS (
  INSERT INTO quotes (key_id, lines, code, gross_cents, total_cents)
  SELECT c.key_id, jsonb_build_array(jsonb_build_object('site_id', p.site_id, 'domain', p.domain, 'shelf', p.shelf,
    'target_url', 'https://brand' || :order::bigint % 500 || '.example/page', 'anchor_text', 'a good read',
    'anchor_type', 'partial', 'format', 'new_article', 'tier2_links', 0, 'price_cents', p.gross, 'net_cents', p.net)),
    p.code, p.gross, p.net
  FROM counted c, priced p RETURNING quote_id, key_id
), placed AS (
  INSERT INTO orders (quote_id, key_id, total_cents, status)
  SELECT q.quote_id, q.key_id, p.net, 'paid' FROM quoted q, priced p RETURNING order_id, quote_id, created_at
), linked AS (
  INSERT INTO links (order_id, site_id, target_url, anchor_text, anchor_type, net_cents, status)
  SELECT o.order_id, p.site_id, 'https://brand' || :order::bigint % 500 || '.example/page', 'a good read', 'partial', p.net,
    'assigned'
  FROM placed o, priced p RETURNING link_id
), entered AS (
  INSERT INTO ledger (account_id, order_id, amount_cents, balance_after_cents)
  SELECT a.account_id, o.order_id, -p.net, a.balance_cents FROM paid a, placed o, priced p
), answered AS (
  SELECT o.quote_id, o.order_id, json_build_object('ok', true, 'quote_id', 'q_' || o.quote_id, 'status', 'paid',
    'currency', 'EUR', 'gross_total_eur', (p.gross / 100.0)::float8, 'total_eur', (p.net / 100.0)::float8,
    'discount_eur', ((p.gross - p.net) / 100.0)::float8, 'credit_applied_cents', p.net, 'card_amount_cents', 0,
    'discount', json_build_object('source', 'promo', 'label', 'Promo code ' || p.code, 'considered',
      json_build_array(json_build_object('source', 'promo', 'code', p.code, 'amount_eur', ((p.gross - p.net) / 100.0)::float8,
        'applied', true))),
    'payment_url', NULL, 'items_count', 1, 'order_id', 'ord_' || o.order_id, 'order_status', 'paid',
    'warnings', json_build_array(),
    'summary', '1 link ordered. ' || p.net || ' cents were paid from prepaid credit; nothing is left to pay by card.',
    'next_action', json_build_object('type', 'none', 'tell_user',
      'The order is paid and under way. Ask for its status whenever you want to know how far it has come.'),
    'sandbox', false)::text AS body
  FROM placed o, priced p
), raised AS (
  INSERT INTO events (order_id, type, body)
  SELECT o.order_id, 'order.accepted', json_build_object('type', 'order.accepted', 'api_version', 'v1', 'sandbox', false,
    'created_at', o.created_at, 'data', json_build_object('order', json_build_object('order_id', 'ord_' || o.order_id,
      'quote_id', 'q_' || o.quote_id, 'order_status', 'paid', 'total_eur', (p.net / 100.0)::float8, 'items_count', 1,
      'published_count', 0, 'created_at', o.created_at, 'items', json_build_array(json_build_object(
        'link_id', 'lnk_' || l.link_id, 'site_id', p.site_id, 'domain', p.domain, 'format', 'new_article',
        'target_url', 'https://brand' || :order::bigint % 500 || '.example/page', 'anchor_text', 'a good read',
        'anchor_type', 'partial', 'tier2_links', 0, 'price_eur', (p.gross / 100.0)::float8, 'net_price_eur', (p.net / 100.0)::float8,
        'status', 'assigned')))))::text
  FROM placed o, linked l, priced p
), bound AS (
  INSERT INTO bindings (key_id, idempotency_key, fingerprint, quote_id, answer)
  SELECT q.key_id, (:order::bigint)::text,
    encode(sha256(convert_to((:order::bigint)::text, 'UTF8')), 'hex'), q.quote_id, a.body
  FROM quoted q, answered a
)
SELECT body FROM answered;
