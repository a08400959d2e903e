// What operators and members did, from the audit table, newest first.
import { Effect } from "effect"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { overDatabase } from "../../database/Database.ts"
import { LAST_ID, select, takePage } from "../../database/Queries.ts"
import { audit } from "../../rows/AccountRows.ts"

export const layer = overDatabase(AuditLog, ({ read }) => {
  const newestFirst = (condition: string) =>
    select(read, audit, `audit r WHERE r.audit_id < $1 ${condition} ORDER BY r.audit_id DESC LIMIT $2`)
  const records = newestFirst("")
  const recordsOf = newestFirst("AND r.account_id = $3")

  const asPage = (found: ReadonlyArray<typeof audit.schema.Type>, limit: number) => {
    const { rows, next } = takePage(found, limit, ({ auditId }) => auditId)
    return { records: rows, nextBeforeId: next }
  }

  return AuditLog.of({
    page: ({ limit, beforeId }) => Effect.map(records(beforeId ?? LAST_ID, limit + 1), (found) => asPage(found, limit)),
    ofAccount: ({ accountId, limit, beforeId }) =>
      Effect.map(recordsOf(beforeId ?? LAST_ID, limit + 1, accountId), (found) => asPage(found, limit))
  })
})
