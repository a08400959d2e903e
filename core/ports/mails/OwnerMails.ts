// The mails that owners are told by: what waits for their approval or expired without, what agents bought from credit, what people bought and
// paid in, which links are online, and what happened to their account. The quotes, orders, ledger entries and audit records themselves are the
// requests: no order writes or waits for anything here.
import { Context, type Effect } from "effect"
import type { DueApprovalMail } from "#core/domain/mails/ApprovalMail.ts"
import type { ChosenMail } from "#core/domain/mails/ChosenMail.ts"
import type { DueExpiryMail } from "#core/domain/mails/ExpiryMail.ts"
import type { DueLinkMail } from "#core/domain/mails/LinkMail.ts"
import type { DueNoticeMail } from "#core/domain/mails/NoticeMail.ts"
import type { DuePurchaseMail } from "#core/domain/mails/PurchaseMail.ts"
import type { DueReceiptMail } from "#core/domain/mails/ReceiptMail.ts"
import type { DueTopUpMail } from "#core/domain/mails/TopUpMail.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import type { Claim } from "../shared/Outbox.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface MailClaim extends Claim {
  /** News of the last `lagMs` waits, because an earlier one may still be committed. */
  readonly lagMs: Millis
}

export interface MailSettlement {
  /** The owner knows of what is up to this id; `null`: of no more than before. Never goes back. */
  readonly upTo: string | null
  /** The next mail, with what is new by then, is due then at the earliest. */
  readonly nextAtMs: Millis
  /** Attempts that failed since the last mail. */
  readonly attempts: number
}

export interface MailQueue<Mail> {
  /** A mail to each owner to whom one is due. */
  readonly claim: (query: MailClaim) => Effect.Effect<ReadonlyArray<Mail>, StoreUnavailable>
  /** Ends the lease. */
  readonly settle: (memberId: MemberId, settlement: MailSettlement) => Effect.Effect<void, StoreUnavailable>
}

export class OwnerMails extends Context.Service<
  OwnerMails,
  {
    /** What still waits once these mails are wanted again is told then. */
    readonly approvals: MailQueue<DueApprovalMail>
    /** What was bought while these mails were not wanted, or before someone became an owner, is not told later. */
    readonly purchases: MailQueue<DuePurchaseMail>
    /** What happened before someone became an owner is not told later, nor to who did join that they joined. */
    readonly notices: MailQueue<DueNoticeMail>
    /** Old news is not told later, here and below, and a link that was taken down meanwhile not at all. */
    readonly links: MailQueue<DueLinkMail>
    readonly expiries: MailQueue<DueExpiryMail>
    /**
     * Told once the invoice is issued, oldest first: within an account, a newer one waits for an older one's document, but for no longer than
     * `DOCUMENT_WAIT_MS`. What a newer one was told without is not told later. Top-ups do alike.
     */
    readonly receipts: MailQueue<DueReceiptMail>
    /** Told once the receipt is issued. */
    readonly topUps: MailQueue<DueTopUpMail>
    /** Which mails the member wants: all, unless they chose otherwise. */
    readonly wanted: (memberId: MemberId) => Effect.Effect<ReadonlyArray<ChosenMail>, StoreUnavailable>
    /** The member wants these mails alone. What is due of mails that were wanted before stays due. */
    readonly choose: (memberId: MemberId, wanted: ReadonlyArray<ChosenMail>) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/mails/OwnerMails") {}
