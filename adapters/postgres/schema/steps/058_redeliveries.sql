-- Redeliveries of a webhook are bounded, so their times are kept.
ALTER TABLE subscriptions ADD COLUMN redelivered_at_ms jsonb;
