// Mails with the documents of what people paid, in PostgreSQL: orders, and top-ups. Both are found by their ids, which begin with their time,
// and wait for their documents.
import { DueReceiptMail, RECEIPTS_SHOWN } from "#core/domain/mails/ReceiptMail.ts"
import { DueTopUpMail, TOP_UPS_SHOWN } from "#core/domain/mails/TopUpMail.ts"
import { OrderStatus } from "#core/domain/ordering/Order.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { collectedMails } from "./MailQueue.ts"
import { collectNews, MAIL_FIELDS, news, ofOwner } from "./NewsMails.ts"

/** The condition of `isReceipted`. */
const isReceipted = `q.mode = 'live' AND NOT (q.key_id NOT LIKE 'web\\_%' AND q.credit_cents > 0 AND q.card_cents = 0)`

const lacks = (prefix: string, id: string): string =>
  `NOT EXISTS (SELECT FROM invoices i WHERE i.invoice_id = '${prefix}' || substr(${id}, 5))`

const orders = `
  SELECT c.id, c.account_id, c.is_told, c.is_told AND ${lacks("inv_", "c.id")} AS waits FROM (
    SELECT q.order_id AS id, a.account_id, ${isReceipted} AS is_told
    FROM quotes q JOIN accounts a USING (account_no) WHERE q.order_id > $1 AND q.order_id < $2
  ) c ORDER BY c.id`

/** Named, because the index of a key's orders has their status before their id. */
const everyStatus = OrderStatus.literals.map((status) => `'${status}'`).join(", ")

const dueReceipts = `
WITH told AS MATERIALIZED (
  SELECT q.order_id, q.total_cents, q.card_cents, q.credit_cents, i.invoice_id, i.facts ->> 'number' AS number
  FROM news_mails n JOIN members m ON m.member_id = n.member_id
  JOIN keys k ON k.account_id = m.account_id
  JOIN quotes q ON q.key_id = k.key_id AND q.order_status IN (${everyStatus})
    AND q.order_id > n.mailed_to AND q.order_id <= n.due_to
  JOIN invoices i ON i.invoice_id = 'inv_' || substr(q.order_id, 5)
  WHERE n.member_id = $1 AND n.kind = 'receipts' AND ${isReceipted}
)
SELECT json_build_object(${MAIL_FIELDS},
  'totalCents', (SELECT coalesce(sum(total_cents), 0) FROM told),
  'receipts', (
    SELECT coalesce(json_agg(json_build_object(
      'orderId', f.order_id, 'invoiceId', f.invoice_id, 'invoiceNumber', f.number, 'totalCents', f.total_cents,
      'cardCents', f.card_cents, 'creditCents', f.credit_cents, 'links', (
        SELECT json_agg(json_build_object('domain', l.domain, 'targetUrl', l.target_url, 'netCents', l.net_cents) ORDER BY l.index)
        FROM links l WHERE l.order_id = f.order_id
      )
    ) ORDER BY f.order_id), '[]')
    FROM (SELECT * FROM told ORDER BY order_id LIMIT ${RECEIPTS_SHOWN}) f
  )
) AS value ${ofOwner("receipts")}`

export const receiptMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ ...news, kind: "receipts", job: "receiptMails", prefix: "ord_", mail: DueReceiptMail },
    ...{ collect: collectNews({ kind: "receipts", candidates: orders }), due: dueReceipts }
  })

const topUps = `
  SELECT c.id, c.account_id, c.is_told, c.is_told AND ${lacks("rct_", "c.id")} AS waits FROM (
    SELECT l.entry_id AS id, a.account_id,
      EXISTS (SELECT FROM top_ups t WHERE t.payment_id = l.reference AND t.account_id = a.account_id) AS is_told
    FROM ledger l JOIN accounts a USING (account_no)
    WHERE l.kind = 'top_up' AND l.entry_id > $1 AND l.entry_id < $2
  ) c ORDER BY c.id`

const dueTopUps = `
WITH told AS MATERIALIZED (
  SELECT l.entry_id, l.amount_cents, l.at_ms, i.invoice_id, p.email
  FROM news_mails n JOIN members m ON m.member_id = n.member_id JOIN accounts a ON a.account_id = m.account_id
  JOIN ledger l ON l.account_no = a.account_no AND l.entry_id > n.mailed_to AND l.entry_id <= n.due_to AND l.kind = 'top_up'
  JOIN top_ups t ON t.payment_id = l.reference AND t.account_id = a.account_id
  JOIN members p ON p.member_id = t.member_id
  JOIN invoices i ON i.invoice_id = 'rct_' || substr(l.entry_id, 5)
  WHERE n.member_id = $1 AND n.kind = 'top_ups'
)
SELECT json_build_object(${MAIL_FIELDS}, 'timeZone', m.time_zone,
  'totalCents', (SELECT coalesce(sum(amount_cents), 0) FROM told),
  'topUps', (
    SELECT coalesce(json_agg(json_build_object(
      'entryId', f.entry_id, 'invoiceId', f.invoice_id, 'cents', f.amount_cents, 'by', f.email, 'atMs', f.at_ms
    ) ORDER BY f.entry_id), '[]')
    FROM (SELECT * FROM told ORDER BY entry_id LIMIT ${TOP_UPS_SHOWN}) f
  )
) AS value ${ofOwner("top_ups")}`

export const topUpMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ ...news, kind: "top_ups", job: "topUpMails", prefix: "led_", mail: DueTopUpMail },
    ...{ collect: collectNews({ kind: "top_ups", candidates: topUps }), due: dueTopUps }
  })
