-- Locks the rows that a decision will write, in the order in which a commit writes them. For decisions that have lost
-- several races.
CREATE OR REPLACE FUNCTION lock_rows(account_ids text[], codes text[], article_ids bigint[], webhook_ids text[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM accounts WHERE account_id = ANY (account_ids) ORDER BY account_id FOR NO KEY UPDATE;
  PERFORM FROM articles WHERE article_id = ANY (article_ids) ORDER BY article_id FOR NO KEY UPDATE;
  PERFORM FROM subscriptions WHERE webhook_id = ANY (webhook_ids) ORDER BY webhook_id FOR NO KEY UPDATE;
  PERFORM FROM promos WHERE code = ANY (codes) ORDER BY code FOR NO KEY UPDATE;
END $$;
