-- What an order adds to an index should stand beside what the order before added. Where it does not, a large table has each order
-- read, write and log a page of its own in every such index.

-- Look-alikes are searched ten minutes back: what was made in the same ten minutes stands together.
DROP INDEX quotes_alike;
CREATE INDEX quotes_alike ON quotes ((created_at_ms / 600000), key_id, left(items_digest, 16), created_at_ms)
  WHERE status <> 'abandoned';

-- A key's orders of any status are found among those of each.
DROP INDEX orders_of_key;
