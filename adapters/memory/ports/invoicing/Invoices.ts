// Invoices in memory. A step is one synchronous replacement of the books, so that no two can take one number.
import { Clock, Effect, HashMap } from "effect"
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import { type DocumentTotal, MAX_TOTALLED } from "#core/domain/invoicing/DocumentTotals.ts"
import { type Buyer, documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import { meetsInvoiceConditions } from "#core/domain/invoicing/InvoiceConditions.ts"
import { NOTHING_ISSUED } from "#core/domain/invoicing/InvoiceSeries.ts"
import { type InvoiceDue, issueDue } from "#core/domain/invoicing/InvoicesDue.ts"
import { isRefunded } from "#core/domain/ordering/Link.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, EntryId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { type InvoicePosition, type InvoiceSource, Invoices, type IssueStep } from "#core/ports/invoicing/Invoices.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { page, perVersion, rowsWhere, type SortKey, sorted } from "../../books/Rows.ts"

const buyerOf = ({ accounts, billingIdentities }: Books, accountId: AccountId): Buyer => ({
  accountName: find(accounts, accountId)?.name ?? "",
  identity: find(billingIdentities, accountId) ?? null
})

const isIssued = ({ invoices }: Books, kind: Invoice["kind"], id: OrderId | LinkId | EntryId): boolean =>
  find(invoices, documentId(kind, id)) !== undefined

const ordersDue = (books: Books): ReadonlyArray<InvoiceDue> =>
  sorted(
    rowsWhere(books.orders, ({ mode, orderId }) => mode === "live" && !isIssued(books, "invoice", orderId)),
    { by: ({ orderId }) => [orderId] }
  ).map((order) => {
    const placed = { order, links: linksOf(books, order) }
    return { _tag: "OrderPlaced", placed, buyer: buyerOf(books, order.accountId) }
  })

/** A link whose invoice is not issued yet waits for it. */
const linksDue = (books: Books, ifRefunded: boolean): ReadonlyArray<InvoiceDue> =>
  sorted(
    rowsWhere(
      books.links,
      (link) =>
        link.status === "cancelled" &&
        link.mode === "live" &&
        link.netCents > 0 &&
        isRefunded(link) === ifRefunded &&
        !isIssued(books, "credit_note", link.linkId)
    ),
    { by: ({ linkId }) => [linkId] }
  ).flatMap((link) => {
    const invoice = find(books.invoices, documentId("invoice", link.orderId))
    return invoice === undefined ? [] : [{ _tag: "LinkCancelled", link, invoice }]
  })

const topUpsDue = (books: Books): ReadonlyArray<InvoiceDue> =>
  sorted(
    rowsWhere(books.ledger, ({ kind, entryId }) => kind === "top_up" && !isIssued(books, "receipt", entryId)),
    { by: ({ entryId }) => [entryId] }
  ).map((entry) => ({ _tag: "ToppedUp", entry, buyer: buyerOf(books, entry.accountId) }))

/** The id of what is documented. */
const causeOf = (due: InvoiceDue): OrderId | LinkId | EntryId => {
  switch (due._tag) {
    case "OrderPlaced":
      return due.placed.order.orderId
    case "LinkCancelled":
      return due.link.linkId
    case "ToppedUp":
      return due.entry.entryId
  }
}

/** What is due from each source. */
const dueFromSources = (): Readonly<Record<InvoiceSource, (books: Books) => ReadonlyArray<InvoiceDue>>> => ({
  orders: perVersion(ordersDue),
  refunds: perVersion((books) => linksDue(books, true)),
  ledger: perVersion((books) => [...linksDue(books, false), ...topUpsDue(books)])
})

const byIssue = ({ issuedAtMs, invoiceId }: InvoicePosition): SortKey => [issuedAtMs, invoiceId]

const totalsOf = (
  books: Books,
  documents: ReadonlyArray<Invoice>,
  starts: ReadonlyArray<Millis>
): ReadonlyArray<DocumentTotal> => {
  const totals = new Map<string, DocumentTotal>()
  for (const { kind, orderId, issuedAtMs, totalCents } of documents) {
    const sinceMs = starts.findLast((start) => start <= issuedAtMs) ?? issuedAtMs
    const keyId = orderId === null ? null : (find(books.orders, orderId)?.keyId ?? null)
    const place = `${sinceMs} ${kind} ${keyId ?? ""}`
    const before = totals.get(place) ?? { count: 0, totalCents: 0 }
    const after = { count: before.count + 1, totalCents: before.totalCents + totalCents }
    totals.set(place, { sinceMs, kind, keyId, ...after })
  }
  return sorted([...totals.values()], { by: ({ sinceMs, kind, keyId }) => [sinceMs, kind, keyId ?? "~"] })
}

export const layer = overBooks(Invoices, ({ current, replace }) => {
  const dueFrom = dueFromSources()
  let sellerSinceMs: Millis | null = null
  let state = NOTHING_ISSUED

  const remember = ({ kind, series, issuedAtMs, facts }: Invoice): void => {
    const number = series === null || kind === "receipt" ? {} : { [kind]: series }
    state = { ...state, ...number, lastIssuedAtMs: issuedAtMs, lastIssueDate: facts.issueDate }
  }

  const issue = ({ source, after, terms, limit }: IssueStep, nowMs: Millis) => {
    const books = current()
    const start = after === null || after === "again" ? "" : after
    const due = dueFrom[source](books)
      .filter((one) => causeOf(one) > start)
      .slice(0, limit)
    const issued = issueDue(due, terms, { series: state, sellerSinceMs, nowMs })
    if (issued.length === 0) return { issued, next: null }
    issued.forEach(remember)
    const invoices = HashMap.setMany(
      books.invoices,
      issued.map((one) => [one.invoiceId, one] as const)
    )
    const invoicedTo = due.reduce(
      (last, one) => (one._tag === "OrderPlaced" && one.placed.order.orderId > last ? one.placed.order.orderId : last),
      books.invoicedTo
    )
    replace({ ...books, invoices, invoicedTo })
    return { issued, next: due.length < limit ? null : "" }
  }

  const newestFirst = (condition: (one: Invoice) => boolean, before: InvoicePosition | null, limit: number) => {
    const after = before === null ? null : byIssue(before)
    const found = page(rowsWhere(current().invoices, condition), { by: byIssue, isDescending: true, after, limit })
    return { invoices: found.rows, next: found.next }
  }

  return {
    noteSeller: ({ seller }) =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        if (seller !== null) sellerSinceMs ??= nowMs
      }),
    issue: (step) => Effect.map(Clock.currentTimeMillis, (nowMs) => issue(step, nowMs)),
    numberedSince: () => sellerSinceMs,
    byNumber: ({ kind, year, sequence }) => {
      const isIt = (one: Invoice) => one.kind === kind && one.series?.year === year && one.series.sequence === sequence
      return rowsWhere(current().invoices, isIt)[0] ?? null
    },
    byId: (invoiceId) => find(current().invoices, invoiceId) ?? null,
    byIds: (invoiceIds) =>
      sorted(
        rowsWhere(current().invoices, ({ invoiceId }) => invoiceIds.includes(invoiceId)),
        { by: byIssue }
      ),
    ofAccount: ({ accountId, limit, before, conditions = {} }) =>
      newestFirst((one) => one.accountId === accountId && meetsInvoiceConditions(one, conditions), before, limit),
    totals: ({ accountId, starts, toMs }) => {
      const [fromMs = toMs] = starts
      const isWithin = (one: Invoice) =>
        one.accountId === accountId && one.issuedAtMs >= fromMs && one.issuedAtMs <= toMs
      const documents = rowsWhere(current().invoices, isWithin)
      return documents.length > MAX_TOTALLED ? null : totalsOf(current(), documents, starts)
    },
    issuedIn: ({ fromMs, toMs, limit, before }) =>
      newestFirst(({ issuedAtMs }) => issuedAtMs >= fromMs && issuedAtMs < toMs, before, limit)
  }
})
