-- Every scrape of the metrics counts the payments set aside that wait for the operator; those that were decided are kept for ever.
CREATE INDEX payments_set_aside_open ON payments_set_aside (currency, amount_cents) WHERE outcome IS NULL;
