-- Idempotency keys bind calls other than orders, too. Older instances bind none.
CREATE TABLE bound_calls (
  call_hash text PRIMARY KEY,
  fingerprint text NOT NULL,
  bound_at_ms bigint NOT NULL,
  id_prefix text NOT NULL,
  sealed text,
  answer_status bigint,
  answer_body text,
  answered_at_ms bigint,
  CONSTRAINT answers_are_whole CHECK (num_nulls(answer_status, answer_body, answered_at_ms) IN (0, 3))
);
CREATE INDEX bound_calls_by_time ON bound_calls (bound_at_ms);
