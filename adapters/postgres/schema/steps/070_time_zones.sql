-- A member chooses the time zone in which pages show times. Older instances go on showing UTC, and leave the choice as it is.
ALTER TABLE members ADD COLUMN time_zone text;

-- What went online lately is counted for each account. No order writes an entry: a link gets one once it is published.
CREATE INDEX links_published ON links (account_no, published_at_ms) WHERE published_at_ms IS NOT NULL AND mode = 'live';
