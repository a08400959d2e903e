-- Owners are told by mail of links that are online, of approvals that expired, of what people paid for, and of top-ups. Older instances tell none
-- of it.
CREATE TABLE news_mails (
  member_id id NOT NULL REFERENCES members,
  kind text NOT NULL CHECK (kind IN ('links', 'expiries', 'receipts', 'top_ups')),
  mailed_to id NOT NULL,
  due_to id NOT NULL,
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  wanted boolean NOT NULL DEFAULT true,
  PRIMARY KEY (member_id, kind)
);
CREATE INDEX news_mails_due ON news_mails (kind, next_at_ms) WHERE wanted AND due_to > mailed_to;

CREATE TABLE news_mail_progress (
  kind text PRIMARY KEY CHECK (kind IN ('links', 'expiries', 'receipts', 'top_ups')),
  examined_to id NOT NULL
);

-- What happened before is no news. Ids of the sandbox follow all live ones, from `ord_t` on.
INSERT INTO news_mail_progress (kind, examined_to)
SELECT kind, audit_id FROM (SELECT audit_id FROM audit ORDER BY audit_id DESC LIMIT 1) last, unnest(ARRAY['links', 'expiries']) kind;
INSERT INTO news_mail_progress (kind, examined_to)
SELECT 'receipts', order_id FROM quotes WHERE order_id < 'ord_t' ORDER BY order_id DESC LIMIT 1;
INSERT INTO news_mail_progress (kind, examined_to)
SELECT 'top_ups', entry_id FROM ledger WHERE kind = 'top_up' ORDER BY entry_id DESC LIMIT 1;
