// Each law of invoices, broken behind the constraints of the tables: reconciliation names the document, order or account.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { invoicedOrders } from "#test/core/ports/invoicing/InvoiceReconciliation.ts"
import { corrupt, store, violationsAbout } from "./BrokenDatabase.ts"

type Documents = Effect.Success<typeof invoicedOrders>

interface Break {
  readonly what: string
  readonly invariant: Invariant
  readonly about: (documents: Documents) => string
  readonly sql: (documents: Documents) => ReadonlyArray<string>
}

const change = (id: string, set: string): string => `UPDATE invoices SET ${set} WHERE invoice_id = '${id}'`
const LATE = "UPDATE invoice_progress SET orders_to = 'ord_s'"

const BREAKS: ReadonlyArray<Break> = [
  {
    what: "an order without invoice, though later ones have theirs",
    invariant: "order_is_invoiced",
    about: ({ secondOrder }) => secondOrder,
    sql: ({ second }) => [LATE, `DELETE FROM invoices WHERE invoice_id = '${second}'`]
  },
  {
    what: "an invoice of an order that is not there",
    invariant: "order_is_invoiced",
    about: ({ second }) => second,
    sql: ({ second }) => [change(second, "order_id = 'ord_none'")]
  },
  {
    what: "a credit note of a link that is not cancelled",
    invariant: "order_is_invoiced",
    about: ({ note }) => note,
    sql: ({ note, openLink }) => [change(note, `link_id = '${openLink}'`)]
  },
  {
    what: "a gap",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    sql: ({ second }) => [change(second, "sequence = sequence + 500")]
  },
  {
    what: "a double number",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    sql: ({ second }) => ["DROP INDEX IF EXISTS invoice_numbered_once", change(second, "sequence = sequence - 1")]
  },
  {
    what: "a number that is printed otherwise",
    invariant: "invoice_numbers_run_on",
    about: ({ note }) => note,
    sql: ({ note }) => [change(note, `facts = facts || '{"number": "CN-2020-000001"}'`)]
  },
  {
    what: "a number that was issued before the one before it",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    sql: ({ second }) => [change(second, "issued_at_ms = 1")]
  },
  {
    what: "a number of another year than its date",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    sql: ({ second }) => [change(second, `facts = facts || '{"issueDate": "9999-01-01"}'`)]
  },
  {
    what: "a number that is dated before the one before it",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    sql: ({ first, second }) => [
      change(first, `facts = jsonb_set(facts, '{issueDate}', to_jsonb(year || '-12-31'))`),
      change(second, `facts = jsonb_set(facts, '{issueDate}', to_jsonb(year || '-12-30'))`)
    ]
  },
  {
    what: "lines that do not add up",
    invariant: "invoice_adds_up",
    about: ({ first }) => first,
    sql: ({ first }) => [change(first, `facts = jsonb_set(facts, '{lines,0,netCents}', '1')`)]
  },
  {
    what: "an invoice over another amount than was paid",
    invariant: "invoices_are_the_sales",
    about: ({ accountId }) => accountId,
    sql: ({ first }) => [change(first, "total_cents = total_cents + 1, vat_cents = vat_cents + 1")]
  },
  {
    what: "a credit note over another amount than was given back",
    invariant: "invoices_are_the_sales",
    about: ({ accountId }) => accountId,
    sql: ({ note }) => [change(note, "total_cents = total_cents - 1, net_cents = net_cents - 1")]
  }
]

for (const { what, invariant, about, sql } of BREAKS) {
  // A database each, because a broken series breaks all that follows.
  layer(store, { excludeTestServices: true })(`reconciliation of invoices: ${what}`, (it) => {
    it.effect(`is found as ${invariant}`, () =>
      Effect.gen(function* () {
        const documents = yield* invoicedOrders
        const subject = about(documents)
        expect(yield* violationsAbout(subject)).toEqual(new Set())
        yield* corrupt("ALTER TABLE invoices DROP CONSTRAINT invoice_names_its_cause", ...sql(documents))
        expect([...(yield* violationsAbout(subject))]).toContain(invariant)
      })
    )
  })
}
