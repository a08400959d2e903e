// Reads invitations, and sends their mails. They are made, accepted and withdrawn through the order book.
import { Context, type Effect } from "effect"
import type { Invitation } from "#core/domain/members/Invitation.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, InvitationId } from "#core/domain/shared/Ids.ts"
import type { Claim } from "../shared/Outbox.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

/** What the invited person is told. */
export interface InvitationView {
  readonly invitation: Invitation
  readonly accountName: string
  /** The address of the member who invited; `null` where an operator did, or an upgrade. */
  readonly inviter: string | null
}

/** A mail that is to be sent now. */
export interface DueInvitation extends InvitationView {
  /** Earlier attempts that failed. */
  readonly attempts: number
}

export class Invitations extends Context.Service<
  Invitations,
  {
    /** All that are kept, ended ones too, oldest first. */
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<Invitation>, StoreUnavailable>
    /** The invitation of a link that was kept with this hash, ended or not. */
    readonly withLink: (hash: string) => Effect.Effect<InvitationView | null, StoreUnavailable>
    /** The open ones for this address in any spelling, oldest first. */
    readonly openTo: (email: string, nowMs: Millis) => Effect.Effect<ReadonlyArray<InvitationView>, StoreUnavailable>
    /**
     * Leases open invitations of which no mail was sent: on one UTC day at most one to an address, whichever accounts invite it, and the
     * others on a later day.
     */
    readonly claimMails: (claim: Claim) => Effect.Effect<ReadonlyArray<DueInvitation>, StoreUnavailable>
    /** Keeps a link of the invitation, beside those of earlier attempts; `false` where it has ended. */
    readonly keepLink: (
      invitationId: InvitationId,
      hash: string,
      nowMs: Millis
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Ends the lease. `null`: the mail was sent, or is given up; nothing makes it due again. */
    readonly settleMail: (
      invitationId: InvitationId,
      next: { readonly nextAtMs: Millis; readonly attempts: number } | null,
      atMs: Millis
    ) => Effect.Effect<void, StoreUnavailable>
    /** Deletes, by the store's time, those that ended, and were kept as long again. */
    readonly prune: Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/members/Invitations") {}
