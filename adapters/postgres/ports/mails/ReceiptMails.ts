// Mails with the documents of what people paid, in PostgreSQL: orders, and top-ups. Both are found by their ids, which begin with their time,
// and wait for their documents, within an account.
import { DueReceiptMail, RECEIPTS_SHOWN } from "#core/domain/mails/ReceiptMail.ts"
import { DueTopUpMail, TOP_UPS_SHOWN } from "#core/domain/mails/TopUpMail.ts"
import { OrderStatus } from "#core/domain/ordering/Order.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { collectedMails } from "./MailQueue.ts"
import { collectNews, LAST_TOLD, mailFields, news, ofOwner, toldWithDocuments } from "./NewsMails.ts"

/** The condition of `isReceipted`. */
const isReceipted = `q.mode = 'live' AND NOT (q.key_id NOT LIKE 'web\\_%' AND q.credit_cents > 0 AND q.card_cents = 0)`

/** Whether something is told to the member of the row `mail`. */
const hasTold = (dueTo: (member: string) => string): string =>
  `EXISTS (${toldWithDocuments(dueTo("mail.member_id"), "$4")} SELECT FROM told)`

const orders = `
  SELECT q.order_id AS id, a.account_id, ${isReceipted} AS is_told
  FROM quotes q JOIN accounts a USING (account_no) WHERE q.order_id > $1 AND q.order_id < $2 ORDER BY q.order_id`

/** Named, because the index of a key's orders has their status before their id. */
const everyStatus = OrderStatus.literals.map((status) => `'${status}'`).join(", ")

const receiptsOf = (member: string): string => `
  SELECT q.order_id AS id, i.invoice_id AS document, q.total_cents, q.card_cents, q.credit_cents, i.facts ->> 'number' AS number,
    CASE WHEN jsonb_typeof(i.facts -> 'seller') = 'object' THEN json_build_object(
      'cents', i.vat_cents, 'basisPoints', i.facts -> 'vatBasisPoints', 'sentence', i.facts -> 'sentence') END AS vat,
    (i.facts ->> 'suppliedAtMs')::bigint AS at_ms,
    CASE WHEN q.key_id LIKE 'web\\_%' THEN (SELECT p.email FROM members p WHERE p.member_id = q.member_id) ELSE k.label END AS placed_by
  FROM news_mails n JOIN members m ON m.member_id = n.member_id
  JOIN keys k ON k.account_id = m.account_id
  JOIN quotes q ON q.key_id = k.key_id AND q.order_status IN (${everyStatus})
    AND q.order_id > n.mailed_to AND q.order_id <= n.due_to
  LEFT JOIN invoices i ON i.invoice_id = 'inv_' || substr(q.order_id, 5)
  WHERE n.member_id = ${member} AND n.kind = 'receipts' AND ${isReceipted}`

const dueReceipts = `${toldWithDocuments(receiptsOf("$1"), "$2")}
SELECT json_build_object(${mailFields(LAST_TOLD)},
  'totalCents', (SELECT coalesce(sum(total_cents), 0) FROM told),
  'receipts', (
    SELECT coalesce(json_agg(json_build_object(
      'orderId', f.id, 'placedBy', f.placed_by, 'invoiceId', f.document, 'invoiceNumber', f.number, 'totalCents', f.total_cents,
      'cardCents', f.card_cents, 'creditCents', f.credit_cents, 'vat', f.vat, 'atMs', f.at_ms, 'links', (
        SELECT json_agg(json_build_object('domain', l.domain, 'targetUrl', l.target_url, 'anchorText', l.anchor_text, 'netCents', l.net_cents) ORDER BY l.index)
        FROM links l WHERE l.order_id = f.id
      )
    ) ORDER BY f.id), '[]')
    FROM (SELECT * FROM told ORDER BY id LIMIT ${RECEIPTS_SHOWN}) f
  )
) AS value ${ofOwner("receipts")}`

export const receiptMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ ...news, kind: "receipts", job: "receiptMails", prefix: "ord_", mail: DueReceiptMail },
    ...{ collect: collectNews({ kind: "receipts", candidates: orders }), due: dueReceipts },
    ready: hasTold(receiptsOf)
  })

const topUps = `
  SELECT l.entry_id AS id, a.account_id,
    EXISTS (SELECT FROM top_ups t WHERE t.payment_id = l.reference AND t.account_id = a.account_id) AS is_told
  FROM ledger l JOIN accounts a USING (account_no)
  WHERE l.kind = 'top_up' AND l.entry_id > $1 AND l.entry_id < $2 ORDER BY l.entry_id`

const topUpsOf = (member: string): string => `
  SELECT l.entry_id AS id, i.invoice_id AS document, l.amount_cents, l.at_ms, p.email
  FROM news_mails n JOIN members m ON m.member_id = n.member_id JOIN accounts a ON a.account_id = m.account_id
  JOIN ledger l ON l.account_no = a.account_no AND l.entry_id > n.mailed_to AND l.entry_id <= n.due_to AND l.kind = 'top_up'
  JOIN top_ups t ON t.payment_id = l.reference AND t.account_id = a.account_id
  JOIN members p ON p.member_id = t.member_id
  LEFT JOIN invoices i ON i.invoice_id = 'rct_' || substr(l.entry_id, 5)
  WHERE n.member_id = ${member} AND n.kind = 'top_ups'`

const dueTopUps = `${toldWithDocuments(topUpsOf("$1"), "$2")}
SELECT json_build_object(${mailFields(LAST_TOLD)}, 'timeZone', m.time_zone,
  'totalCents', (SELECT coalesce(sum(amount_cents), 0) FROM told),
  'topUps', (
    SELECT coalesce(json_agg(json_build_object(
      'entryId', f.id, 'invoiceId', f.document, 'cents', f.amount_cents, 'by', f.email, 'atMs', f.at_ms
    ) ORDER BY f.id), '[]')
    FROM (SELECT * FROM told ORDER BY id LIMIT ${TOP_UPS_SHOWN}) f
  )
) AS value ${ofOwner("top_ups")}`

export const topUpMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ ...news, kind: "top_ups", job: "topUpMails", prefix: "led_", mail: DueTopUpMail },
    ...{ collect: collectNews({ kind: "top_ups", candidates: topUps }), due: dueTopUps },
    ready: hasTold(topUpsOf)
  })
