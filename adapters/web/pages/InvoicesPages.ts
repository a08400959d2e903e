// Invoices, credit notes and receipts of the account: the list, one as a page, and the files of it.

import { Effect } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Invoice, InvoiceKind, InvoiceLine } from "#core/domain/invoicing/Invoice.ts"
import type { Party } from "#core/domain/invoicing/Party.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { type AccountId, InvoiceId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { placeIn } from "../FormSchemas.ts"
import { type Handlers, page, show } from "../PageRoutes.ts"

const PATH = "/account/invoices"

export const invoicesRoutes = {
  invoices: page("viewer", PATH),
  invoice: page("viewer", `${PATH}/:id`),
  invoicePdf: page("viewer", `${PATH}/:id/pdf`),
  invoiceXml: page("viewer", `${PATH}/:id/xml`)
}

const PAGE_SIZE = 20

const KINDS: Readonly<Record<InvoiceKind, string>> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  receipt: "Receipt"
}

/** "Invoice 2026-000123", "Pro forma invoice", "Receipt". */
const titleOf = ({ kind, facts: { number, proForma } }: Invoice): string => {
  if (number !== null) return `${KINDS[kind]} ${number}`
  return proForma ? `Pro forma ${KINDS[kind].toLowerCase()}` : KINDS[kind]
}

/** On credit notes, what comes back. */
const signed = ({ kind }: Invoice, cents: number): string =>
  kind === "credit_note" && cents > 0 ? `−${formatEur(cents)}` : formatEur(cents)

const pdfLink = ({ invoiceId }: Invoice, about: string): Html =>
  html`<a href="${PATH}/${invoiceId}/pdf" download aria-label="PDF: ${about}">PDF</a>`

const listRow = (invoice: Invoice): Html => {
  const { invoiceId, facts, orderId, netCents, vatCents, totalCents } = invoice
  const title = titleOf(invoice)
  return html`<tr>
<th scope="row"><a href="${PATH}/${invoiceId}">${title}</a></th>
<td data-label="Date">${facts.issueDate}</td>
<td data-label="For">${orderId === null ? "a deposit" : html`<a href="/account/orders/${orderId}">${orderId}</a>`}</td>
<td data-label="Net">${signed(invoice, netCents)}</td>
<td data-label="VAT">${signed(invoice, vatCents)}</td>
<td class="money">${signed(invoice, totalCents)}</td>
<td>${pdfLink(invoice, `${title}, ${invoiceId}`)}</td>
</tr>`
}

const listTable = (invoices: ReadonlyArray<Invoice>): Html =>
  invoices.length === 0
    ? html`<p class="empty">No invoice yet. Each paid order has its invoice here within a minute, and each deposit its receipt.</p>`
    : html`<table>
<thead><tr><th scope="col">Document</th><th scope="col">Date</th><th scope="col">For</th><th scope="col">Net</th><th scope="col">VAT</th><th scope="col" class="money">Total</th><td></td></tr></thead>
<tbody>${invoices.map(listRow)}</tbody>
</table>`

const linesOf = (text: string | null): Html => html`${(text ?? "").split("\n").map((line) => html`<br>${line}`)}`

/** `dir="auto"`: a name in Arabic or Hebrew runs from right to left and leaves the page around it as it is. */
const partyCard = (name: string, party: Party): Html => html`<section class="card">
<h2>${name}</h2>
<p dir="auto">${party.name}${party.address === null ? nothing : linesOf(party.address)}${party.country === null ? nothing : html`<br>${party.country}`}</p>
${party.vatId === null ? nothing : html`<p>VAT id: ${party.vatId}</p>`}
${party.reference === null ? nothing : html`<p>Your reference: <bdi>${party.reference}</bdi></p>`}
</section>`

const lineRow = (invoice: Invoice, line: InvoiceLine): Html => html`<tr>
<th scope="row"><bdi>${line.name}</bdi></th>
<td data-label="What" dir="auto">${line.detail}</td>
<td data-label="Net">${signed(invoice, line.netCents)}</td>
<td data-label="VAT">${signed(invoice, line.vatCents)}</td>
<td class="money">${signed(invoice, line.totalCents)}</td>
</tr>`

const PERCENT = 100

const sums = (invoice: Invoice): Html => {
  const { kind, netCents, vatCents, totalCents, facts } = invoice
  const vat = facts.category === "S" ? `VAT ${facts.vatBasisPoints / PERCENT} %` : "VAT"
  return html`<dl>
<dt>Net</dt><dd>${signed(invoice, netCents)}</dd>
<dt>${vat}</dt><dd>${signed(invoice, vatCents)}</dd>
<dt class="left">${kind === "credit_note" ? "Given back" : "Total, paid"}</dt><dd class="left">${signed(invoice, totalCents)}</dd>
</dl>`
}

const corrected = ({ facts: { corrects } }: Invoice): Html =>
  corrects === null
    ? nothing
    : html`<p>Corrects <a href="${PATH}/${corrects.invoiceId}">${corrects.number === null ? "the pro forma invoice" : `invoice ${corrects.number}`}</a> of ${corrects.issueDate}.</p>`

const PRO_FORMA = html`<p class="note">Pro forma: the seller's particulars were not configured when this was issued, so that it bears no number and is no invoice for taxes.</p>`

const documentPage = (invoice: Invoice): Html => {
  const { facts, orderId, invoiceId } = invoice
  const title = titleOf(invoice)
  const xml =
    facts.number === null
      ? nothing
      : html`<li><a href="${PATH}/${invoiceId}/xml" download>Download as XML (EN 16931)</a></li>`
  return html`<h1>${title}</h1>
<p>Issued on ${facts.issueDate}, for ${orderId === null ? "a deposit" : html`<a href="/account/orders/${orderId}">order ${orderId}</a>`} of ${instant(facts.suppliedAtMs)}.</p>
${facts.proForma ? PRO_FORMA : nothing}
${corrected(invoice)}
${facts.seller === null ? nothing : partyCard("Seller", facts.seller)}
${partyCard("Buyer", facts.buyer)}
<h2>Lines</h2>
<table>
<thead><tr><th scope="col">Line</th><th scope="col">What</th><th scope="col">Net</th><th scope="col">VAT</th><th scope="col" class="money">Total</th></tr></thead>
<tbody>${facts.lines.map((line) => lineRow(invoice, line))}</tbody>
</table>
${sums(invoice)}
${facts.sentence === null ? nothing : html`<p>${facts.sentence}</p>`}
<nav aria-label="Downloads"><ul class="pages">
<li><a href="${PATH}/${invoiceId}/pdf" download>Download as PDF</a></li>
${xml}
<li><a href="${PATH}">All invoices</a></li>
</ul></nav>`
}

/** The number, which is of letters, digits and hyphens, as the id is. */
const fileName = ({ invoiceId, facts }: Invoice, ending: string): string => `${facts.number ?? invoiceId}.${ending}`

export const invoicesHandlers = Effect.gen(function* () {
  const reading = yield* ReadInvoices
  const readerOf = ({ accountId }: { readonly accountId: AccountId }) => ({ accountId, mode: "live" as const })

  const handlers: Handlers<typeof invoicesRoutes> = {
    invoices: Effect.fnUntraced(function* ({ who: { account }, query }) {
      const beforeId = placeIn(query, InvoiceId)
      const found = yield* reading.page(readerOf(account), { limit: PAGE_SIZE, beforeId })
      return show(
        "Invoices",
        "Invoices",
        html`<h1>Invoices</h1>
<p>What is on them is set in the <a href="/account/settings/billing">settings</a>. Documents that are issued never change.</p>
${listTable(found.invoices)}
<nav aria-label="Pages"><ul class="pages">
${beforeId === null ? nothing : html`<li><a href="${PATH}">Newest documents</a></li>`}
${found.nextBeforeId === null ? nothing : html`<li><a rel="next" href="${PATH}?before=${found.nextBeforeId}">Older documents</a></li>`}
</ul></nav>`
      )
    }),
    invoice: Effect.fnUntraced(function* ({ who: { account }, params: { id = "" } }) {
      const invoice = yield* reading.one(readerOf(account), InvoiceId.make(id))
      return show("Invoices", titleOf(invoice), documentPage(invoice))
    }),
    invoicePdf: Effect.fnUntraced(function* ({ who: { account }, params: { id = "" } }) {
      const reader = readerOf(account)
      const invoice = yield* reading.one(reader, InvoiceId.make(id))
      const content = yield* reading.pdf(reader, invoice.invoiceId)
      return { _tag: "File", name: fileName(invoice, "pdf"), contentType: "application/pdf", content }
    }),
    invoiceXml: Effect.fnUntraced(function* ({ who: { account }, params: { id = "" } }) {
      const reader = readerOf(account)
      const invoice = yield* reading.one(reader, InvoiceId.make(id))
      const content = new TextEncoder().encode(yield* reading.xml(reader, invoice.invoiceId))
      return { _tag: "File", name: fileName(invoice, "xml"), contentType: "application/xml", content }
    })
  }
  return handlers
})
