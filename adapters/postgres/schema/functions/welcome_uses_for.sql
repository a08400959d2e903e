-- Uses of the welcome offer for a domain, its subdomains and the domains above it, by any account. '/' follows '.' in
-- the collation "C".
CREATE OR REPLACE FUNCTION welcome_uses_for(path text) RETURNS SETOF welcome_uses LANGUAGE sql STABLE AS $$
  SELECT w.* FROM welcome_uses w
  WHERE w.host_path >= welcome_root(path) AND w.host_path < left(welcome_root(path), -1) || '/'
    AND (starts_with(w.host_path, path) OR starts_with(path, w.host_path))
$$;
