// Finds what agents bought from credit and owners are to be told by mail. The orders themselves are the requests: no order writes or waits
// for anything here.
import { Context, type Effect } from "effect"
import type { DuePurchaseMail } from "#core/domain/mails/PurchaseMail.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class PurchaseMails extends Context.Service<
  PurchaseMails,
  {
    /**
     * Notes for each owner which of the orders since the last call are purchases of agents; one call at a time over all instances. Orders
     * of the last `lagMs` wait, because an earlier one may still be committed. Returns whether more are left.
     */
    readonly collect: (query: { readonly lagMs: Millis }) => Effect.Effect<boolean, StoreUnavailable>
    /** Mails that are due, each to one caller: no other gets it until `untilMs`, or until it is sent or failed. */
    readonly claim: (query: {
      readonly nowMs: Millis
      readonly untilMs: Millis
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DuePurchaseMail>, StoreUnavailable>
    /** The next one is due at `nextAtMs` at the earliest. */
    readonly sent: (
      mail: Pick<DuePurchaseMail, "memberId" | "upTo">,
      nextAtMs: Millis
    ) => Effect.Effect<void, StoreUnavailable>
    /** Counts the attempt; the same mail, with what is bought until then, is due at `nextAtMs`. */
    readonly failed: (memberId: MemberId, nextAtMs: Millis) => Effect.Effect<void, StoreUnavailable>
    /** Whether the member wants these mails: yes, unless told otherwise. */
    readonly isWanted: (memberId: MemberId) => Effect.Effect<boolean, StoreUnavailable>
    /** What was bought while they were not wanted is not told later. */
    readonly want: (memberId: MemberId, wanted: boolean) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/mails/PurchaseMails") {}
