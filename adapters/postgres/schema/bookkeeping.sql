-- What the database knows about its schema.

CREATE TABLE IF NOT EXISTS schema_steps (
  step text PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now(),
  sha256 text
);
COMMENT ON TABLE schema_steps IS 'The steps that were applied, from 048_account_numbers on. Older databases keep the rows of steps before it.';
COMMENT ON COLUMN schema_steps.step IS 'The name of the file in schema/steps, without its extension.';
COMMENT ON COLUMN schema_steps.sha256 IS 'SHA-256 of the step''s text, in hexadecimal. Null only where a later version than this one wrote none.';

CREATE TABLE IF NOT EXISTS schema_steps_ahead (
  step text PRIMARY KEY,
  sha256 text NOT NULL
);
COMMENT ON TABLE schema_steps_ahead IS 'The steps of a migration that has not ended. Its end moves them to schema_steps, by which older instances know of it.';
COMMENT ON COLUMN schema_steps_ahead.step IS 'The name of the file in schema/steps, without its extension.';

CREATE TABLE IF NOT EXISTS schema_definitions (
  name text PRIMARY KEY,
  sha256 text NOT NULL
);
COMMENT ON TABLE schema_definitions IS 'The functions, views and comments that the database has, by the hash of their text.';
COMMENT ON COLUMN schema_definitions.name IS 'The file in schema, without its extension, or "comments".';
COMMENT ON COLUMN schema_definitions.sha256 IS 'SHA-256 of the text, in hexadecimal. Another text replaces it at the next start.';
