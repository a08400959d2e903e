-- `order.updated` repeats; every other event still happens once.
DROP INDEX event_once;
CREATE UNIQUE INDEX event_once ON events (
  order_id, type, (coalesce(link_id, '')), (CASE WHEN type = 'order.updated' THEN event_id ELSE '' END)
);
