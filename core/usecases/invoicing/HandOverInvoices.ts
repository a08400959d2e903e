// Hands issued documents over to the outlet, each at least once and in the order of issue. What the outlet does not take is offered again,
// later each time, and what follows waits for it.
import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import { InvoiceOutlet, type OutletFailed } from "#core/ports/invoicing/InvoiceOutlet.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { type HandingOn, handOn } from "../shared/HandOn.ts"

/** Ten attempts of ten seconds each are over before another instance may take them. */
const BATCH = 10
const LEASE_MS = 180_000

/** One batch at a time. */
const BOUNDS = { fast: 1, total: 1, minClaim: 1 }
const POLL_MS = 5_000

const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 10 * 60_000

/** Why the outlet did not take a document. */
type Refusal = Cause.Cause<OutletFailed>

interface Batch {
  readonly documents: ReadonlyArray<Invoice>
  /** The last one that the outlet took so far. */
  last: Invoice | null
}

export class HandOverInvoices extends Context.Service<
  HandOverInvoices,
  {
    readonly isOn: boolean
  } & HandingOn<Refusal | null>
>()("backlinks/usecases/invoicing/HandOverInvoices") {
  static readonly layer = Layer.effect(
    HandOverInvoices,
    Effect.gen(function* () {
      const handOvers = yield* HandOvers
      const outlet = yield* InvoiceOutlet
      const renderer = yield* InvoiceRenderer
      let refusals = 0
      let notBeforeMs: Millis = 0

      const handOver = Effect.fnUntraced(function* (invoice: Invoice) {
        const pdf = yield* renderer.pdf(invoice)
        const xml = yield* renderer.xml(invoice)
        yield* outlet.accept({ invoice, pdf, xml })
      })

      /** `null`, or why the outlet does not have all documents. */
      const handOverAll = (batch: Batch): Effect.Effect<Refusal | null> =>
        Effect.forEach(
          batch.documents,
          (invoice) =>
            Effect.andThen(
              handOver(invoice),
              Effect.sync(() => {
                batch.last = invoice
              })
            ),
          { discard: true }
        ).pipe(
          Effect.as(null),
          Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.succeed(cause)))
        )

      const retryLater = Effect.fnUntraced(function* (refusal: Refusal) {
        notBeforeMs = (yield* Clock.currentTimeMillis) + Math.min(FIRST_RETRY_MS * 2 ** refusals++, MAX_RETRY_MS)
        yield* Effect.logWarning("issued documents were not handed over to the outlet, and are offered again", refusal)
      })

      /** What was taken is recorded also if the next one was not. */
      const record = ({ last }: Batch, refusal: Refusal | null) => {
        if (refusal === null) refusals = 0
        return Effect.andThen(handOvers.record(last), refusal === null ? Effect.void : retryLater(refusal))
      }

      const outbox = handOn({
        what: "issued documents",
        claim: (nowMs) =>
          nowMs < notBeforeMs
            ? Effect.succeed([])
            : Effect.map(
                handOvers.claim({ nowMs, leaseMs: LEASE_MS, limit: BATCH }),
                (documents): ReadonlyArray<Batch> => (documents.length === 0 ? [] : [{ documents, last: null }])
              ),
        annotate: ({ documents }) => ({ invoice_ids: documents.map(({ invoiceId }) => invoiceId) }),
        attempt: handOverAll,
        record,
        release: ({ last }) => handOvers.record(last),
        bounds: BOUNDS,
        pollMs: POLL_MS
      })

      return HandOverInvoices.of({ isOn: outlet.isOn, ...outbox })
    })
  )
}
