-- Mails that tell owners what agents bought from credit: how far orders were examined, and one row for each owner who was told or said a wish.

CREATE TABLE purchase_mails (
  member_id id PRIMARY KEY REFERENCES members,
  mailed_to id NOT NULL,
  due_to id NOT NULL,
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  wanted boolean NOT NULL DEFAULT true
);
CREATE INDEX purchase_mails_due ON purchase_mails (next_at_ms) WHERE wanted AND due_to > mailed_to;

CREATE TABLE purchase_mail_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  examined_to id NOT NULL
);

-- Orders that are older than this step are not told. Sandbox ids follow all live ones.
INSERT INTO purchase_mail_progress (examined_to)
SELECT max(order_id::text COLLATE "C") FROM orders WHERE order_id < 'ord_t' HAVING count(*) > 0;
