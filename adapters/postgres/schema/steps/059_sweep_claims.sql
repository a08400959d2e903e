-- A due quote is swept by one instance at a time.
CREATE TABLE sweep_claims (
  quote_id id PRIMARY KEY,
  until_ms bigint NOT NULL
);
