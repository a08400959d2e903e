// Invariants of members, invitations, sessions and top-ups, and of accounts that opened themselves, as queries that select violations.
import { MAX_MEMBERS } from "#core/domain/members/Member.ts"

export const memberInvariants = {
  account_has_members: `
SELECT a.account_id AS subject, format(
  '%s members sign in, %s of them as owners; with those that were removed there are %s',
  coalesce(active, 0), coalesce(owners, 0), coalesce(every_one, 0)
) AS message
FROM accounts a
LEFT JOIN (
  SELECT account_id, count(*) AS every_one, count(*) FILTER (WHERE removed_at_ms IS NULL) AS active,
    count(*) FILTER (WHERE removed_at_ms IS NULL AND role <> 'viewer') AS owners
  FROM members GROUP BY account_id
) m ON m.account_id = a.account_id
JOIN (SELECT email_key(email) AS key, count(*) AS accounts FROM accounts GROUP BY 1) h ON h.key = email_key(a.email)
WHERE (every_one IS NULL AND h.accounts = 1) OR active > ${MAX_MEMBERS} OR (active > 0 AND owners = 0)`,

  invitations_are_few: `
SELECT a.account_id AS subject, format(
  'it has %s open invitations and %s members%s',
  open, coalesce(active, 0), CASE WHEN a.closed_at_ms IS NULL THEN '' ELSE ', and is closed' END
) AS message
FROM accounts a
JOIN (
  SELECT account_id, count(*) AS open FROM invitations
  WHERE outcome IS NULL AND expires_at_ms > extract(epoch FROM now()) * 1000 GROUP BY account_id
) i USING (account_id)
LEFT JOIN (
  SELECT account_id, count(*) AS active FROM members WHERE removed_at_ms IS NULL GROUP BY account_id
) m USING (account_id)
WHERE a.closed_at_ms IS NOT NULL OR open + coalesce(active, 0) > ${MAX_MEMBERS}`,

  address_signs_in_once: `
SELECT m.member_id AS subject, format('its address is also that of %s', string_agg(o.id, ', ' ORDER BY o.id)) AS message
FROM members m JOIN (
  SELECT member_id::text AS id, member_id AS member, NULL::text AS account, email_key(email) AS key FROM members WHERE removed_at_ms IS NULL
  UNION ALL
  SELECT account_id, NULL, account_id, email_key(email) FROM accounts
) o ON o.key = email_key(m.email)
WHERE m.removed_at_ms IS NULL AND o.member IS DISTINCT FROM m.member_id AND NOT (
  o.account IS NOT NULL AND EXISTS (
    SELECT FROM accounts own WHERE own.account_id = m.account_id AND email_key(own.email) = email_key(m.email)
  )
)
GROUP BY m.member_id`,

  session_is_a_members: `
SELECT s.session_id AS subject, format(
  'it is of member %s%s; %s sessions have its token',
  s.member_id, CASE WHEN m.member_id IS NULL THEN ', which is not there' ELSE '' END, s.alike
) AS message
FROM (SELECT *, count(*) OVER (PARTITION BY hash) AS alike FROM sessions) s
LEFT JOIN members m ON m.member_id = s.member_id
WHERE m.member_id IS NULL OR s.alike > 1 OR s.hash !~ '^[0-9a-f]{64}$'`,

  top_up_is_booked_once: `
SELECT t.top_up_id AS subject, format(
  'it is %s with %s cents; payment %s of %s top-ups is booked as %s',
  t.status, t.cents, coalesce(t.payment_id, '-'), t.alike, coalesce(array_to_string(b.amounts, ', '), 'nothing')
) AS message
FROM (
  SELECT *, CASE WHEN payment_id IS NULL THEN 0 ELSE count(*) OVER (PARTITION BY payment_id) END AS alike FROM top_ups
) t
LEFT JOIN (
  SELECT account_id, reference, array_agg(amount_cents ORDER BY amount_cents) AS amounts
  FROM ledger JOIN accounts USING (account_no) WHERE kind = 'top_up' AND reference IS NOT NULL GROUP BY account_id, reference
) b ON b.account_id = t.account_id AND b.reference = t.payment_id
WHERE CASE WHEN t.status = 'paid'
  THEN b.amounts IS DISTINCT FROM ARRAY[t.cents] OR t.alike <> 1
  ELSE t.payment_id IS NOT NULL END`,

  welcome_is_once_per_domain: `
SELECT u.account_id AS subject, format('it spent the offer for %s, and so did %s', u.host_path, w.account_id) AS message
FROM welcome_uses u JOIN accounts a ON a.account_id = u.account_id AND a.self_opened
CROSS JOIN LATERAL welcome_uses_in(u.host_path) w
JOIN accounts o ON o.account_id = w.account_id AND o.self_opened
JOIN quotes made ON made.quote_id = u.quote_id JOIN quotes spent ON spent.quote_id = w.quote_id
WHERE u.until_ms IS NULL AND w.until_ms IS NULL AND w.account_id <> u.account_id AND spent.ordered_at_ms < made.created_at_ms`
} as const
