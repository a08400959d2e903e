// The audit log, read from the books in memory. A page sorts all of it: operators and members do little, and read it rarely.
import { Effect, HashMap, Layer } from "effect"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { AuditId } from "#core/domain/shared/Ids.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"

export const layer: Layer.Layer<AuditLog, never, MemoryBooks> = Layer.effect(
  AuditLog,
  Effect.map(MemoryBooks, ({ current }) => {
    const page = ({ limit, beforeId }: PageRequest<AuditId>, isShown: (record: AuditRecord) => boolean) =>
      Effect.sync(() => {
        const before = Array.from(HashMap.values(current().audit))
          .filter((record) => isShown(record) && (beforeId === null || record.auditId < beforeId))
          .sort((a, b) => (a.auditId < b.auditId ? 1 : -1))
        const records = before.slice(0, limit)
        return { records, nextBeforeId: before.length > limit ? (records.at(-1)?.auditId ?? null) : null }
      })

    return AuditLog.of({
      page: (query) => page(query, () => true),
      ofAccount: ({ accountId, ...query }) => page(query, (record) => record.accountId === accountId)
    })
  })
)
