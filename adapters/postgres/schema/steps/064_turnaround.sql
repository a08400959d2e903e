-- Sites may have their own days to a link online. Links keep those of their quote, from which their due time follows.
ALTER TABLE sites ADD COLUMN turnaround_days bigint CHECK (turnaround_days >= 0);
ALTER TABLE links ADD COLUMN turnaround_days integer;
