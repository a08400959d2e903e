// Sweeps what is due, page by page. Each item is leased to one sweeper, of whichever instance; one that fails is left for the next pass.
import { Effect, Exit } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { PayableId } from "#core/domain/shared/Ids.ts"
import { type SweepLease, SweepLeases } from "#core/ports/ordering/SweepLeases.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"

/** Each item waits a few hundred milliseconds for the processor: eight at a time stay near its limit of 25 calls a second. */
const CONCURRENCY = 8

/** Longer than the processor mostly takes for one item; the pass of another sweeper leaves it alone for so long after a kill. */
export const LEASE_MS: Millis = 20_000

/**
 * Between two looks of a read at an item that another sweeper has, and how often it looks. What is not ended by then is swept all the same:
 * the lease may be that of a sweeper that was killed, and saves no more than a call of the processor.
 */
const POLL = "50 millis"
const LOOKS = 20

/** `left`: it was not due any more. `kept`: its lease lasts to its end. */
export type SweepOutcome = "done" | "kept" | "left"

export interface Sweeping<Id extends PayableId> {
  /** What it is called in the log. */
  readonly what: string
  /** The most that a page has. */
  readonly limit: number
  readonly page: (after: Id | null) => Effect.Effect<ReadonlyArray<Id>, StoreUnavailable>
  readonly leaseMs?: Millis | ((id: Id) => Millis)
  readonly run: (id: Id) => Effect.Effect<SweepOutcome, unknown>
  /** For a read that shows what the sweep changes: it waits a moment for another sweeper, which mostly has ended the item by then. */
  readonly inTurn?: boolean
}

/** `lease` is `null` where the item is swept without. */
type Claimed = { readonly lease: SweepLease | null } | null

export const makeSweepDue = Effect.map(SweepLeases, (leases) => {
  const claimOnce = (id: PayableId, leaseMs: Millis): Effect.Effect<Claimed, StoreUnavailable> =>
    Effect.map(leases.claim(id, leaseMs), (lease) => (lease === null ? null : { lease }))

  const claimInTurn = Effect.fnUntraced(function* (id: PayableId, leaseMs: Millis) {
    for (let look = 0; look < LOOKS; look++) {
      const claimed = yield* claimOnce(id, leaseMs)
      if (claimed !== null) return claimed
      yield* Effect.interruptible(Effect.sleep(POLL))
    }
    return { lease: null }
  })

  /** Whether it was swept. A failure is logged and concerns one item. */
  const sweepOne = <Id extends PayableId>(id: Id, { what, leaseMs = LEASE_MS, run, inTurn = false }: Sweeping<Id>) =>
    Effect.acquireUseRelease(
      (inTurn ? claimInTurn : claimOnce)(id, typeof leaseMs === "function" ? leaseMs(id) : leaseMs),
      (claimed) => (claimed === null ? Effect.succeed("left" as const) : run(id)),
      (claimed, exit) =>
        claimed?.lease == null || (Exit.isSuccess(exit) && exit.value === "kept")
          ? Effect.void
          : Effect.ignore(leases.release(claimed.lease))
    ).pipe(
      Effect.map((outcome) => outcome !== "left"),
      Effect.catchCause((cause) => Effect.as(Effect.logWarning(`${what} left for the next sweep`, id, cause), false))
    )

  /**
   * Goes through all pages, so that what fails does not block the rest. Returns the number of items that were swept. A page that cannot be
   * read ends the pass.
   */
  return Effect.fnUntraced(function* <Id extends PayableId>(sweeping: Sweeping<Id>) {
    let total = 0
    for (let after: Id | null = null; ; ) {
      const ids: ReadonlyArray<Id> = yield* sweeping.page(after)
      const each = yield* Effect.forEach(ids, (id) => sweepOne(id, sweeping), { concurrency: CONCURRENCY })
      total += each.filter((isSwept) => isSwept).length
      if (ids.length < sweeping.limit) return total
      after = ids.at(-1) ?? null
    }
  })
})
