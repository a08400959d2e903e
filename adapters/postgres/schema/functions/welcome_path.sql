-- A host path without "www" before the domain: "example.shop.www." becomes "example.shop.".
CREATE OR REPLACE FUNCTION welcome_path(host_path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(host_path, '^(.+\..+\.)www\.$', '\1')
$$;
