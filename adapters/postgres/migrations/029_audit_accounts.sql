-- The account that a record of the audit is about, for the pages of its members.
ALTER TABLE audit ADD COLUMN account_id id;

-- Of the records that are there, what can be known. Nothing else of them changes.
ALTER TABLE audit DISABLE TRIGGER audit_is_append_only;
UPDATE audit r SET account_id = coalesce(
  (SELECT a.account_id FROM accounts a WHERE a.account_id = r.subject OR a.account_id = r.details ->> 'account' LIMIT 1),
  (SELECT k.account_id FROM keys k WHERE k.key_id = r.subject),
  (SELECT l.account_id FROM links l WHERE l.link_id = r.subject),
  (SELECT q.account_id FROM quotes q WHERE q.quote_id = r.subject OR q.quote_id = r.details ->> 'quote' LIMIT 1),
  (SELECT o.account_id FROM orders o WHERE o.order_id = r.subject),
  (SELECT m.account_id FROM members m WHERE m.member_id = r.subject),
  (SELECT t.account_id FROM top_ups t WHERE t.top_up_id = r.subject)
);
ALTER TABLE audit ENABLE TRIGGER audit_is_append_only;

CREATE INDEX audit_of_account ON audit (account_id, audit_id) WHERE account_id IS NOT NULL;
