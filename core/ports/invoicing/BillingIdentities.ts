// Reads and keeps the billing identities of accounts. What is issued already never changes with them.
import { Context, type Effect } from "effect"
import type { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface IdentityChange {
  readonly accountId: AccountId
  /** The identity that was read; `null` where there was none. */
  readonly previous: BillingIdentity | null
  readonly identity: BillingIdentity
  readonly audit: AuditRecord
}

export class BillingIdentities extends Context.Service<
  BillingIdentities,
  {
    readonly of: (accountId: AccountId) => Effect.Effect<BillingIdentity | null, StoreUnavailable>
    /**
     * Replaces the identity and writes the audit record in one transaction. `false`, and nothing is written, if the stored identity is no
     * longer `previous`.
     */
    readonly replace: (change: IdentityChange) => Effect.Effect<boolean, AccountNotFound | StoreUnavailable>
  }
>()("backlinks/ports/invoicing/BillingIdentities") {}
