// Reads the audit log. Records are written through the order book, together with the change that they describe.
import { Context, type Effect } from "effect"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface AuditPage {
  /** Newest first. */
  readonly records: ReadonlyArray<AuditRecord>
  readonly nextBeforeId: string | null
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly page: (query: PageRequest) => Effect.Effect<AuditPage, StoreUnavailable>
    /** The records of one account. */
    readonly ofAccount: (
      query: PageRequest & { readonly accountId: string }
    ) => Effect.Effect<AuditPage, StoreUnavailable>
  }
>()("backlinks/ports/members/AuditLog") {}
