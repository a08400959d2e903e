// Reads the audit log. Records are written through the order book, together with the change that they describe.
import { Context, type Effect } from "effect"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AccountId, AuditId } from "#core/domain/shared/Ids.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface AuditPage {
  /** Newest first. */
  readonly records: ReadonlyArray<AuditRecord>
  readonly nextBeforeId: AuditId | null
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly page: (query: PageRequest<AuditId>) => Effect.Effect<AuditPage, StoreUnavailable>
    /** The records of one account. */
    readonly ofAccount: (
      query: PageRequest<AuditId> & { readonly accountId: AccountId }
    ) => Effect.Effect<AuditPage, StoreUnavailable>
  }
>()("backlinks/ports/members/AuditLog") {}
