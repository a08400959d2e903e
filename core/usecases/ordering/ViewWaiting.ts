// What waits for the people of an account: live orders that they have not decided on, and those that are not paid.
import { Context, Effect, Layer } from "effect"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type OpenCounts, Quotes, type WaitingQuery } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { SweepQuotes } from "./SweepQuotes.ts"

export interface Waiting {
  /** The first to expire first; at most `WAITING_SHOWN`. */
  readonly undecided: ReadonlyArray<Quote>
  /** The same of those that await payment. */
  readonly unpaid: ReadonlyArray<Quote>
  /** All of both, also those that are not shown. */
  readonly counts: OpenCounts
}

export interface UndecidedPage {
  /** The first to expire first. */
  readonly quotes: ReadonlyArray<Quote>
  /** The `after` of the next page; `null` on the last. */
  readonly nextAfter: QuoteId | null
}

export const WAITING_SHOWN = 10

export class ViewWaiting extends Context.Service<
  ViewWaiting,
  {
    readonly all: (accountId: AccountId) => Effect.Effect<Waiting, StoreUnavailable>
    /** A page of those that await the approval of an owner; after another one, if given. */
    readonly undecided: (query: Omit<WaitingQuery, "mode" | "status">) => Effect.Effect<UndecidedPage, StoreUnavailable>
  }
>()("backlinks/usecases/ordering/ViewWaiting") {
  static readonly layer = Layer.effect(
    ViewWaiting,
    Effect.gen(function* () {
      const quotes = yield* Quotes
      const { sweepAccount } = yield* SweepQuotes

      return ViewWaiting.of({
        all: Effect.fn("ViewWaiting.all")(function* (accountId) {
          yield* sweepAccount(accountId)
          const query = { accountId, mode: "live", limit: WAITING_SHOWN } as const
          return {
            undecided: yield* quotes.waiting({ ...query, status: "awaiting_approval" }),
            unpaid: yield* quotes.waiting({ ...query, status: "awaiting_payment" }),
            counts: yield* quotes.openCounts(query)
          }
        }),
        undecided: Effect.fn("ViewWaiting.undecided")(function* ({ limit, ...query }) {
          yield* sweepAccount(query.accountId)
          const ofApproval = { ...query, mode: "live", status: "awaiting_approval" } as const
          const found = yield* quotes.waiting({ ...ofApproval, limit: limit + 1 })
          const shown = found.slice(0, limit)
          return { quotes: shown, nextAfter: found.length > limit ? (shown.at(-1)?.quoteId ?? null) : null }
        })
      })
    })
  )
}
