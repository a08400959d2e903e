-- How far documents were handed over to the outlet, and until when one instance does so.
CREATE TABLE invoice_outlet (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  issued_at_ms bigint NOT NULL DEFAULT 0,
  invoice_id id NOT NULL DEFAULT '',
  leased_until_ms bigint NOT NULL
);

-- It locked and wrote the account's row for each invoice. Reconciliation names an account that is missing.
ALTER TABLE invoices DROP CONSTRAINT invoices_account_id_fkey;
