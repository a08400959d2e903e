-- Uses of the welcome offer are for the registrable domain of a target. Those from before are for its host, and stay so.

ALTER TABLE welcome_uses ADD COLUMN registrable boolean;

-- Listings look for other sites of a domain. Not unique, because two sites may have one from before.
CREATE INDEX sites_by_domain ON sites (domain);

-- Whether a site was ever ordered, when all of its links were cancelled, is looked up for listings, too.
CREATE INDEX links_cancelled_on_site ON links (site_id) WHERE mode = 'live' AND status = 'cancelled';
