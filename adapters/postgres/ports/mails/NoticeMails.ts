// Mails on what happened to accounts, in PostgreSQL. Audit records are found by their ids, which begin with their time, and noted in one row
// for each owner.
import { DueNoticeMail, NOTICES_SHOWN, TOLD } from "#core/domain/mails/NoticeMail.ts"
import { ACTOR_PREFIXES, PROCESSOR, SERVICE } from "#core/domain/members/Actor.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { collectedMails, EXAMINED } from "./MailQueue.ts"

const listed = (texts: Iterable<string>): string => Array.from(texts, (text) => `'${text}'`).join(", ")

/** The condition of `isOperator`. */
const isOperator = (alias: string): string => `${alias}.actor NOT IN (${listed([PROCESSOR, SERVICE])})
    AND ${ACTOR_PREFIXES.map((prefix) => `NOT starts_with(${alias}.actor, '${prefix}')`).join(" AND ")}`

/** The condition of `isTold`, of the audit record with this alias. */
const isTold = (alias: string): string => `(
    ${alias}.action IN (${listed(TOLD.always)})
    OR ${alias}.action IN (${listed(TOLD.loosened)}) AND (${alias}.details @> '{"loosens": true}' OR ${isOperator(alias)})
    OR ${alias}.action IN (${listed(TOLD.operator)}) AND ${isOperator(alias)}
      AND (${alias}.action <> 'account.edit' OR ${alias}.details ? 'name')
  )`

/**
 * Notes the records after $1 and before $2. An owner who is new here is told from then on, and one who was told everything of nothing older:
 * what an earlier version did not tell is no news.
 */
const collect = `
WITH examined AS MATERIALIZED (
  SELECT audit_id, account_id, actor, action, details FROM audit WHERE audit_id > $1 AND audit_id < $2 ORDER BY audit_id LIMIT ${EXAMINED}
), happened AS (
  SELECT account_id, max(audit_id::text COLLATE "C") AS newest FROM examined e
  WHERE ${isTold("e")} AND account_id IS NOT NULL GROUP BY account_id
), noted AS (
  INSERT INTO notice_mails AS n (member_id, mailed_to, due_to)
  SELECT m.member_id, $1, h.newest
  FROM happened h JOIN members m USING (account_id) WHERE m.role = 'owner' AND m.removed_at_ms IS NULL
  ON CONFLICT (member_id) DO UPDATE SET due_to = EXCLUDED.due_to,
    mailed_to = CASE WHEN n.due_to <= n.mailed_to THEN greatest(n.mailed_to, EXCLUDED.mailed_to) ELSE n.mailed_to END
  WHERE n.due_to < EXCLUDED.due_to
), moved AS (
  INSERT INTO notice_mail_progress (examined_to) SELECT max(audit_id::text COLLATE "C") FROM examined HAVING count(*) > 0
  ON CONFLICT (only_row) DO UPDATE SET examined_to = EXCLUDED.examined_to
)
SELECT count(*)::int AS count FROM examined`

const email = `coalesce(
        f.details ->> 'email', CASE WHEN f.action = 'account.email' THEN f.details ->> 'to' END,
        (SELECT d.email FROM members d WHERE d.member_id = f.subject COLLATE "C"), ''
      )`

/** What the record is about, where its details do not say it: a credential, the site of a link, or who asked for an order. */
const label = `coalesce(
        f.details ->> 'label', f.details ->> 'client', CASE WHEN f.action = 'account.edit' THEN f.details ->> 'name' END,
        (SELECT k.label FROM keys k WHERE k.key_id = f.subject COLLATE "C"),
        (SELECT l.domain FROM links l WHERE l.link_id = f.subject COLLATE "C"),
        (SELECT k.label FROM quotes q JOIN keys k ON k.key_id = q.key_id WHERE q.quote_id = f.subject COLLATE "C"), ''
      )`

/** Who joined need not be told. */
const due = `
WITH happened AS MATERIALIZED (
  SELECT r.* FROM notice_mails n JOIN members m ON m.member_id = n.member_id
  JOIN audit r ON r.account_id = m.account_id AND r.audit_id > n.mailed_to AND r.audit_id <= n.due_to
  WHERE n.member_id = $1 AND ${isTold("r")}
    AND (r.action <> 'member.join' OR r.actor COLLATE "C" <> n.member_id)
)
SELECT json_build_object(
  'memberId', n.member_id, 'email', m.email, 'accountName', a.name, 'upTo', n.due_to, 'attempts', n.attempts,
  'count', (SELECT count(*) FROM happened),
  'notices', (
    SELECT coalesce(json_agg(json_build_object(
      'auditId', f.audit_id, 'action', f.action, 'email', ${email}, 'role', coalesce(f.details ->> 'role', f.details ->> 'to', ''),
      'label', ${label}, 'url', coalesce(f.details ->> 'url', f.details ->> 'to_url', ''),
      'cents', coalesce(f.details -> 'cents', f.details -> 'net_cents'),
      'reason', coalesce(f.details ->> 'reason', ''),
      'outcome', coalesce(
        f.details ->> 'outcome', f.details ->> 'state', CASE WHEN f.details @> '{"refunded": true}' THEN 'refunded' END, ''
      ),
      'near', CASE WHEN f.details ? 'used' THEN jsonb_build_object(
        'limit', f.details -> 'limit', 'used', f.details -> 'used', 'of', f.details -> 'of'
      ) END,
      'by', (SELECT d.email FROM members d WHERE d.member_id = f.actor COLLATE "C"), 'isOfOperator', ${isOperator("f")},
      'atMs', f.at_ms
    ) ORDER BY f.audit_id), '[]')
    FROM (SELECT * FROM happened ORDER BY audit_id LIMIT ${NOTICES_SHOWN}) f
  )
) AS value
FROM notice_mails n JOIN members m ON m.member_id = n.member_id JOIN accounts a ON a.account_id = m.account_id
WHERE n.member_id = $1`

export const noticeMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ table: "notice_mails", job: "noticeMails", progress: "notice_mail_progress", prefix: "aud_" },
    ...{ mail: DueNoticeMail, collect, due }
  })
