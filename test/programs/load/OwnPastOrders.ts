// Past orders in the tables of the service, as it stores them.
import { discount, history, insertForms, invoiceFacts, storedAnswer } from "./PastOrderBodies.ts"
import { capture, days, digest, insert, link, quote, tally, topUp, topUps } from "./PastOrderRows.ts"

const owner = { account_no: "account_no" }

/** The quotes of the service, which are also binding, order and use of the code. */
const ownQuotes = [
  insert("quotes", {
    ...owner,
    ...quote,
    lines: "'[]'",
    items_digest: digest,
    discount,
    fingerprint: digest,
    answer_status: "201",
    answer_body: storedAnswer,
    ordered_at_ms: "at_ms",
    order_status: "'paid'",
    promo_code: "'TEN'"
  })
]

/** The top-ups before the first orders, then what each order paid. */
const ownLedger = [insert("ledger", { ...owner, ...topUp }, topUps), insert("ledger", { ...owner, ...capture })]

/** Their invoices, and that all were invoiced and looked at for mails: otherwise the service would do so beside the load. */
const jobsDone = [
  insert("invoices", {
    invoice_id: "'inv_' || substr(order_id, 5)",
    kind: "'invoice'",
    account_id: "account_id",
    order_id: "order_id",
    issued_at_ms: "at_ms",
    total_cents: "450",
    net_cents: "375",
    vat_cents: "75",
    facts: `(${invoiceFacts})::jsonb`
  }),
  ...[
    ["invoice_progress", "orders_to"],
    ["purchase_mail_progress", "examined_to"]
  ].map(
    ([table, mark]) => `INSERT INTO ${table} (${mark}) SELECT max(order_id::text COLLATE "C") FROM past
      ON CONFLICT (only_row) DO UPDATE SET ${mark} = EXCLUDED.${mark}`
  )
]

export const ownPastOrders: ReadonlyArray<string> = [
  ...insertForms,
  ...ownQuotes,
  ...ownLedger,
  ...jobsDone,
  insert("tallies", { ...owner, ...tally }, days),
  insert("links", { ...owner, ...link, history: `(${history})::jsonb` })
]
