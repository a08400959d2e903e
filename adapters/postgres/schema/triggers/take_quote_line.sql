-- Gives a link what its quote promised, where an instance from before step 064, which knows neither member, makes the order.
CREATE OR REPLACE FUNCTION take_quote_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  line jsonb := (SELECT q.lines -> NEW.index FROM quotes q WHERE q.quote_id = NEW.quote_id AND q.account_no = NEW.account_no);
BEGIN
  NEW.turnaround_days = (line ->> 'turnaroundDays')::integer;
  NEW.reference = coalesce(NEW.reference, line #>> '{item,reference}');
  RETURN NEW;
END $$;
