-- What was refused to agents by a rule of their owner, noted after the answer. No order reads or writes it.
CREATE TABLE refused_attempts (
  key_id id NOT NULL REFERENCES keys,
  day integer NOT NULL,
  rule text NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  last_at_ms bigint NOT NULL,
  last_target text,
  last_cents bigint,
  PRIMARY KEY (key_id, day, rule)
);
CREATE INDEX refused_attempts_by_day ON refused_attempts (day);
