// Mails on purchases in PostgreSQL. Orders are found by their ids, which begin with their time, and noted in one row for each owner.
import { DuePurchaseMail, PURCHASES_SHOWN } from "#core/domain/mails/PurchaseMail.ts"
import { OrderStatus } from "#core/domain/ordering/Order.ts"
import type { PortDatabase } from "../../database/Database.ts"
import { collectedMails, EXAMINED } from "./MailQueue.ts"

/** The condition of `isAgentPurchase`. */
const isPurchase = `o.mode = 'live' AND o.key_id NOT LIKE 'web\\_%' AND q.credit_cents > 0 AND q.card_cents = 0`

/** Notes the orders after $1 and before $2. An owner who is new here is told from then on. */
const collect = `
WITH examined AS MATERIALIZED (
  SELECT order_id, quote_id, account_no, key_id, mode FROM orders
  WHERE order_id > $1 AND order_id < $2 ORDER BY order_id LIMIT ${EXAMINED}
), bought AS (
  SELECT o.account_no, max(o.order_id::text COLLATE "C") AS newest
  FROM examined o JOIN quotes q ON q.quote_id = o.quote_id WHERE ${isPurchase} GROUP BY o.account_no
), noted AS (
  INSERT INTO purchase_mails AS p (member_id, mailed_to, due_to)
  SELECT m.member_id, $1, b.newest
  FROM bought b JOIN accounts a USING (account_no)
  JOIN members m ON m.account_id = a.account_id AND m.role = 'owner' AND m.removed_at_ms IS NULL
  ON CONFLICT (member_id) DO UPDATE SET due_to = EXCLUDED.due_to WHERE p.due_to < EXCLUDED.due_to
), moved AS (
  INSERT INTO purchase_mail_progress (examined_to) SELECT max(order_id::text COLLATE "C") FROM examined HAVING count(*) > 0
  ON CONFLICT (only_row) DO UPDATE SET examined_to = EXCLUDED.examined_to
)
SELECT count(*)::int AS count FROM examined`

const linksOfOrder = `(
  SELECT json_agg(json_build_object('domain', l.domain, 'targetUrl', l.target_url, 'netCents', l.net_cents) ORDER BY l.index)
  FROM links l WHERE l.order_id = f.order_id
)`

const approver = `CASE WHEN f.approved_at_ms IS NOT NULL THEN
  coalesce((SELECT email FROM members WHERE member_id = f.approved_by), 'the operator') END`

/** Named, because the index of a key's orders has their status before their id. */
const everyStatus = OrderStatus.literals.map((status) => `'${status}'`).join(", ")

const due = `
WITH bought AS MATERIALIZED (
  SELECT o.order_id, o.total_cents, k.label, q.approved_by, q.approved_at_ms
  FROM purchase_mails p JOIN members m ON m.member_id = p.member_id
  JOIN keys k ON k.account_id = m.account_id
  JOIN orders o ON o.key_id = k.key_id AND o.status IN (${everyStatus}) AND o.order_id > p.mailed_to AND o.order_id <= p.due_to
  JOIN quotes q ON q.quote_id = o.quote_id
  WHERE p.member_id = $1 AND ${isPurchase}
)
SELECT json_build_object(
  'memberId', p.member_id, 'email', m.email, 'accountName', a.name, 'upTo', p.due_to, 'attempts', p.attempts,
  'count', (SELECT count(*) FROM bought), 'totalCents', (SELECT coalesce(sum(total_cents), 0) FROM bought),
  'purchases', (
    SELECT coalesce(json_agg(json_build_object(
      'orderId', f.order_id, 'credential', f.label, 'totalCents', f.total_cents, 'approvedBy', ${approver}, 'links', ${linksOfOrder}
    ) ORDER BY f.order_id), '[]')
    FROM (SELECT * FROM bought ORDER BY order_id LIMIT ${PURCHASES_SHOWN}) f
  )
) AS value
FROM purchase_mails p JOIN members m ON m.member_id = p.member_id JOIN accounts a ON a.account_id = m.account_id
WHERE p.member_id = $1`

export const purchaseMails = (database: PortDatabase) =>
  collectedMails(database, {
    ...{ table: "purchase_mails", job: "purchaseMails", progress: "purchase_mail_progress", prefix: "ord_" },
    ...{ mail: DuePurchaseMail, collect, due }
  })
