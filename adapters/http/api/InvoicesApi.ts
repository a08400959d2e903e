// Endpoints of invoices, credit notes and receipts.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { InvoiceDetail, InvoiceList } from "#adapters/contract/Invoices.ts"
import { PageQuery } from "#adapters/contract/schema/Paging.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { describe, errorsOf, PATH_ERRORS } from "./EndpointDescription.ts"

const id = text(1).annotate({ description: "`invoice_id` of a document." })

const listInvoices = HttpApiEndpoint.get("listInvoices", "/invoices", {
  query: PageQuery,
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

export class InvoicesApi extends HttpApiGroup.make("invoices")
  .add(listInvoices, getInvoice)
  .annotateMerge(
    OpenApi.annotations({ title: "Invoices", description: "Invoices, credit notes and receipts of the account." })
  ) {}
