// Invariants of invoices and credit notes: each order has one, numbers run on, amounts are those of the sales.

import { documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import { numberText } from "#core/domain/invoicing/InvoiceSeries.ts"
import type { Invariant } from "#core/domain/operations/Invariant.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { all, groupBy, type InvariantCheck, total } from "./InvariantCheck.ts"

const documents = ({ invoices }: Books, kind: Invoice["kind"]): ReadonlyArray<Invoice> =>
  all(invoices).filter((one) => one.kind === kind)

const orderIsInvoiced: InvariantCheck = function* (books) {
  for (const { orderId, mode } of all(books.orders)) {
    if (mode !== "live" || orderId > books.invoicedTo || find(books.invoices, documentId("invoice", orderId))) continue
    yield { subject: orderId, message: "it has no invoice, and later orders have theirs" }
  }
  for (const { invoiceId, orderId } of documents(books, "invoice")) {
    if (find(books.orders, orderId)?.mode !== "live")
      yield { subject: invoiceId, message: `its order ${orderId} is not there` }
  }
  for (const { invoiceId, orderId, linkId } of documents(books, "credit_note")) {
    const isCancelled = find(books.links, linkId)?.status === "cancelled"
    const invoice = orderId === null ? undefined : find(books.invoices, documentId("invoice", orderId))
    if (!isCancelled || invoice === undefined)
      yield { subject: invoiceId, message: `its link ${linkId} is not cancelled, or its order has no invoice` }
  }
}

const bySequence = (a: Invoice, b: Invoice): number => (a.series?.sequence ?? 0) - (b.series?.sequence ?? 0)

const numbersRunOn: InvariantCheck = function* ({ invoices }) {
  const numbered = all(invoices).filter(({ series }) => series !== null)
  for (const series of Map.groupBy(numbered, ({ kind, series }) => `${kind} ${series?.year}`).values()) {
    let [expected, issuedAtMs, issueDate] = [1, 0, ""]
    for (const one of series.sort(bySequence)) {
      const { kind, facts } = one
      const should = kind === "receipt" ? null : numberText(kind, { year: one.series?.year ?? 0, sequence: expected })
      const isBack = one.issuedAtMs < issuedAtMs || facts.issueDate < issueDate
      const isOfYear = Number(facts.issueDate.slice(0, 4)) === one.series?.year
      if (one.series?.sequence !== expected || facts.number !== should || isBack || !isOfYear)
        yield {
          subject: one.invoiceId,
          message: `it is number ${facts.number} of ${facts.issueDate}, and ${should} should follow${isBack ? "; it is older than the one before" : ""}`
        }
      expected = (one.series?.sequence ?? 0) + 1
      issuedAtMs = one.issuedAtMs
      issueDate = facts.issueDate
    }
  }
}

const invoiceAddsUp: InvariantCheck = function* ({ invoices }) {
  for (const { invoiceId, totalCents, netCents, vatCents, facts } of all(invoices)) {
    const [net, vat, sum] = [
      total(facts.lines, (line) => line.netCents),
      total(facts.lines, (line) => line.vatCents),
      total(facts.lines, (line) => line.totalCents)
    ]
    if (netCents + vatCents === totalCents && net === netCents && vat === vatCents && sum === totalCents) continue
    yield {
      subject: invoiceId,
      message: `it is over ${totalCents} cents, ${netCents} net and ${vatCents} VAT; its lines over ${sum}, ${net} and ${vat}`
    }
  }
}

/** What the order's invoice stands for: the credit that was captured for its quote, and the card's part. */
const saleOf = (books: Books, capturedFor: (quoteId: QuoteId) => Cents, orderId: OrderId): Cents => {
  const order = find(books.orders, orderId)
  const quote = order && find(books.quotes, order.quoteId)
  return quote === undefined ? 0 : capturedFor(quote.quoteId) + quote.cardCents
}

const invoicesAreTheSales: InvariantCheck = function* (books) {
  const captures = groupBy(
    all(books.ledger).filter(({ kind }) => kind === "capture"),
    ({ quoteId }) => quoteId
  )
  const capturedFor = (quoteId: QuoteId): Cents => total(captures(quoteId), ({ amountCents }) => amountCents)
  const notes = all(books.invoices).filter(({ kind }) => kind !== "receipt")
  for (const [accountId, own] of Map.groupBy(notes, (one) => one.accountId)) {
    const invoices = own.filter(({ kind }) => kind === "invoice")
    const credits = own.filter(({ kind }) => kind === "credit_note")
    const invoiced = total(invoices, ({ totalCents }) => totalCents)
    const credited = total(credits, ({ totalCents }) => totalCents)
    const sold = total(invoices, ({ orderId }) => (orderId === null ? 0 : saleOf(books, capturedFor, orderId)))
    // A cancelled link gave back its net price: as credit, or, where it was refunded, a part of it to the card.
    const back = total(credits, ({ linkId }) => find(books.links, linkId)?.netCents ?? 0)
    if (invoiced === sold && credited === back) continue
    yield {
      subject: accountId,
      message: `${invoiced} cents are invoiced for ${sold} paid, and ${credited} credited for ${back} given back`
    }
  }
}

export const invoiceInvariants = {
  order_is_invoiced: orderIsInvoiced,
  invoice_numbers_run_on: numbersRunOn,
  invoice_adds_up: invoiceAddsUp,
  invoices_are_the_sales: invoicesAreTheSales
} satisfies Partial<Record<Invariant, InvariantCheck>>
