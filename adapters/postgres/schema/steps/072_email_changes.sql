-- A change of address that waits for both mailboxes. Older instances do not write the column.
ALTER TABLE members ADD COLUMN email_change jsonb;
