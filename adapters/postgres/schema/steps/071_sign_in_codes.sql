-- The six-digit code of a sign-in mail, which counts in the browser that asked for it. Older instances send links without a code.
ALTER TABLE sign_in_links ADD COLUMN browser_hash id, ADD COLUMN code_hash id;
CREATE UNIQUE INDEX sign_in_links_of_browser ON sign_in_links (browser_hash) WHERE browser_hash IS NOT NULL;
