-- Tests of a webhook are counted before another one is made; among all its deliveries they would have to be searched.
CREATE INDEX deliveries_tests ON deliveries (webhook_id, created_at_ms) WHERE event = 'webhook.test';
