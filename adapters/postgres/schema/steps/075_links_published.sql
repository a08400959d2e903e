-- What went online lately is counted for each account. All links are read once for it, while orders wait. No order writes an entry: a link gets
-- one once it is published.
CREATE INDEX links_published ON links (account_no, published_at_ms) WHERE published_at_ms IS NOT NULL AND mode = 'live';
