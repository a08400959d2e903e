// Reads and keeps the billing identities of accounts. What is issued already never changes with them.
import { Context, type Effect } from "effect"
import type { AuditRecord } from "#core/domain/AuditRecord.ts"
import type { BillingIdentity } from "#core/domain/Party.ts"
import type { AccountNotFound } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "./PortErrors.ts"

export class BillingIdentities extends Context.Service<
  BillingIdentities,
  {
    readonly of: (accountId: string) => Effect.Effect<BillingIdentity | null, StoreUnavailable>
    /** Replaces the identity, and writes the audit record in the same transaction; `null` where no operator did it. */
    readonly save: (
      accountId: string,
      identity: BillingIdentity,
      audit: AuditRecord | null
    ) => Effect.Effect<void, AccountNotFound | StoreUnavailable>
  }
>()("backlinks/ports/BillingIdentities") {}
