// Invariants of accounts, wallets, ledgers and holds, as queries that select violations.
import { creditOfCancelled } from "./LinkCredit.ts"

export const walletInvariants = {
  email_is_unique: `
SELECT account_id AS subject, format('%s is the address of %s, which is older', key, holder) AS message
FROM (
  SELECT account_id, email_key(email) AS key,
    first_value(account_id) OVER (PARTITION BY email_key(email) ORDER BY created_at_ms, account_id) AS holder
  FROM accounts
) addressed
WHERE account_id <> holder`,

  wallet_is_sound: `
SELECT account_id AS subject, format('%s of %s cents are held', held_cents, balance_cents) AS message
FROM accounts WHERE NOT (0 <= held_cents AND held_cents <= balance_cents)`,

  ledger_adds_up: `
SELECT account_id AS subject, format(
  'the wallet has %s cents, %s of them held; the ledger adds up to %s, %s of them held',
  balance_cents, held_cents, coalesce(balance, 0), coalesce(held, 0)
) AS message
FROM accounts LEFT JOIN (
  SELECT account_no, sum(balance_delta_cents) AS balance, sum(held_delta_cents) AS held FROM ledger GROUP BY account_no
) sums USING (account_no)
WHERE (balance_cents, held_cents) <> (coalesce(balance, 0), coalesce(held, 0))`,

  ledger_runs_on: `
SELECT entry_id AS subject, format(
  'it leaves %s cents, %s of them held; with the entry before it that should be %s and %s',
  balance_after_cents, held_after_cents, balance, held
) AS message
FROM (
  SELECT entry_id, balance_after_cents, held_after_cents,
    lag(balance_after_cents, 1, 0::bigint) OVER before + balance_delta_cents AS balance,
    lag(held_after_cents, 1, 0::bigint) OVER before + held_delta_cents AS held
  FROM ledger WINDOW before AS (PARTITION BY account_no ORDER BY entry_id)
) entries
WHERE (balance_after_cents, held_after_cents) <> (balance, held) OR NOT (0 <= held AND held <= balance)`,

  holds_add_up: `
SELECT account_id AS subject,
  format('the wallet holds %s cents, its open holds %s', held_cents, coalesce(cents, 0)) AS message
FROM accounts LEFT JOIN (
  SELECT account_no, sum(cents) AS cents FROM holds WHERE state = 'open' GROUP BY account_no
) sums USING (account_no)
WHERE held_cents <> coalesce(cents, 0)`,

  hold_ends_once: `
SELECT coalesce(h.quote_id, e.quote_id) AS subject, format(
  'hold %s of %s cents is %s; the ledger begins it %s times, captures it %s times, releases it %s times, all with %s cents',
  hold_id, h.cents, h.state, coalesce(begun, 0), coalesce(captured, 0), coalesce(released, 0), amounts
) AS message
FROM holds h FULL JOIN (
  SELECT hold_id, min(quote_id) AS quote_id, array_agg(DISTINCT amount_cents) AS amounts,
    array_agg(DISTINCT account_no) AS accounts, count(*) FILTER (WHERE kind = 'hold') AS begun,
    count(*) FILTER (WHERE kind = 'capture') AS captured, count(*) FILTER (WHERE kind = 'release') AS released
  FROM ledger WHERE hold_id IS NOT NULL GROUP BY hold_id
) e USING (hold_id)
WHERE (begun, captured, released) IS DISTINCT FROM (1, (state = 'captured')::int, (state = 'released')::int)
  OR (amounts, accounts) IS DISTINCT FROM (ARRAY[h.cents], ARRAY[h.account_no])`,

  hold_fits_quote: `
SELECT quote_id AS subject, format(
  'it is %s in %s mode with %s cents of credit; its hold is %s', status, mode, credit_cents, coalesce(hold_id, 'not there')
) AS message
FROM quotes
WHERE hold_id IS NOT NULL AND NOT (mode = 'live' AND credit_cents > 0)
  OR hold_id IS NULL AND mode = 'live' AND credit_cents > 0 AND status <> 'paid'`,

  capture_pays_quote: `
SELECT quote_id AS subject, format(
  'it is %s with %s cents of credit; the ledger captured %s', status, credit_cents, coalesce(captured, 'nothing')
) AS message
FROM quotes q JOIN accounts a USING (account_no) LEFT JOIN (
  SELECT quote_id, string_agg(format('%s of %s', amount_cents, account_id), ', ' ORDER BY entry_id) AS captured
  FROM ledger JOIN accounts USING (account_no) WHERE kind = 'capture' GROUP BY quote_id
) e USING (quote_id)
WHERE captured IS DISTINCT FROM
  CASE WHEN mode = 'live' AND status = 'paid' AND credit_cents > 0 THEN format('%s of %s', credit_cents, account_id) END`,

  money_is_conserved: `
SELECT account_id AS subject, format(
  '%s cents were paid in ahead and %s for quotes; %s are in the wallet and %s in links',
  coalesce(ahead, 0), coalesce(paid, 0), balance_cents, coalesce(bought, 0)
) AS message
FROM accounts
LEFT JOIN (
  SELECT account_no, sum(balance_delta_cents) AS ahead FROM ledger WHERE kind IN ('top_up', 'adjustment', 'adjustment_reversed') GROUP BY account_no
) t USING (account_no)
LEFT JOIN (
  SELECT q.account_no, sum(p.amount_cents) AS paid FROM payments p JOIN quotes q USING (quote_id)
  WHERE q.mode = 'live' GROUP BY q.account_no
) p USING (account_no)
LEFT JOIN (
  SELECT account_no, sum(net_cents - ${creditOfCancelled("links")}) AS bought FROM links WHERE mode = 'live'
  GROUP BY account_no
) l USING (account_no)
WHERE coalesce(ahead, 0) + coalesce(paid, 0) <> balance_cents + coalesce(bought, 0)`,

  money_names_its_cause: `
SELECT entry_id AS subject, format(
  'it names quote, order and link %s, %s, %s; one of them is not there',
  coalesce(e.quote_id, '-'), coalesce(e.order_id, '-'), coalesce(e.link_id, '-')
) AS message
FROM ledger e
LEFT JOIN quotes q ON q.quote_id = e.quote_id
LEFT JOIN orders o ON o.order_id = e.order_id
LEFT JOIN links l ON l.link_id = e.link_id
WHERE (e.quote_id, e.order_id, e.link_id) IS DISTINCT FROM (q.quote_id, o.order_id, l.link_id)`,

  // An adjustment for a top-up names its reversal, the payment after which it was booked, or the entry whose credit it took.
  owed_is_what_is_missing: `
SELECT top_up_id AS subject, format(
  '%s cents of it are given back; its reversals name %s', coalesce(reversed_cents, 0), due
) AS message
FROM top_ups t CROSS JOIN LATERAL (
  SELECT coalesce(sum(least(t.cents, named)), 0) AS due FROM (
    SELECT sum(v.cents) AS named FROM top_up_reversals v
    WHERE v.top_up_id = t.top_up_id AND v.state <> 'won' AND t.status = 'paid' GROUP BY v.charge_id
  ) charges
) named
WHERE coalesce(reversed_cents, 0) <> due
UNION ALL
SELECT account_id, format(
  'it owes %s cents; %s of %s were taken', coalesce(owed_cents, 0), coalesce(taken, 0), coalesce(reversed, 0)
)
FROM accounts
LEFT JOIN (SELECT account_id, sum(reversed_cents) AS reversed FROM top_ups GROUP BY account_id) t USING (account_id)
LEFT JOIN (
  SELECT l.account_no, -sum(l.balance_delta_cents) AS taken FROM ledger l
  WHERE l.kind = 'adjustment_reversed' OR l.kind = 'adjustment' AND (
    EXISTS (SELECT FROM top_up_reversals v WHERE v.reversal_id = regexp_replace(l.reference, ' \\S+ \\S+$', ''))
    OR EXISTS (SELECT FROM top_ups p WHERE p.payment_id = l.reference)
    OR EXISTS (SELECT FROM ledger e WHERE e.account_no = l.account_no AND e.entry_id = l.reference)
  ) GROUP BY l.account_no
) a USING (account_no)
WHERE coalesce(owed_cents, 0) <> coalesce(reversed, 0) - coalesce(taken, 0)`
} as const
