// Invoices, credit notes and receipts of the account: the list, one as a page, and the files of it.

import { Effect } from "effect"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import { dateOf, dateText } from "#adapters/html/Times.ts"
import type { Invoice, InvoiceLine } from "#core/domain/invoicing/Invoice.ts"
import type { Party } from "#core/domain/invoicing/Party.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { type AccountId, InvoiceId, type OrderId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import { ViewLinks } from "#core/usecases/ordering/ViewLinks.ts"
import { linksText, type People, peopleOf, shortPlacerIn, smallLines } from "../agents/Placers.ts"
import { placeIn } from "../form/FieldSchemas.ts"
import { operatorLink } from "../LegalPages.ts"
import { INVOICES_PATH as PATH, pdfLink, titleOf } from "../money/Documents.ts"
import { download, liveOf, page, type Reply, titled, type Visit } from "../Page.ts"
import { actions, type Column, column, money, named, numbers, pageLinks, table, term } from "../Tables.ts"

const PAGE_SIZE = 20

/** On credit notes, what comes back. */
const signed = ({ kind }: Invoice, cents: number): string =>
  kind === "credit_note" && cents > 0 ? `−${formatEur(cents)}` : formatEur(cents)

/** A date as the document bears it, in whichever zone it is read. */
const dated = (date: string): Html => html`<time class="num" datetime="${date}">${dateText(date)}</time>`

const suppliedOn = ({ facts: { suppliedAtMs } }: Invoice): Html => dated(dateOf(suppliedAtMs))

/** The day of the order, where it is another than that of its invoice. */
const orderedOn = ({ kind, facts: { issueDate, suppliedAtMs } }: Invoice): Html | null =>
  kind !== "invoice" || dateOf(suppliedAtMs) === issueDate ? null : html`ordered ${dated(dateOf(suppliedAtMs))}`

/** A document with what it was issued for; a top-up has no order. */
interface Issued {
  readonly invoice: Invoice
  readonly bought: OrderWithLinks | undefined
}

/** Who bought links to which domains; of a credit note, the link that was cancelled. */
const whatFor = ({ invoice: { kind, linkId, orderId }, bought }: Issued, people: People): string => {
  if (orderId === null) return "Top-up"
  if (bought === undefined) return "An order"
  const links = bought.links.filter((one) => linkId === null || one.linkId === linkId)
  const what = linksText(links.map(({ targetUrl }) => targetUrl))
  return `${isolated(shortPlacerIn(people, bought.order))}: ${what}${kind === "credit_note" ? ", cancelled" : ""}`
}

const columns = (people: People): ReadonlyArray<Column<Issued>> => [
  named("What for", (issued) => {
    const { invoiceId, orderId } = issued.invoice
    const order = orderId === null ? null : html`<a href="/account/orders/${orderId}">See the order</a>`
    return html`<a href="${PATH}/${invoiceId}">${whatFor(issued, people)}</a>${smallLines([titleOf(issued.invoice), order])}`
  }),
  column("Date", ({ invoice }) => html`${dated(invoice.facts.issueDate)}${smallLines([orderedOn(invoice)])}`),
  numbers("Net", ({ invoice }) => signed(invoice, invoice.netCents)),
  numbers("VAT", ({ invoice }) => signed(invoice, invoice.vatCents)),
  money("Total", ({ invoice }) => signed(invoice, invoice.totalCents)),
  actions(({ invoice }) => pdfLink(invoice, `${titleOf(invoice)}, ${invoice.invoiceId}`, "btn sm"))
]

/** Each document with its order. */
const issuedWith = Effect.fnUntraced(function* (accountId: AccountId, invoices: ReadonlyArray<Invoice>) {
  const ids = invoices.flatMap(({ orderId }) => orderId ?? [])
  const orders = yield* (yield* ViewLinks).ordersNamed(accountId, ids)
  const byId = new Map<OrderId | null, OrderWithLinks>(orders.map((one) => [one.order.orderId, one]))
  return invoices.map((invoice): Issued => ({ invoice, bought: byId.get(invoice.orderId) }))
})

const NO_INVOICE = "No invoice yet. Each paid order has its invoice here within a minute, and each top-up its receipt."

const linesOf = (text: string | null): Html => html`${(text ?? "").split("\n").map((line) => html`<br>${line}`)}`

/** `dir="auto"`: a name in Arabic or Hebrew runs from right to left and leaves the page around it as it is. */
const partyCard = (name: string, party: Party): Html => html`<section class="card pad stack">
<h2>${name}</h2>
<p dir="auto">${party.name}${party.address === null ? nothing : linesOf(party.address)}${party.country === null ? nothing : html`<br>${party.country}`}</p>
${party.vatId === null ? nothing : html`<p>VAT id: ${party.vatId}</p>`}
${party.reference === null ? nothing : html`<p>Your reference: <bdi>${party.reference}</bdi></p>`}
</section>`

/** "Top-up, pi_…": the reference of a payment stays whole on paper. */
const detailText = (detail: string): Html => {
  const [, says, reference] = /^([^\n]*, )(\w{20,38})$/.exec(detail) ?? []
  return reference === undefined ? html`${detail}` : html`${says ?? ""}<small class="reference">${reference}</small>`
}

const lineColumns = (invoice: Invoice): ReadonlyArray<Column<InvoiceLine>> => [
  named("Line", ({ name }) => html`<bdi>${name}</bdi>`),
  {
    head: html`<th scope="col">What</th>`,
    cell: ({ detail }) => html`<td data-label="What" dir="auto">${detailText(detail)}</td>`
  },
  numbers("Net", ({ netCents }) => signed(invoice, netCents)),
  numbers("VAT", ({ vatCents }) => signed(invoice, vatCents)),
  money("Total", ({ totalCents }) => signed(invoice, totalCents))
]

const PERCENT = 100

const sums = (invoice: Invoice): Html => {
  const { kind, netCents, vatCents, totalCents, facts } = invoice
  const vat = facts.category === "S" ? `VAT ${facts.vatBasisPoints / PERCENT} %` : "VAT"
  return html`<dl>
${term("Net", signed(invoice, netCents))}
${term(vat, signed(invoice, vatCents))}
${term(kind === "credit_note" ? "Given back" : "Total, paid", signed(invoice, totalCents), true)}
</dl>`
}

const corrected = ({ facts: { corrects } }: Invoice): Html =>
  corrects === null
    ? nothing
    : html`<p>Corrects <a href="${PATH}/${corrects.invoiceId}">${corrects.number === null ? "the pro forma invoice" : `invoice ${corrects.number}`}</a> of ${dated(corrects.issueDate)}.</p>`

/** What a document without a seller is, and when there are others. */
const proFormaNote = (operator: Html, which: string): Html =>
  html`<p class="note">${which} pro forma and no tax invoice, because this service had no seller set up. Orders made after its operator has set one up get numbered invoices; what is issued stays as it is. To ask for it, write to ${operator}.</p>`

const documentBody = (invoice: Invoice, operator: Html): Html => {
  const { facts, orderId, invoiceId } = invoice
  const xml =
    facts.number === null
      ? nothing
      : html`<li><a href="${PATH}/${invoiceId}/xml" download>Download as XML (EN 16931)</a></li>`
  const what = orderId === null ? html`a top-up` : html`<a href="/account/orders/${orderId}">the order</a>`
  return html`<p>Issued on ${dated(facts.issueDate)}, for ${what} of ${suppliedOn(invoice)}.</p>
${facts.proForma ? proFormaNote(operator, "This document is") : nothing}
${corrected(invoice)}
${facts.seller === null ? nothing : partyCard("Seller", facts.seller)}
${partyCard("Buyer", facts.buyer)}
<h2>Lines</h2>
${table(lineColumns(invoice), facts.lines)}
${sums(invoice)}
${facts.sentence === null ? nothing : html`<p>${facts.sentence}</p>`}
<nav aria-label="Downloads"><ul class="pages">
<li><a href="${PATH}/${invoiceId}/pdf" download>Download as PDF</a></li>
${xml}
<li><a href="${PATH}">All invoices</a></li>
</ul></nav>`
}

const invoicesPage = page("viewer", PATH, { section: "Invoices" }, function* ({ who: { account }, query }) {
  const at = placeIn(query, InvoiceId)
  const { page: read, vatOfOrders } = yield* ReadInvoices
  const found = yield* read(liveOf(account), { limit: PAGE_SIZE, beforeId: at })
  const isWithoutSeller = found.invoices.length > 0 && (yield* vatOfOrders(account.accountId)) === null
  return html`${isWithoutSeller ? proFormaNote(yield* operatorLink, "Each document is") : nothing}
<p>What is on them is set in the <a href="/account/settings/billing">settings</a>. Documents that are issued never change.${hasNumbers(found.invoices) ? html` ${NUMBERS}` : nothing}</p>
${table(columns(yield* peopleOf(account.accountId)), yield* issuedWith(account.accountId, found.invoices), NO_INVOICE)}
${pageLinks({ path: PATH, at, next: found.nextBeforeId }, { first: "Newest documents", next: "Older documents" })}`
})

/** Gaps in one's own numbers look as if documents were lost. */
const NUMBERS = "Numbers are shared by all customers, so yours are not consecutive."

const hasNumbers = (invoices: ReadonlyArray<Invoice>): boolean =>
  invoices.filter(({ facts }) => facts.number !== null).length > 1

const ofPath = ({ who: { account }, params: { id = "" } }: Visit<SignedIn>) =>
  ReadInvoices.use(({ one }) => one(liveOf(account), InvoiceId.make(id)))

const fileOf = ({ invoiceId, facts }: Invoice, ending: "pdf" | "xml", content: Uint8Array): Reply => ({
  _tag: "File",
  // The number is of letters, digits and hyphens, as the id is.
  name: `${facts.number ?? invoiceId}.${ending}`,
  contentType: `application/${ending}`,
  content
})

export const invoicesPages = [
  invoicesPage,
  page("viewer", `${PATH}/:id`, { section: "Invoices" }, function* (visit) {
    const invoice = yield* ofPath(visit)
    return titled(titleOf(invoice), documentBody(invoice, yield* operatorLink))
  }),
  download("viewer", `${PATH}/:id/pdf`, function* (visit) {
    const invoice = yield* ofPath(visit)
    const { bytes } = yield* (yield* ReadInvoices).pdf(liveOf(visit.who.account), invoice.invoiceId)
    return fileOf(invoice, "pdf", bytes)
  }),
  download("viewer", `${PATH}/:id/xml`, function* (visit) {
    const invoice = yield* ofPath(visit)
    const xml = yield* (yield* ReadInvoices).xml(liveOf(visit.who.account), invoice.invoiceId)
    return fileOf(invoice, "xml", new TextEncoder().encode(xml))
  })
]
