-- Fails the transaction of a decision that was made on rows as they are no longer. The service decides again.
CREATE OR REPLACE FUNCTION refuse_stale(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'decided on an old version of %', what USING ERRCODE = 'serialization_failure';
END $$;
