// What reconciliation names if the ledger does not fit the holds and quotes: clauses that the database itself would have refused.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { accountNo } from "#adapters/postgres/rows/AccountRows.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { openQuote, paidOrder } from "#test/core/ports/ordering/OrderFixtures.ts"
import { pay } from "#test/core/ports/ordering/OrderSteps.ts"
import { corrupt, store, violationsAbout } from "./BrokenDatabase.ts"

interface Facts {
  /** An order of two links at 5.00 EUR, which credit covered at once. */
  readonly paid: Effect.Success<typeof paidOrder>
  /** 2.00 EUR of credit and 2.50 EUR by card; paid. */
  readonly settled: Effect.Success<typeof openQuote>
  /** The same, still open. */
  readonly waiting: Effect.Success<typeof openQuote>
}

const facts = Effect.gen(function* () {
  const settled = yield* openQuote
  yield* pay(settled.quote)
  return { paid: yield* paidOrder, settled, waiting: yield* openQuote } satisfies Facts
})

interface Break {
  readonly what: string
  readonly invariant: Invariant
  readonly about: (facts: Facts) => string
  readonly sql: (facts: Facts) => ReadonlyArray<string>
}

const ofPaid = ({ paid }: Facts): string => paid.quote.quoteId
const ofSettled = ({ settled }: Facts): string => settled.quoteId
const ofOpen = ({ waiting }: Facts): string => waiting.quoteId
const isCaptureFor = (quoteId: string): string => `kind = 'capture' AND quote_id = '${quoteId}'`

const BREAKS: ReadonlyArray<Break> = [
  {
    what: "a hold that was captured from another account",
    invariant: "hold_ends_once",
    about: ofSettled,
    sql: (all) => [`UPDATE ledger SET account_no = -1 WHERE ${isCaptureFor(ofSettled(all))}`]
  },
  {
    what: "a hold that was captured as free credit",
    invariant: "hold_ends_once",
    about: ofSettled,
    sql: (all) => [`UPDATE ledger SET hold_id = NULL, held_delta_cents = 0 WHERE ${isCaptureFor(ofSettled(all))}`]
  },
  {
    what: "an order that free credit of another account paid",
    invariant: "capture_pays_quote",
    about: ofPaid,
    sql: ({ paid, waiting }) => [
      `UPDATE ledger SET account_no = ${accountNo(`'${waiting.accountId}'`)} WHERE ${isCaptureFor(paid.quote.quoteId)}`
    ]
  },
  {
    what: "an order that less credit paid than its quote says",
    invariant: "capture_pays_quote",
    about: ofPaid,
    sql: (all) => [
      `UPDATE ledger SET amount_cents = amount_cents - 1, balance_delta_cents = balance_delta_cents + 1
       WHERE ${isCaptureFor(ofPaid(all))}`
    ]
  },
  {
    what: "an order that credit paid twice",
    invariant: "capture_pays_quote",
    about: ofPaid,
    sql: (all) => [
      `CREATE TEMPORARY TABLE twice AS SELECT * FROM ledger WHERE ${isCaptureFor(ofPaid(all))}`,
      "UPDATE twice SET entry_id = entry_id || 'b'",
      "INSERT INTO ledger SELECT * FROM twice"
    ]
  },
  {
    what: "an order that credit paid for another quote",
    invariant: "capture_pays_quote",
    about: ofPaid,
    sql: (all) => [`UPDATE ledger SET quote_id = 'q_other' WHERE ${isCaptureFor(ofPaid(all))}`]
  },
  {
    what: "an open quote whose hold was captured",
    invariant: "capture_pays_quote",
    about: ofOpen,
    sql: (all) => [
      `INSERT INTO ledger SELECT account_no, entry_id || 'b', 'capture', amount_cents, -amount_cents, -amount_cents, 0, 0,
         quote_id, order_id, link_id, hold_id, at_ms, reference
       FROM ledger WHERE kind = 'hold' AND quote_id = '${ofOpen(all)}'`
    ]
  }
]

layer(store, { excludeTestServices: true })("reconciliation of a broken ledger names", (it) => {
  for (const { what, invariant, about, sql } of BREAKS) {
    it.effect(`${what} (${invariant})`, () =>
      Effect.gen(function* () {
        const all = yield* facts
        const subject = about(all)
        expect(yield* violationsAbout(subject)).toEqual(new Set())
        yield* corrupt(...sql(all))
        expect([...(yield* violationsAbout(subject))]).toContain(invariant)
      })
    )
  }
})
