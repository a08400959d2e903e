-- Secrets made from now on also sign as Standard Webhooks do, by another key.
ALTER TABLE subscriptions ADD COLUMN sealed_standard_key text;

-- Webhooks may be given other events, disabled and enabled again, and may name events that an older instance does not know.
ALTER TABLE subscriptions ADD COLUMN named_at_ms bigint, ADD COLUMN resumed_at_ms bigint, ADD COLUMN later_events text[];

-- Who ended a key is told of the quotes that end with it.
ALTER TABLE keys ADD COLUMN revoked_by text;

-- Events are listed, whether a webhook named them or not. Those without a body are rendered from the histories of their order's links.
ALTER TABLE events ALTER COLUMN body DROP NOT NULL, ADD COLUMN facts jsonb;
ALTER TABLE events ADD CONSTRAINT rendered_or_told CHECK (body IS NOT NULL OR facts IS NOT NULL);
CREATE INDEX events_of_key ON events (key_id, event_id);

-- Only what was raised is listed of the time before.
ALTER TABLE shop ADD COLUMN events_since_ms bigint;
UPDATE shop SET events_since_ms = floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
