-- Buyers give an order and its links references, such as a purchase order number. Rows from before have none.

-- In the order in which sessions write.
LOCK TABLE accounts;
ALTER TABLE quotes ADD COLUMN reference text;
ALTER TABLE links ADD COLUMN reference text;

-- Sites are searched by the keywords of their articles. The start of the service fills the column.
ALTER TABLE articles ADD COLUMN keywords_folded text;
CREATE INDEX articles_by_keyword ON articles USING gin (keywords_folded gin_trgm_ops) WHERE sale_state <> 'sold';
CREATE INDEX articles_unfolded ON articles (article_id) WHERE keywords_folded IS NULL;

-- Lists of quotes. Orders that credit covered at once are found by `orders_of_key`.
CREATE INDEX quotes_waited ON quotes (key_id, status, quote_id)
  WHERE status <> 'paid' OR card_cents > 0 OR approved_at_ms IS NOT NULL;
