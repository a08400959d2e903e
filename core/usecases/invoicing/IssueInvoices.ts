// Issues what is due: invoices of orders, credit notes of cancelled links, receipts of top-ups. Any instance may run a pass at any time;
// the store lets one issue at a time.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import {
  INVOICE_SOURCES,
  type InvoiceSource,
  Invoices,
  type IssuedStep,
  type IssueStep
} from "#core/ports/invoicing/Invoices.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

/** A step is a transaction of some tens of milliseconds. */
const STEP_SIZE = 200

/** After steps, the database is left to orders for this many times as long as the steps took, so that orders lose little by it. */
const PAUSE_FACTOR = 9
const MIN_PAUSE_MS = 20
const MAX_PAUSE_MS = 1_000

/** No longer than the shortest pause once the last document of a step was due for this long: each is issued within a minute. */
const LATE_MS = 20_000

const isLate = (issued: IssuedStep["issued"]): boolean => {
  const last = issued.at(-1)
  return last !== undefined && last.issuedAtMs - last.facts.suppliedAtMs > LATE_MS
}

const pauseAfter = (tookMs: number, isBehind: boolean): number =>
  isBehind ? MIN_PAUSE_MS : Math.min(Math.max(PAUSE_FACTOR * tookMs, MIN_PAUSE_MS), MAX_PAUSE_MS)

export class IssueInvoices extends Context.Service<
  IssueInvoices,
  {
    /** Notes that a seller is configured from now on, if so. Once at the start, before orders are taken. */
    readonly noteSeller: () => Effect.Effect<void, StoreUnavailable>
    /** One pass over everything that is due; `again` looks a day back, for what was committed unusually late. Returns how many documents it issued. */
    readonly pass: (again: boolean) => Effect.Effect<number, StoreUnavailable>
  }
>()("backlinks/usecases/invoicing/IssueInvoices") {
  static readonly layer = Layer.effect(
    IssueInvoices,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const { seller: terms } = yield* ServiceContext

      const issueNext = Effect.fnUntraced(function* (source: InvoiceSource, after: IssueStep["after"]) {
        const { issued, next } = yield* invoices.issue({ source, after, terms, limit: STEP_SIZE })
        return { count: issued.length, isLate: isLate(issued), next }
      })

      return IssueInvoices.of({
        noteSeller: Effect.fn("IssueInvoices.noteSeller")(() => invoices.noteSeller(terms)),
        pass: Effect.fn("IssueInvoices.pass")(function* (again) {
          let count = 0
          // A step of each source in turn, so that orders that come all the time hold up no receipt. Those without more are asked again
          // meanwhile: credit notes wait for the invoices of their orders.
          const start = again ? "again" : null
          const after = new Map<InvoiceSource, IssueStep["after"]>(INVOICE_SOURCES.map((source) => [source, start]))
          for (let hasMore = true; hasMore; ) {
            hasMore = false
            let isBehind = false
            const startMs = yield* Clock.currentTimeMillis
            for (const source of INVOICE_SOURCES) {
              const step = yield* issueNext(source, after.get(source) ?? null)
              count += step.count
              after.set(source, step.next)
              if (step.next === null) continue
              hasMore = true
              isBehind ||= step.isLate
            }
            const tookMs = (yield* Clock.currentTimeMillis) - startMs
            if (hasMore) yield* Effect.sleep(Duration.millis(pauseAfter(tookMs, isBehind)))
          }
          return count
        })
      })
    })
  )
}
