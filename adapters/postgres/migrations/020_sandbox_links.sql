-- The sites that an account has linked to a domain are looked up in sandbox, too. Links of sandbox only: a live order writes no more.
CREATE INDEX links_to_host_in_sandbox ON links (account_id, host_path, site_id)
  WHERE mode = 'sandbox' AND status <> 'cancelled';
