-- Issued documents, whom they are made out to, and mails to owners.

CREATE TABLE invoices (
  invoice_id id PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'receipt')),
  account_id id NOT NULL,
  order_id id,
  link_id id,
  entry_id id,
  year integer,
  sequence integer CHECK (sequence > 0),
  issued_at_ms bigint NOT NULL,
  total_cents bigint NOT NULL CHECK (total_cents >= 0),
  net_cents bigint NOT NULL CHECK (net_cents >= 0),
  vat_cents bigint NOT NULL CHECK (vat_cents >= 0),
  facts jsonb NOT NULL,
  CONSTRAINT net_and_vat_are_the_total CHECK (net_cents + vat_cents = total_cents),
  CONSTRAINT number_is_whole CHECK ((year IS NULL) = (sequence IS NULL) AND (kind <> 'receipt' OR year IS NULL)),
  -- The id is that of the order, link or entry with another prefix: each has one document at most.
  CONSTRAINT invoice_names_its_cause CHECK (
    CASE kind
      WHEN 'invoice' THEN order_id IS NOT NULL AND link_id IS NULL AND entry_id IS NULL AND invoice_id = 'inv_' || substr(order_id, 5)
      WHEN 'credit_note' THEN order_id IS NOT NULL AND link_id IS NOT NULL AND invoice_id = 'crn_' || substr(link_id, 5)
      ELSE order_id IS NULL AND entry_id IS NOT NULL AND invoice_id = 'rct_' || substr(entry_id, 5)
    END
  )
);
CREATE UNIQUE INDEX invoice_numbered_once ON invoices (kind, year, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX invoices_of_account ON invoices (account_id, issued_at_ms, invoice_id);
CREATE INDEX invoices_by_issue ON invoices (issued_at_ms, invoice_id);
CREATE TRIGGER invoices_are_append_only BEFORE UPDATE OR DELETE ON invoices
  FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER invoices_are_never_emptied BEFORE TRUNCATE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
COMMENT ON TABLE invoices IS 'Invoices, credit notes and receipts as they were issued. Append-only.';
COMMENT ON COLUMN invoices.account_id IS 'Refers to accounts.account_id. A foreign key would lock and write the account''s row for each document.';
COMMENT ON COLUMN invoices.order_id IS 'Refers to quotes.order_id; null on receipts.';
COMMENT ON COLUMN invoices.link_id IS 'Refers to links.link_id: the cancelled link of a credit note, null on other kinds.';
COMMENT ON COLUMN invoices.entry_id IS 'Refers to ledger.entry_id: the top-up of a receipt, null on other kinds.';
COMMENT ON COLUMN invoices.year IS 'The year of the gapless series; null on documents without a number.';
COMMENT ON COLUMN invoices.sequence IS 'The place in the series of the kind and year; null on documents without a number.';
COMMENT ON COLUMN invoices.facts IS 'Everything else on the document: number, parties, VAT, lines.';

CREATE TABLE invoice_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  orders_to id NOT NULL DEFAULT '',
  ledger_to id NOT NULL DEFAULT '',
  refunds_to id NOT NULL DEFAULT '',
  seller_since_ms bigint
);
COMMENT ON TABLE invoice_progress IS 'How far documents are issued: one row.';
COMMENT ON COLUMN invoice_progress.orders_to IS 'Orders up to this id have their invoices, or get none.';
COMMENT ON COLUMN invoice_progress.ledger_to IS 'Entries up to this id have their receipts and credit notes, or get none.';
COMMENT ON COLUMN invoice_progress.refunds_to IS 'Links up to this id have the credit notes for their refunds, or get none.';
COMMENT ON COLUMN invoice_progress.seller_since_ms IS 'Since when a seller is configured, whose documents bear numbers; null before it.';

CREATE TABLE invoice_outlet (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  issued_at_ms bigint NOT NULL DEFAULT 0,
  invoice_id id NOT NULL DEFAULT '',
  leased_until_ms bigint NOT NULL
);
COMMENT ON TABLE invoice_outlet IS 'How far documents were handed over to the outlet: one row.';
COMMENT ON COLUMN invoice_outlet.issued_at_ms IS 'When the last document that was handed over was issued; 0 before the first.';
COMMENT ON COLUMN invoice_outlet.invoice_id IS 'Refers to invoices.invoice_id: the last document that was handed over; empty before the first.';
COMMENT ON COLUMN invoice_outlet.leased_until_ms IS 'Until when one instance hands over; 0 if none does.';

CREATE TABLE billing_identities (
  account_id id PRIMARY KEY REFERENCES accounts,
  name text NOT NULL,
  address text NOT NULL,
  country text NOT NULL,
  vat_id text,
  vat_id_confirmed boolean NOT NULL,
  reference text
);
COMMENT ON TABLE billing_identities IS 'Whom the invoices of an account are made out to; an account without a row is a consumer.';
COMMENT ON COLUMN billing_identities.address IS 'One to several lines.';
COMMENT ON COLUMN billing_identities.country IS 'ISO 3166, two letters.';
COMMENT ON COLUMN billing_identities.vat_id IS 'The VAT id with the prefix of its country; null for consumers.';
COMMENT ON COLUMN billing_identities.vat_id_confirmed IS 'Whether the operator has seen that the id belongs to this business.';
COMMENT ON COLUMN billing_identities.reference IS 'The buyer''s own reference, such as a purchase order; null if there is none.';

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
COMMENT ON TABLE purchase_mails IS 'Mails that tell owners what agents bought from credit: a row for each owner who was told or chose.';
COMMENT ON COLUMN purchase_mails.mailed_to IS 'The owner knows of orders up to this id.';
COMMENT ON COLUMN purchase_mails.due_to IS 'The last order that the owner is to know of.';
COMMENT ON COLUMN purchase_mails.next_at_ms IS 'No mail is sent before; 0 means at once.';
COMMENT ON COLUMN purchase_mails.leased_until_ms IS 'Until when one instance sends; 0 if none does.';
COMMENT ON COLUMN purchase_mails.attempts IS 'Failed attempts since the last mail.';
COMMENT ON COLUMN purchase_mails.wanted IS 'Whether the owner wants these mails.';

CREATE TABLE purchase_mail_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  examined_to id NOT NULL
);
COMMENT ON TABLE purchase_mail_progress IS 'How far orders were examined for purchase mails: one row, or none before the first order.';
COMMENT ON COLUMN purchase_mail_progress.examined_to IS 'The last order that was examined.';

CREATE TABLE approval_mails (
  member_id id PRIMARY KEY REFERENCES members,
  mailed_to id NOT NULL DEFAULT '',
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  wanted boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE approval_mails IS 'Mails that tell owners which orders wait for approval: a row for each owner who was told or chose.';
COMMENT ON COLUMN approval_mails.mailed_to IS 'The owner knows of quotes up to this id.';
COMMENT ON COLUMN approval_mails.next_at_ms IS 'No mail is sent before; 0 means at once.';
COMMENT ON COLUMN approval_mails.leased_until_ms IS 'Until when one instance sends; 0 if none does.';
COMMENT ON COLUMN approval_mails.attempts IS 'Failed attempts since the last mail.';
COMMENT ON COLUMN approval_mails.wanted IS 'Whether the owner wants these mails.';

CREATE TABLE notice_mails (
  member_id id PRIMARY KEY REFERENCES members,
  mailed_to id NOT NULL,
  due_to id NOT NULL,
  next_at_ms bigint NOT NULL DEFAULT 0,
  leased_until_ms bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  wanted boolean NOT NULL DEFAULT true
);
CREATE INDEX notice_mails_due ON notice_mails (next_at_ms) WHERE wanted AND due_to > mailed_to;
COMMENT ON TABLE notice_mails IS 'Mails that tell owners what happened to their account, such as who joined it: a row for each owner who was told.';
COMMENT ON COLUMN notice_mails.mailed_to IS 'The owner knows of audit records up to this id.';
COMMENT ON COLUMN notice_mails.due_to IS 'The last audit record that the owner is to know of.';
COMMENT ON COLUMN notice_mails.next_at_ms IS 'No mail is sent before; 0 means at once.';
COMMENT ON COLUMN notice_mails.leased_until_ms IS 'Until when one instance sends; 0 if none does.';
COMMENT ON COLUMN notice_mails.attempts IS 'Failed attempts since the last mail.';
COMMENT ON COLUMN notice_mails.wanted IS 'True: no owner can do without these mails.';

CREATE TABLE notice_mail_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  examined_to id NOT NULL
);
COMMENT ON TABLE notice_mail_progress IS 'How far audit records were examined for such mails: one row, or none before the first record.';
COMMENT ON COLUMN notice_mail_progress.examined_to IS 'The last audit record that was examined.';

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
COMMENT ON TABLE news_mails IS 'Mails that tell owners of links that are online, approvals that expired, what people paid for, and top-ups: a row for each owner and kind that was told or chosen.';
COMMENT ON COLUMN news_mails.kind IS '"links" and "expiries" tell audit records, "receipts" orders, "top_ups" entries of the ledger.';
COMMENT ON COLUMN news_mails.mailed_to IS 'The owner knows of what is up to this id.';
COMMENT ON COLUMN news_mails.due_to IS 'The last id that the owner is to know of.';
COMMENT ON COLUMN news_mails.next_at_ms IS 'No mail is sent before; 0 means at once.';
COMMENT ON COLUMN news_mails.leased_until_ms IS 'Until when one instance sends; 0 if none does.';
COMMENT ON COLUMN news_mails.attempts IS 'Failed attempts since the last mail.';
COMMENT ON COLUMN news_mails.wanted IS 'Whether the owner wants these mails.';

CREATE TABLE news_mail_progress (
  kind text PRIMARY KEY CHECK (kind IN ('links', 'expiries', 'receipts', 'top_ups')),
  examined_to id NOT NULL
);
COMMENT ON TABLE news_mail_progress IS 'How far each kind was examined for such mails: a row for each, or none before its first id.';
COMMENT ON COLUMN news_mail_progress.examined_to IS 'The last id that was examined.';
