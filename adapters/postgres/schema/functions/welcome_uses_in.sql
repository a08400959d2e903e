-- Uses of the welcome offer for a registrable domain, by any account: those for it, and those by hosts in it, from before step 057. '/'
-- follows '.' in the collation "C".
CREATE OR REPLACE FUNCTION welcome_uses_in(path text) RETURNS SETOF welcome_uses LANGUAGE sql STABLE AS $$
  SELECT w.* FROM welcome_uses w
  WHERE w.host_path >= path AND w.host_path < left(path, -1) || '/' AND (w.host_path = path OR w.registrable IS NOT TRUE)
$$;
