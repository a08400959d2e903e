// Issues what is due: invoices of orders, credit notes of cancelled links, receipts of deposits. Any instance may run a pass at any time;
// the store lets one issue at a time.
import { Context, Effect, Layer } from "effect"
import type { Invoice } from "#core/domain/Invoice.ts"
import { INVOICE_SOURCES, type InvoiceSource, Invoices } from "#core/ports/Invoices.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"

/** A step is a transaction of some tens of milliseconds, and the pause leaves the database to orders. */
const STEP_SIZE = 200
const PAUSE = "20 millis"

export class IssueInvoices extends Context.Service<
  IssueInvoices,
  {
    /** Notes that a seller is configured from now on, if so. Once at the start, before orders are taken. */
    readonly noteSeller: () => Effect.Effect<void, StoreUnavailable>
    /** One pass over everything that is due; `again` looks a day back, for what was committed unusually late. Returns how many documents it issued. */
    readonly pass: (again: boolean) => Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/IssueInvoices") {
  static readonly layer = Layer.effect(
    IssueInvoices,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const { seller: terms } = yield* ServiceContext

      const issueAll = Effect.fnUntraced(function* (source: InvoiceSource, again: boolean) {
        let count = 0
        for (let after: string | null = again ? "again" : null; ; ) {
          const step: { readonly issued: ReadonlyArray<Invoice>; readonly next: string | null } = yield* invoices.issue(
            {
              source,
              terms,
              limit: STEP_SIZE,
              after
            }
          )
          count += step.issued.length
          if (step.next === null) return count
          after = step.next
          yield* Effect.sleep(PAUSE)
        }
      })

      return IssueInvoices.of({
        noteSeller: Effect.fn("IssueInvoices.noteSeller")(() => invoices.noteSeller(terms)),
        pass: Effect.fn("IssueInvoices.pass")(function* (again) {
          let count = 0
          for (const source of INVOICE_SOURCES) count += yield* issueAll(source, again)
          return count
        })
      })
    })
  )
}
