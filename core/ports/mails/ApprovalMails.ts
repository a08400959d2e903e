// Finds the orders that wait for approval and that owners are to be told of by mail. The quotes themselves are the requests: no order
// writes or waits for anything here.
import { Context, type Effect } from "effect"
import type { DueApprovalMail } from "#core/domain/mails/ApprovalMail.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export class ApprovalMails extends Context.Service<
  ApprovalMails,
  {
    /**
     * Mails on live quotes that wait and are not told yet, each to one caller: no other gets it until `untilMs`, or until it is sent or
     * failed. Quotes of the last `lagMs` wait, because an earlier one may still be committed.
     */
    readonly claim: (query: {
      readonly nowMs: Millis
      readonly untilMs: Millis
      readonly lagMs: Millis
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DueApprovalMail>, StoreUnavailable>
    /** The next one is due at `nextAtMs` at the earliest. */
    readonly sent: (
      mail: Pick<DueApprovalMail, "memberId" | "upTo">,
      nextAtMs: Millis
    ) => Effect.Effect<void, StoreUnavailable>
    /** Counts the attempt; the same mail, with what waits by then, is due at `nextAtMs`. */
    readonly failed: (memberId: MemberId, nextAtMs: Millis) => Effect.Effect<void, StoreUnavailable>
    /** Whether the member wants these mails: yes, unless told otherwise. */
    readonly isWanted: (memberId: MemberId) => Effect.Effect<boolean, StoreUnavailable>
    /** What still waits once they are wanted again is told then. */
    readonly want: (memberId: MemberId, wanted: boolean) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/mails/ApprovalMails") {}
