// Mails on links that are online, and on approvals that expired, in PostgreSQL. Both are found by their audit records, whose ids begin with
// their time.
import { DueExpiryMail, EXPIRED_SHOWN, EXPIRY_ACTION } from "#core/domain/mails/ExpiryMail.ts"
import { DueLinkMail, LINKS_SHOWN } from "#core/domain/mails/LinkMail.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { collectedMails } from "./MailQueue.ts"
import { collectNews, mailFields, news, ofOwner } from "./NewsMails.ts"

const recordsWhere = (isTold: string): string => `
  SELECT r.audit_id AS id, r.account_id, r.account_id IS NOT NULL AND ${isTold} AS is_told
  FROM audit r WHERE r.audit_id > $1 AND r.audit_id < $2 ORDER BY r.audit_id`

/** The condition of `isPublication`. */
const isPublication = "r.action = 'link.move' AND r.details ->> 'published_url' IS NOT NULL"

/** The audit records r of the account that an owner's row n of news is to tell. */
const DUE_RECORDS = `FROM news_mails n JOIN members m ON m.member_id = n.member_id JOIN accounts a ON a.account_id = m.account_id
  JOIN audit r ON r.account_id = m.account_id AND r.audit_id > n.mailed_to AND r.audit_id <= n.due_to`

const dueLinks = `
WITH told AS MATERIALIZED (
  SELECT r.audit_id, l.order_id, l.domain, l.target_url, l.published_url
  ${DUE_RECORDS}
  JOIN links l ON l.link_id = r.subject COLLATE "C" AND l.account_no = a.account_no
  WHERE n.member_id = $1 AND n.kind = 'links' AND ${isPublication}
    AND l.mode = 'live' AND l.status IN ('published', 'verified')
)
SELECT json_build_object(${mailFields()},
  'links', (
    SELECT coalesce(json_agg(json_build_object(
      'auditId', f.audit_id, 'orderId', f.order_id, 'domain', f.domain, 'targetUrl', f.target_url, 'publishedUrl', f.published_url
    ) ORDER BY f.audit_id), '[]')
    FROM (SELECT * FROM told ORDER BY audit_id LIMIT ${LINKS_SHOWN}) f
  )
) AS value ${ofOwner("links")}`

export const linkMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ ...news, kind: "links", job: "linkMails", prefix: "aud_", mail: DueLinkMail },
    ...{ collect: collectNews({ kind: "links", candidates: recordsWhere(`(${isPublication})`) }), due: dueLinks }
  })

const isExpiry = `r.action = '${EXPIRY_ACTION}'`

const dueExpiries = `
WITH told AS MATERIALIZED (
  SELECT r.audit_id, q.quote_id, q.total_cents, q.lines, k.label
  ${DUE_RECORDS}
  JOIN quotes q ON q.quote_id = r.subject COLLATE "C" AND q.account_no = a.account_no
  JOIN keys k ON k.key_id = q.key_id
  WHERE n.member_id = $1 AND n.kind = 'expiries' AND ${isExpiry}
)
SELECT json_build_object(${mailFields()},
  'expiries', (
    SELECT coalesce(json_agg(json_build_object(
      'auditId', f.audit_id, 'quoteId', f.quote_id, 'credential', f.label, 'totalCents', f.total_cents, 'links', (
        SELECT json_agg(json_build_object('domain', l -> 'domain', 'targetUrl', l #> '{item,targetUrl}'))
        FROM jsonb_array_elements(f.lines) l
      )
    ) ORDER BY f.audit_id), '[]')
    FROM (SELECT * FROM told ORDER BY audit_id LIMIT ${EXPIRED_SHOWN}) f
  )
) AS value ${ofOwner("expiries")}`

export const expiryMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ ...news, kind: "expiries", job: "expiryMails", prefix: "aud_", mail: DueExpiryMail },
    ...{ collect: collectNews({ kind: "expiries", candidates: recordsWhere(isExpiry) }), due: dueExpiries }
  })
