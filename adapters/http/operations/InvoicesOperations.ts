// Operations of invoices, credit notes and receipts.
import { Effect } from "effect"
import { readInvoiceConditions, showInvoice, showInvoiceRecord } from "#adapters/contract/invoicing/Invoices.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { InvoiceId } from "#core/domain/shared/Ids.ts"
import { ReadInvoices } from "#core/usecases/invoicing/ReadInvoices.ts"
import type { InvoicesApi } from "../api/InvoicesApi.ts"
import { BytesResponse } from "./JsonResponse.ts"
import type { OperationsOf } from "./Operation.ts"

const invoiceCursor = pageCursor("invoices", InvoiceId)

export const invoicesOperations = Effect.map(
  ReadInvoices,
  (reading): OperationsOf<typeof InvoicesApi> => ({
    listInvoices: Effect.fnUntraced(function* (caller, { query }) {
      const { limit = PAGE_SIZE, cursor } = query
      const conditions = readInvoiceConditions(query)
      const filters = { ...conditions }
      const beforeId = yield* Effect.fromResult(invoiceCursor.begin(filters, cursor))
      const { invoices, nextBeforeId } = yield* reading.page(caller, { limit, beforeId, conditions })
      return {
        ok: true as const,
        count: invoices.length,
        invoices: invoices.map(showInvoiceRecord),
        ...invoiceCursor.next(filters, nextBeforeId),
        sandbox: caller.mode === "sandbox"
      }
    }),

    getInvoice: Effect.fnUntraced(function* (caller, { params }) {
      return showInvoice(yield* reading.one(caller, params.id))
    }),

    getInvoicePdf: (caller, { params }) =>
      Effect.map(
        reading.pdf(caller, params.id),
        ({ name, bytes }) =>
          new BytesResponse({ status: 200, content: bytes, contentType: "application/pdf", fileName: name })
      )
  })
)
