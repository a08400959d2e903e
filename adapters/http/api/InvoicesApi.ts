// Endpoints of invoices, credit notes and receipts.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InvoiceDetail, InvoiceList, InvoicesQuery } from "#adapters/contract/invoicing/Invoices.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { describe, errorsOf, PATH_ERRORS } from "./EndpointDescription.ts"

const id = text(1).annotate({ description: "`invoice_id` of a document." }).pipe(idBrands.InvoiceId)

const listInvoices = HttpApiEndpoint.get("listInvoices", "/invoices", {
  query: InvoicesQuery,
  success: InvoiceList,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "List the account's invoices, credit notes and receipts",
    "Newest first, of the whole account. An order has its invoice within a minute. Sandbox orders have none."
  )
)

const getInvoice = HttpApiEndpoint.get("getInvoice", "/invoices/:id", {
  params: { id },
  success: InvoiceDetail,
  error: errorsOf("invoice_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe("read", "Read an invoice, credit note or receipt", "With its parties, its lines and the VAT of each.")
)

const getInvoicePdf = HttpApiEndpoint.get("getInvoicePdf", "/invoices/:id/pdf", {
  params: { id },
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" })),
  error: errorsOf("invoice_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "read",
    "Download an invoice, credit note or receipt as PDF",
    "A numbered invoice or credit note is Factur-X (EN 16931): its data for machines is in the file, as the attachment `factur-x.xml`. The same document is the same bytes each time, and its number, where it has one, is the file's name."
  )
)

export class InvoicesApi extends HttpApiGroup.make("invoices")
  .add(listInvoices, getInvoice, getInvoicePdf)
  .annotateMerge(
    OpenApi.annotations({ title: "Invoices", description: "Invoices, credit notes and receipts of the account." })
  ) {}
