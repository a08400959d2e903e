-- A rotated key keeps its row, and its former texts are found beside the present one.
ALTER TABLE keys ADD COLUMN former jsonb;
CREATE INDEX keys_by_former ON keys USING gin (former jsonb_path_ops) WHERE former IS NOT NULL;
