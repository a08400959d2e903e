// Handlers of the calls about invoices and their seller.
import { Effect } from "effect"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import { AllInvoices } from "#core/usecases/invoicing/AllInvoices.ts"
import { InvoiceRpcs } from "../calls/InvoiceCalls.ts"
import { withOperatorError } from "../OperatorError.ts"

const backwards = new ValidationFailed({ errors: [{ path: "toMs", message: "Must not be before fromMs." }] })

export const layer = InvoiceRpcs.toLayer(
  Effect.gen(function* () {
    const invoices = yield* AllInvoices

    return InvoiceRpcs.of({
      listInvoices: ({ accountId = null, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, limit, beforeId = null }) =>
        toMs < fromMs
          ? withOperatorError(Effect.fail(backwards))
          : withOperatorError(invoices.page({ accountId, fromMs, toMs, limit, beforeId })),
      showInvoice: ({ invoice }) => withOperatorError(invoices.one(invoice)),
      renderInvoice: ({ invoice }) => withOperatorError(invoices.rendered(invoice)),
      showSeller: () =>
        withOperatorError(
          Effect.map(invoices.seller(), ({ terms, numberedSinceMs }) => ({ ...terms, numberedSinceMs }))
        )
    })
  })
)
