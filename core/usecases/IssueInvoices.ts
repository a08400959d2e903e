// Issues what is due: invoices of orders, credit notes of cancelled links, receipts of deposits. Any instance may run a pass at any time;
// the store lets one issue at a time.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { INVOICE_SOURCES, Invoices, type IssuedStep, type IssueStep } from "#core/ports/Invoices.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"

/** A step is a transaction of some tens of milliseconds. */
const STEP_SIZE = 200
const MIN_PAUSE_MS = 20

/** After a step, the database is left to orders for this many times as long as the step took, so that orders lose little by it. */
const PAUSE_FACTOR = 9

/** Not any more once the last document of a step was due for this long: each is issued within a minute. */
const LATE_MS = 20_000

const isLate = ({ issued }: IssuedStep): boolean => {
  const last = issued.at(-1)
  return last !== undefined && last.issuedAtMs - last.facts.suppliedAtMs > LATE_MS
}

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

      const paced = Effect.fnUntraced(function* (step: Pick<IssueStep, "source" | "after">) {
        const startMs = yield* Clock.currentTimeMillis
        const issued = yield* invoices.issue({ ...step, terms, limit: STEP_SIZE })
        const tookMs = (yield* Clock.currentTimeMillis) - startMs
        const pauseMs = isLate(issued) ? MIN_PAUSE_MS : Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * tookMs)
        if (issued.next !== null) yield* Effect.sleep(Duration.millis(pauseMs))
        return issued
      })

      return IssueInvoices.of({
        noteSeller: Effect.fn("IssueInvoices.noteSeller")(() => invoices.noteSeller(terms)),
        pass: Effect.fn("IssueInvoices.pass")(function* (again) {
          let count = 0
          // In turns, so that orders that come all the time hold up no receipt and no credit note.
          const waiting: Array<Pick<IssueStep, "source" | "after">> = INVOICE_SOURCES.map((source) => ({
            source,
            after: again ? "again" : null
          }))
          for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
            const { issued, next } = yield* paced(step)
            count += issued.length
            if (next !== null) waiting.push({ source: step.source, after: next })
          }
          return count
        })
      })
    })
  )
}
