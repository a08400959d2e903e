// Rows that got lost, as by a restore with other means: reconciliation names what lacks.
import { describe, it } from "@effect/vitest"
import { Effect, type Redacted, Schema } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"
import { databaseOfStep010 } from "../upgrade/Step010.ts"
import { rowsIn } from "./BackupSteps.ts"

/**
 * A lost row of these contradicts no other. A lost address shows with the next account that takes it; no link of these rows names the
 * opportunity; without its progress, the job of purchase mails examines the orders from the first on; no invariant compares the uses of
 * the welcome offer with the quotes that have it.
 */
const ALONE = [
  "account_emails",
  "audit",
  "key_uses",
  "members",
  "opportunities",
  "purchase_mail_progress",
  "welcome_uses"
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
      const { url } = yield* databaseOfStep010
      yield* Effect.gen(function* () {
        // That an order was accepted is known from the order, unless a delivery carries the event.
        const untold = "type = 'order.accepted' AND event_id NOT IN (SELECT event_id FROM deliveries)"
        yield* execute(url, `DELETE FROM events WHERE ${untold}`)
        // This version wrote an account twice with one address, and its open quote is long past its expiry.
        const before = yield* violations
        for (const [table] of yield* rowsIn(url)) {
          if (!ALONE.includes(table)) expect(yield* unnoticed(url, table, before), table).toEqual([])
        }
        expect(yield* violations).toEqual(before)
      }).pipe(Effect.provide(storeInstance(url)))
    }).pipe(Effect.scoped)
  )
})
