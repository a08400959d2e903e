-- A hold ends once. Second line of defence behind the version of the account.
CREATE OR REPLACE FUNCTION refuse_second_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'hold % is that of a quote that is %', OLD.hold_id, OLD.status USING ERRCODE = 'restrict_violation';
END $$;
