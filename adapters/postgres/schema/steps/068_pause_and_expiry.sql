-- An owner pauses a key or a connection, and a key may end by itself. Older instances heed neither; what has expired is revoked for them.
ALTER TABLE keys ADD COLUMN paused_at_ms bigint, ADD COLUMN expires_at_ms bigint;
CREATE INDEX keys_to_expire ON keys (expires_at_ms) WHERE expires_at_ms IS NOT NULL AND revoked_at_ms IS NULL;

-- Owners are told once a day and key that most of a limit is used.
ALTER TABLE tallies ADD COLUMN near_limit_at_ms bigint;

-- Owners are told of more kinds of audit records from now on. Those of before are no news, also where none was examined so far.
INSERT INTO notice_mail_progress (examined_to) SELECT audit_id FROM audit ORDER BY audit_id DESC LIMIT 1 ON CONFLICT DO NOTHING;
