// The audit log, read from the books in memory.
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AuditId } from "#core/domain/shared/Ids.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere } from "../../books/Rows.ts"

export const layer = overBooks(AuditLog, ({ current }) => {
  const pageOf = ({ limit, beforeId }: PageRequest<AuditId>, isShown: (record: AuditRecord) => boolean) => {
    const { rows: records, next } = page(rowsWhere(current().audit, isShown), {
      ...{ by: ({ auditId }) => [auditId], isDescending: true, after: afterId(beforeId), limit }
    })
    return { records, nextBeforeId: next?.auditId ?? null }
  }

  return {
    page: (query) => pageOf(query, () => true),
    ofAccount: ({ accountId, ...query }) => pageOf(query, (record) => record.accountId === accountId)
  }
})
