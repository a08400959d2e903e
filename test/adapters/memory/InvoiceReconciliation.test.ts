// Each law of invoices, broken in the books in memory: reconciliation names the document, order or account.
import { describe, it } from "@effect/vitest"
import { Effect, HashMap, Layer } from "effect"
import { expect } from "vitest"
import { MemoryBooks } from "#adapters/memory/books/MemoryBooks.ts"
import { layer as memoryStore } from "#adapters/memory/MemoryStore.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { type InvoiceId, OrderId } from "#core/domain/shared/Ids.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { invoicedOrders } from "#test/core/ports/invoicing/InvoiceReconciliation.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"

type Documents = Effect.Success<typeof invoicedOrders>

const change =
  (id: InvoiceId, over: (one: Invoice) => Partial<Invoice>) =>
  (books: Books): Books => ({
    ...books,
    invoices: HashMap.modify(books.invoices, id, (one) => ({ ...one, ...over(one) }))
  })

const next = ({ series }: Invoice, by: number) => series && { year: series.year, sequence: series.sequence + by }

interface Break {
  readonly what: string
  readonly invariant: Invariant
  readonly about: (documents: Documents) => string
  readonly broken: (documents: Documents) => (books: Books) => Books
}

const BREAKS: ReadonlyArray<Break> = [
  {
    what: "an order without invoice, though later ones have theirs",
    invariant: "order_is_invoiced",
    about: ({ firstOrder }) => firstOrder,
    broken:
      ({ first }) =>
      (books) => ({ ...books, invoices: HashMap.remove(books.invoices, first) })
  },
  {
    what: "an invoice of an order that is not there",
    invariant: "order_is_invoiced",
    about: ({ second }) => second,
    broken: ({ second }) => change(second, () => ({ orderId: OrderId.make("ord_none") }))
  },
  {
    what: "a credit note of a link that is not cancelled",
    invariant: "order_is_invoiced",
    about: ({ note }) => note,
    broken: ({ note, openLink }) => change(note, () => ({ linkId: openLink }))
  },
  {
    what: "a gap",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    broken: ({ second }) => change(second, (one) => ({ series: next(one, 5) }))
  },
  {
    what: "a double number",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    broken: ({ second }) => change(second, (one) => ({ series: next(one, -1) }))
  },
  {
    what: "a number that is printed otherwise",
    invariant: "invoice_numbers_run_on",
    about: ({ note }) => note,
    broken: ({ note }) => change(note, ({ facts }) => ({ facts: { ...facts, number: "CN-2020-000001" } }))
  },
  {
    what: "a number that was issued before the one before it",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    broken: ({ second }) => change(second, () => ({ issuedAtMs: -1 }))
  },
  {
    what: "a number of another year than its date",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    broken: ({ second }) => change(second, ({ facts }) => ({ facts: { ...facts, issueDate: "9999-01-01" } }))
  },
  {
    what: "a number that is dated before the one before it",
    invariant: "invoice_numbers_run_on",
    about: ({ second }) => second,
    broken:
      ({ first, second }) =>
      (books) => {
        const dated = (id: InvoiceId, day: string) =>
          change(id, ({ facts, series }) => ({ facts: { ...facts, issueDate: `${series?.year}-12-${day}` } }))
        return dated(second, "30")(dated(first, "31")(books))
      }
  },
  {
    what: "lines that do not add up",
    invariant: "invoice_adds_up",
    about: ({ first }) => first,
    broken: ({ first }) => change(first, ({ facts }) => ({ facts: { ...facts, lines: facts.lines.slice(1) } }))
  },
  {
    what: "an invoice over another amount than was paid",
    invariant: "invoices_are_the_sales",
    about: ({ accountId }) => accountId,
    broken: ({ first }) => change(first, ({ totalCents }) => ({ totalCents: totalCents + 1 }))
  },
  {
    what: "a credit note over another amount than was given back",
    invariant: "invoices_are_the_sales",
    about: ({ accountId }) => accountId,
    broken: ({ note }) => change(note, ({ totalCents }) => ({ totalCents: totalCents - 1 }))
  }
]

describe("reconciliation of invoices in memory", () => {
  it.effect.each(BREAKS)("finds $what", ({ invariant, about, broken }) =>
    Effect.gen(function* () {
      const { reconcile } = yield* Reconciliation
      const { current, replace } = yield* MemoryBooks
      const documents = yield* invoicedOrders
      expect((yield* reconcile(10)).violations).toEqual([])
      replace(broken(documents)(current()))
      const { violations } = yield* reconcile(10)
      const found = violations.filter(({ subject }) => subject === about(documents)).map((one) => one.invariant)
      expect(found).toContain(invariant)
    }).pipe(Effect.provide(Layer.merge(memoryStore, UniqueNumbers.layer)))
  )
})
