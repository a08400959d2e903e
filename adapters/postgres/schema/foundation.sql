-- What every table uses. Times are milliseconds since the Unix epoch, money is whole euro cents.
--
-- `version` is the stem of the decision that wrote a row last: a decision that has read another version is refused
-- (`functions/write_changes.sql`). `previous` is unused since step 051, and the next release drops it. The folded columns, prices and ranks of the
-- catalogue are computed by the service, so that the database compares exactly as the service does.

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Ids compare byte by byte, so that the database sorts them as the service does. Most begin with their time.
CREATE DOMAIN id AS text COLLATE "C";
