-- The two largest labels of a host path, which a domain and its subdomains have in common.
CREATE OR REPLACE FUNCTION welcome_root(host_path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT split_part(host_path, '.', 1) || '.' || split_part(host_path, '.', 2) || '.'
$$;
