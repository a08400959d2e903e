-- Uses of the welcome offer are for the registrable domain of a target. Those from before are for its host, and stay so.

ALTER TABLE welcome_uses ADD COLUMN registrable boolean;
