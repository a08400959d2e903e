// Rows that got lost, as by a restore with other means: reconciliation names what lacks.
import { describe, it } from "@effect/vitest"
import { Effect, type Redacted, Schema } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { databaseOfStep048 } from "#test/adapters/postgres/upgrade/Step048.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"
import { rowsIn } from "./BackupSteps.ts"

/**
 * A lost row of these contradicts no other. A lost address shows with the next account that takes it; no link of these rows names an
 * opportunity of step 010; without its progress, a job examines orders or audit records from the first on; no invariant compares the uses of
 * the welcome offer with the quotes that have it; the last document of a series leaves no gap.
 */
const ALONE = [
  ...["account_emails", "audit", "key_uses", "opportunities", "welcome_uses", "reviewers", "billing_identities"],
  ...["sessions", "sign_in_links", "sign_in_counts", "passkeys", "totps", "challenges", "reset_codes"],
  ...["shown_once", "sweep_claims"],
  ...["oauth_artifacts", "top_ups", "payments_set_aside", "reversals", "freed_rows", "freed_interruptions"],
  ...["invoices", "invoice_progress", "invoice_outlet", "purchase_mails", "purchase_mail_progress", "approval_mails"],
  ...["notice_mails", "notice_mail_progress", "news_mails", "news_mail_progress"]
]

/** What nothing is compared with: the sandbox, of which retention may have freed anything, events of quotes, and what no order uses. */
const UNCOMPARED = [
  "DELETE FROM quotes WHERE mode = 'sandbox'",
  "DELETE FROM links WHERE mode = 'sandbox'",
  "DELETE FROM events WHERE mode = 'sandbox' OR quote_id IS NOT NULL",
  "DELETE FROM deliveries WHERE mode = 'sandbox' OR event LIKE 'quote.%'",
  "DELETE FROM outbox WHERE delivery_id NOT IN (SELECT delivery_id FROM deliveries)",
  "DELETE FROM subscriptions WHERE webhook_id NOT IN (SELECT webhook_id FROM deliveries)",
  "DELETE FROM tallies WHERE key_id IN (SELECT key_id FROM keys WHERE mode = 'sandbox')",
  "DELETE FROM keys WHERE key_id NOT IN (SELECT key_id FROM quotes UNION SELECT key_id FROM subscriptions)",
  "DELETE FROM sites WHERE site_id NOT IN (SELECT site_id FROM links UNION SELECT site_id FROM articles)",
  "DELETE FROM articles WHERE article_id NOT IN (SELECT article_id FROM links WHERE article_id IS NOT NULL)",
  "DELETE FROM promos WHERE code NOT IN (SELECT promo_code FROM quotes WHERE promo_code IS NOT NULL)",
  `DELETE FROM text_forms WHERE form_id NOT IN (
    SELECT substr(split_part(answer_body, ' ', 1), 2) FROM quotes WHERE starts_with(answer_body, E'\\x01')
  )`
]

const rowsOf = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ at: Schema.String, row: Schema.String })))

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const violations = Effect.gen(function* () {
  const { violations } = yield* (yield* Reconciliation).reconcile(100)
  return new Set(violations.map(({ invariant, subject }) => `${invariant} ${subject}`))
})

/** The rows of the table that could be lost, one at a time, without a violation. */
const unnoticed = Effect.fnUntraced(function* (url: Redacted.Redacted, table: string, before: ReadonlySet<string>) {
  const change = (sql: string) => execute(url, "SET session_replication_role = replica", sql)
  const [found] = yield* execute(url, `SELECT ctid::text AS at, row_to_json(t)::text AS row FROM ${table} t`)
  const rows: Array<string> = []
  for (const { at, row } of rowsOf(found)) {
    yield* change(`DELETE FROM ${table} WHERE ctid = '${at}'`)
    if ([...(yield* violations)].every((one) => before.has(one))) rows.push(row)
    yield* change(`INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, ${quoted(row)})`)
  }
  return rows
})

describe("reconciliation", () => {
  it.live("names each single lost row of money, orders, buyers, events, and of the catalogue where it is in use", () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      yield* Effect.gen(function* () {
        // That an order was accepted is known from the order, unless a delivery carries the event.
        const untold = "type = 'order.accepted' AND event_id NOT IN (SELECT event_id FROM deliveries)"
        yield* execute(
          url,
          "SET session_replication_role = replica",
          ...UNCOMPARED,
          `DELETE FROM events WHERE ${untold}`
        )
        // A quote is long past its expiry, and rows of the sandbox are gone.
        const before = yield* violations
        for (const [table] of yield* rowsIn(url)) {
          if (!ALONE.includes(table)) expect(yield* unnoticed(url, table, before), table).toEqual([])
        }
        expect(yield* violations).toEqual(before)
      }).pipe(Effect.provide(storeInstance(url)))
    }).pipe(Effect.scoped)
  )
})
