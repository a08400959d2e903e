-- Issued documents: numbered, frozen, only ever added to. The id is that of the order, link or ledger entry with another prefix, so that
-- each has one document at most.
CREATE TABLE invoices (
  invoice_id id PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'receipt')),
  account_id id NOT NULL REFERENCES accounts,
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

-- How far each source is known to be issued, and since when a seller is configured.
CREATE TABLE invoice_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  orders_to id NOT NULL DEFAULT '',
  ledger_to id NOT NULL DEFAULT '',
  refunds_to id NOT NULL DEFAULT '',
  seller_since_ms bigint
);

CREATE TABLE billing_identities (
  account_id id PRIMARY KEY REFERENCES accounts,
  name text NOT NULL,
  address text NOT NULL,
  country text NOT NULL,
  vat_id text,
  vat_id_confirmed boolean NOT NULL,
  reference text
);
