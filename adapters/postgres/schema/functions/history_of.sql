-- The history of a link. A link that has not moved stores none: it follows from the status and the time of the order.
CREATE OR REPLACE FUNCTION history_of(history jsonb, status text, ordered_at_ms bigint) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT coalesce(history, CASE status
    WHEN 'to_assign' THEN jsonb_build_array(jsonb_build_object('status', 'to_assign', 'atMs', ordered_at_ms))
    ELSE jsonb_build_array(
      jsonb_build_object('status', 'to_assign', 'atMs', ordered_at_ms),
      jsonb_build_object('status', 'assigned', 'atMs', ordered_at_ms)
    )
  END)
$$;
