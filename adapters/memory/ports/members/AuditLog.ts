// The audit log, read from the books in memory.
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { beginningsOf, doerKind } from "#core/domain/operations/ActivityKind.ts"
import type { AuditId } from "#core/domain/shared/Ids.ts"
import { type AuditConditions, AuditLog, EXAMINED_RECORDS } from "#core/ports/members/AuditLog.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere } from "../../books/Rows.ts"

const meets = (
  { action, actor, atMs }: AuditRecord,
  { kind, by, fromMs = 0, toMs = Number.POSITIVE_INFINITY, agents }: AuditConditions
): boolean =>
  (kind === undefined || beginningsOf(kind).some((beginning) => action.startsWith(beginning))) &&
  (by === undefined || doerKind(actor, agents) === by) &&
  fromMs <= atMs &&
  atMs <= toMs

export const layer = overBooks(AuditLog, ({ current }) => {
  const newestFirst = (beforeId: AuditId | null, limit: number, isShown: (record: AuditRecord) => boolean) =>
    page(rowsWhere(current().audit, isShown), {
      ...{ by: ({ auditId }) => [auditId], isDescending: true, after: afterId(beforeId), limit }
    })

  const pageOf = ({ limit, beforeId }: PageRequest<AuditId>, isShown: (record: AuditRecord) => boolean) => {
    const { rows: records, next } = newestFirst(beforeId, limit, isShown)
    return { records, nextBeforeId: next?.auditId ?? null }
  }

  return {
    page: (query) => pageOf(query, () => true),
    ofAccount: ({ accountId, conditions, ...query }) => {
      const isOfAccount = (record: AuditRecord) => record.accountId === accountId
      if (conditions === undefined) return pageOf(query, isOfAccount)
      const { examine = EXAMINED_RECORDS } = conditions
      const examined = newestFirst(
        query.beforeId,
        examine,
        (record) => isOfAccount(record) && record.auditId > conditions.afterId
      ).rows
      const found = pageOf(query, (record) => examined.includes(record) && meets(record, conditions))
      const last = examined.length === examine ? (examined.at(-1)?.auditId ?? null) : null
      return { ...found, nextBeforeId: found.nextBeforeId ?? last }
    }
  }
})
