-- The Shop takes sheets of links. Older instances have none.
CREATE TABLE sheets (
  sheet_id id PRIMARY KEY,
  account_id id NOT NULL REFERENCES accounts,
  member_id id NOT NULL REFERENCES members,
  name text NOT NULL,
  created_at_ms bigint NOT NULL,
  revision integer NOT NULL,
  promo_code text,
  orders integer NOT NULL CHECK (orders >= 0)
);
CREATE INDEX sheets_of_account ON sheets (account_id, created_at_ms);
CREATE INDEX sheets_by_creation ON sheets (created_at_ms);

CREATE TABLE sheet_rows (
  sheet_id id NOT NULL REFERENCES sheets ON DELETE CASCADE,
  number integer NOT NULL,
  line integer NOT NULL,
  item jsonb,
  cells jsonb NOT NULL,
  faults jsonb NOT NULL,
  chosen boolean NOT NULL,
  chosen_at_ms bigint NOT NULL,
  order_id id,
  PRIMARY KEY (sheet_id, number),
  CONSTRAINT faulty_rows_are_not_bought CHECK (item IS NOT NULL OR (order_id IS NULL AND NOT chosen))
);
