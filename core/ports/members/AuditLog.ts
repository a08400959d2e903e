// Reads the audit log. Records are written through the order book, together with the change that they describe.
import { Context, type Effect } from "effect"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { ActivityFilter } from "#core/domain/operations/ActivityKind.ts"
import type { AccountId, AuditId } from "#core/domain/shared/Ids.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface AuditPage {
  /** Newest first. */
  readonly records: ReadonlyArray<AuditRecord>
  readonly nextBeforeId: AuditId | null
}

/** Records that one page with conditions examines: its time does not grow with the number of an account's records. */
export const EXAMINED_RECORDS = 500

export interface AuditConditions extends ActivityFilter {
  /** The ids of the account's keys and connections, which tell agents from others. */
  readonly agents: ReadonlyArray<string>
  /** Nothing before this id is examined. */
  readonly afterId: AuditId
  /** `EXAMINED_RECORDS` unless given. */
  readonly examine?: number
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly page: (query: PageRequest<AuditId>) => Effect.Effect<AuditPage, StoreUnavailable>
    /**
     * The records of one account. With conditions, at most `EXAMINED_RECORDS` are examined; where the page is not full after that,
     * `nextBeforeId` continues behind them.
     */
    readonly ofAccount: (
      query: PageRequest<AuditId> & { readonly accountId: AccountId; readonly conditions?: AuditConditions }
    ) => Effect.Effect<AuditPage, StoreUnavailable>
  }
>()("backlinks/ports/members/AuditLog") {}
