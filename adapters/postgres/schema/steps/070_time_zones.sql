-- A member chooses the time zone in which pages show times. Older instances go on showing UTC, and leave the choice as it is.
ALTER TABLE members ADD COLUMN time_zone text;
