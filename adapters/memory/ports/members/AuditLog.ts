// The audit log, read from the books in memory.
import { Effect, Layer } from "effect"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AuditId } from "#core/domain/shared/Ids.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { afterId, page, rowsWhere } from "../../books/Rows.ts"

export const layer: Layer.Layer<AuditLog, never, MemoryBooks> = Layer.effect(
  AuditLog,
  Effect.map(MemoryBooks, ({ current }) => {
    const pageOf = ({ limit, beforeId }: PageRequest<AuditId>, isShown: (record: AuditRecord) => boolean) =>
      Effect.sync(() => {
        const { rows: records, next } = page(rowsWhere(current().audit, isShown), {
          ...{ by: ({ auditId }) => [auditId], isDescending: true, after: afterId(beforeId), limit }
        })
        return { records, nextBeforeId: next?.auditId ?? null }
      })

    return AuditLog.of({
      page: (query) => pageOf(query, () => true),
      ofAccount: ({ accountId, ...query }) => pageOf(query, (record) => record.accountId === accountId)
    })
  })
)
