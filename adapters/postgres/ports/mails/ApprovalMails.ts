// Mails on orders that wait for approval, in PostgreSQL. Quotes are found by their ids, which begin with their time, and what was told
// is noted in one row for each owner.
import { DueApprovalMail, WAITING_SHOWN } from "#core/domain/mails/ApprovalMail.ts"
import { idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import type { MailClaim } from "#core/ports/mails/OwnerMails.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { mailQueue } from "./MailQueue.ts"

/** Before the id $3 and alive at $2. Sandbox ids follow all live ones. */
const isWaiting = "q.status = 'awaiting_approval' AND q.mode = 'live' AND q.quote_id < $3 AND q.expires_at_ms > $2"

/** Another caller that claims the same mail waits for this row, and then finds it leased. */
const claimDue = `
WITH waiting AS (
  SELECT q.account_no, max(q.quote_id::text COLLATE "C") AS newest FROM quotes q WHERE ${isWaiting} GROUP BY q.account_no
)
INSERT INTO approval_mails AS a (member_id, leased_until_ms)
SELECT m.member_id, $1
FROM waiting w JOIN accounts c USING (account_no)
JOIN members m ON m.account_id = c.account_id AND m.role = 'owner' AND m.removed_at_ms IS NULL
LEFT JOIN approval_mails p ON p.member_id = m.member_id
WHERE w.newest > coalesce(p.mailed_to, '') AND coalesce(p.wanted, true)
  AND coalesce(p.next_at_ms, 0) <= $2 AND coalesce(p.leased_until_ms, 0) <= $2
ORDER BY m.member_id LIMIT $4
ON CONFLICT (member_id) DO UPDATE SET leased_until_ms = EXCLUDED.leased_until_ms
WHERE a.leased_until_ms <= $2 AND a.next_at_ms <= $2 AND a.wanted
RETURNING member_id AS value`

const due = `
WITH waiting AS MATERIALIZED (
  SELECT q.quote_id, q.total_cents, q.expires_at_ms, q.lines, k.label
  FROM approval_mails a JOIN members m ON m.member_id = a.member_id
  JOIN accounts c ON c.account_id = m.account_id JOIN quotes q ON q.account_no = c.account_no AND q.quote_id > a.mailed_to
  JOIN keys k ON k.key_id = q.key_id
  WHERE a.member_id = $1 AND ${isWaiting}
)
SELECT json_build_object(
  'memberId', a.member_id, 'email', m.email, 'timeZone', m.time_zone, 'accountName', c.name, 'attempts', a.attempts,
  'count', (SELECT count(*) FROM waiting),
  'totalCents', (SELECT coalesce(sum(total_cents), 0) FROM waiting),
  'firstExpiresAtMs', (SELECT min(expires_at_ms) FROM waiting),
  'upTo', (SELECT coalesce(max(quote_id::text COLLATE "C"), a.mailed_to) FROM waiting),
  'orders', (
    SELECT coalesce(json_agg(json_build_object(
      'quoteId', f.quote_id, 'credential', f.label, 'totalCents', f.total_cents, 'expiresAtMs', f.expires_at_ms, 'links', (
        SELECT json_agg(json_build_object(
          'domain', l -> 'domain', 'targetUrl', l #> '{item,targetUrl}', 'anchorText', l #> '{item,anchorText}'
        ))
        FROM jsonb_array_elements(f.lines) l
      )
    ) ORDER BY f.total_cents DESC, f.quote_id), '[]')
    FROM (SELECT * FROM waiting ORDER BY total_cents DESC, quote_id LIMIT ${WAITING_SHOWN}) f
  )
) AS value
FROM approval_mails a JOIN members m ON m.member_id = a.member_id JOIN accounts c ON c.account_id = m.account_id
WHERE a.member_id = $1`

/** Quotes of the last `lagMs` come after this id. */
const before = ({ nowMs, lagMs }: MailClaim): string => `q_${idPrefixAt(nowMs - lagMs)}`

export const approvalMails = (database: PortDatabase) =>
  mailQueue(database, {
    table: "approval_mails",
    claim: [claimDue, (query) => [query.nowMs + query.leaseMs, query.nowMs, before(query), query.limit]],
    due: [due, (query) => [query.nowMs, before(query)]],
    mail: DueApprovalMail
  })
