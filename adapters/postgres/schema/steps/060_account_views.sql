-- Which member ordered in the Shop, which connections may see what other credentials of their account placed, and which webhooks receive the
-- events of all of them. Rows from before, and those of an older instance, have nulls: no member is known, and each keeps to its own.

-- In the order in which sessions write.
LOCK TABLE accounts;
ALTER TABLE quotes ADD COLUMN member_id id;
ALTER TABLE keys ADD COLUMN sees_account boolean;
ALTER TABLE subscriptions ADD COLUMN scope text CHECK (scope = 'account');
CREATE INDEX subscriptions_active ON subscriptions (account_id) WHERE revoked_at_ms IS NULL;
