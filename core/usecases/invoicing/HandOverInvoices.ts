// Hands issued documents over to the outlet, each at least once and in the order of issue. What the outlet does not take is offered again,
// and what follows waits for it.
import { Context, Effect, Layer } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import { InvoiceOutlet, type OutletFailed } from "#core/ports/invoicing/InvoiceOutlet.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Ten attempts of ten seconds each are over before another instance may take them. */
const BATCH = 10
const LEASE_MS = 180_000

export class HandOverInvoices extends Context.Service<
  HandOverInvoices,
  {
    readonly isOn: boolean
    /** Until nothing is left or the outlet refuses a document. Returns how many it took. */
    readonly pass: Effect.Effect<number, OutletFailed | StoreUnavailable>
  }
>()("backlinks/usecases/invoicing/HandOverInvoices") {
  static readonly layer = Layer.effect(
    HandOverInvoices,
    Effect.gen(function* () {
      const handOvers = yield* HandOvers
      const outlet = yield* InvoiceOutlet
      const renderer = yield* InvoiceRenderer

      const handOver = Effect.fnUntraced(function* (invoice: Invoice) {
        const pdf = yield* renderer.pdf(invoice)
        const xml = yield* renderer.xml(invoice)
        yield* outlet.accept({ invoice, pdf, xml })
      })

      /** Records what was taken, also if the next one was not, or the service stops. */
      const batch = Effect.gen(function* () {
        const claimed = yield* handOvers.claim({ limit: BATCH, leaseMs: LEASE_MS })
        if (claimed.length === 0) return 0
        let last: Invoice | null = null
        const all = Effect.forEach(
          claimed,
          (invoice) =>
            Effect.andThen(
              handOver(invoice),
              Effect.sync(() => {
                last = invoice
              })
            ),
          { discard: true }
        )
        yield* Effect.onExit(all, () => handOvers.record(last))
        return claimed.length
      })

      return HandOverInvoices.of({
        isOn: outlet.isOn,
        pass: Effect.gen(function* () {
          let count = 0
          for (;;) {
            const taken: number = yield* batch
            count += taken
            if (taken < BATCH) return count
          }
        })
      })
    })
  )
}
