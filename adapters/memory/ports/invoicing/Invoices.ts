// Invoices in memory. A step is one synchronous replacement of the books, so that no two can take one number.
import { Clock, Effect, HashMap, Iterable, Layer, Option } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { type Buyer, documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import { NOTHING_ISSUED } from "#core/domain/invoicing/InvoiceSeries.ts"
import { type InvoiceDue, issueDue } from "#core/domain/invoicing/InvoicesDue.ts"
import { isRefunded } from "#core/domain/ordering/Link.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, EntryId, InvoiceId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { type InvoicePosition, type InvoiceSource, Invoices, type IssueStep } from "#core/ports/invoicing/Invoices.ts"
import type { Row } from "../../books/IndexEntries.ts"
import type { ReadonlyIndexes } from "../../books/Indexes.ts"
import { type IndexKey, indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { page } from "../../books/Paging.ts"

interface Due {
  readonly row: Row
  readonly request: InvoiceDue
}

const buyerOf = ({ accounts, billingIdentities }: Books, accountId: AccountId): Buyer => ({
  accountName: find(accounts, accountId)?.name ?? "",
  identity: find(billingIdentities, accountId) ?? null
})

const orderDue = (books: Books, id: OrderId): ReadonlyArray<Due> => {
  const order = find(books.orders, id)
  if (order === undefined) return []
  const placed = { order, links: linksOf(books, order) }
  return [
    { row: { table: "orders", id }, request: { _tag: "OrderPlaced", placed, buyer: buyerOf(books, order.accountId) } }
  ]
}

/** A link whose invoice is not issued yet waits for it. */
const linkDue = (books: Books, id: LinkId, ifRefunded: boolean): ReadonlyArray<Due> => {
  const link = find(books.links, id)
  const invoice = link && find(books.invoices, documentId("invoice", link.orderId))
  if (link === undefined || invoice === undefined || isRefunded(link) !== ifRefunded) return []
  return [{ row: { table: "links", id }, request: { _tag: "LinkCancelled", link, invoice } }]
}

const topUpDue = (books: Books, id: EntryId): ReadonlyArray<Due> => {
  const entry = find(books.ledger, id)
  if (entry === undefined) return []
  return [
    { row: { table: "ledger", id }, request: { _tag: "ToppedUp", entry, buyer: buyerOf(books, entry.accountId) } }
  ]
}

const dueFrom = (books: Books, indexes: ReadonlyIndexes, source: InvoiceSource, limit: number): ReadonlyArray<Due> => {
  const some = <Id extends string>(key: IndexKey<Id>, dueOf: (id: Id) => ReadonlyArray<Due>): ReadonlyArray<Due> =>
    Array.from(
      Iterable.take(
        Iterable.flatMap(indexes.get(key).after(null), ({ id }) => dueOf(id)),
        limit
      )
    )
  switch (source) {
    case "orders":
      return some(indexKeys.ordersToInvoice, (id) => orderDue(books, id))
    case "refunds":
      return some(indexKeys.linksToCredit, (id) => linkDue(books, id, true))
    case "ledger": {
      const credited = some(indexKeys.linksToCredit, (id) => linkDue(books, id, false))
      return [...credited, ...some(indexKeys.topUpsToReceipt, (id) => topUpDue(books, id))].slice(0, limit)
    }
  }
}

export const layer: Layer.Layer<Invoices, never, MemoryBooks> = Layer.effect(
  Invoices,
  Effect.gen(function* () {
    const { current, indexes, replace } = yield* MemoryBooks
    let sellerSinceMs: Millis | null = null
    let state = NOTHING_ISSUED

    const remember = ({ kind, series, issuedAtMs, facts }: Invoice): void => {
      const number = series === null || kind === "receipt" ? {} : { [kind]: series }
      state = { ...state, ...number, lastIssuedAtMs: issuedAtMs, lastIssueDate: facts.issueDate }
    }

    const issue = ({ source, terms, limit }: IssueStep, nowMs: Millis) => {
      const books = current()
      const due = dueFrom(books, indexes, source, limit)
      const requests = due.map(({ request }) => request)
      const issued = issueDue(requests, terms, { series: state, sellerSinceMs, nowMs })
      if (issued.length === 0) return { issued, next: null }
      issued.forEach(remember)
      const invoices = HashMap.setMany(
        books.invoices,
        issued.map((one) => [one.invoiceId, one] as const)
      )
      const last = due.findLast(({ row }) => row.table === "orders")?.row.id ?? ""
      const invoicedTo = last > books.invoicedTo ? last : books.invoicedTo
      const documents = issued.map(({ invoiceId }): Row => ({ table: "invoices", id: invoiceId }))
      replace({ ...books, invoices, invoicedTo }, [...documents, ...due.map(({ row }) => row)])
      return { issued, next: due.length < limit ? null : "" }
    }

    const newestFirst = (
      key: IndexKey<InvoiceId>,
      before: InvoicePosition | null,
      limit: number,
      sinceMs = 0,
      untilMs = Number.MAX_SAFE_INTEGER
    ) => {
      const { invoices } = current()
      const place = before === null ? null : { score: before.issuedAtMs, id: before.invoiceId }
      const within = Iterable.takeWhile(indexes.get(key).before(place), ({ score }) => score >= sinceMs)
      const { rows, nextId } = page(within, limit, (id) => {
        const invoice = find(invoices, id)
        return invoice !== undefined && invoice.issuedAtMs < untilMs ? invoice : undefined
      })
      return { invoices: rows, next: nextId === null ? null : (rows.at(-1) ?? null) }
    }

    return Invoices.of({
      noteSeller: ({ seller }) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          if (seller !== null) sellerSinceMs ??= nowMs
        }),
      issue: (step) => Effect.map(Clock.currentTimeMillis, (nowMs) => issue(step, nowMs)),
      numberedSince: () => Effect.sync(() => sellerSinceMs),
      byNumber: ({ kind, year, sequence }) =>
        Effect.sync(() => {
          const isIt = (one: Invoice) =>
            one.kind === kind && one.series?.year === year && one.series.sequence === sequence
          return Iterable.findFirst(HashMap.values(current().invoices), isIt).pipe(Option.getOrNull)
        }),
      byId: (invoiceId) => Effect.sync(() => find(current().invoices, invoiceId) ?? null),
      ofAccount: ({ accountId, limit, before }) =>
        Effect.sync(() => newestFirst(indexKeys.invoicesOf(accountId), before, limit)),
      issuedIn: ({ fromMs, toMs, limit, before }) =>
        Effect.sync(() => newestFirst(indexKeys.invoices, before, limit, fromMs, toMs))
    })
  })
)
