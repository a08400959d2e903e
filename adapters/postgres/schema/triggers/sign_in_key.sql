-- The `email_key` of a member, and null once the member is removed. Written out because an index calls no function of
-- the schema, and an expression because the planner would use a partial index for other queries of active members too.
CREATE OR REPLACE FUNCTION sign_in_key(email text, removed_at_ms bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN removed_at_ms IS NULL THEN lower(btrim(email) COLLATE "C") END
$$;
