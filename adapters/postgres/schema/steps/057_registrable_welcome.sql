-- Uses of the welcome offer are for the registrable domain of a target. Those from before are for its host, and stay so.

ALTER TABLE welcome_uses ADD COLUMN registrable boolean;

-- Listings look for other sites of a domain. Not unique, because two sites may have one from before.
CREATE INDEX sites_by_domain ON sites (domain);
