// The audit log, read from the books in memory. A page sorts all of it: operators do little, and read it rarely.
import { Effect, HashMap, Layer } from "effect"
import { AuditLog } from "#core/ports/AuditLog.ts"
import { MemoryBooks } from "./books/MemoryBooks.ts"

export const layer: Layer.Layer<AuditLog, never, MemoryBooks> = Layer.effect(
  AuditLog,
  Effect.map(MemoryBooks, ({ current }) =>
    AuditLog.of({
      page: ({ limit, beforeId }) =>
        Effect.sync(() => {
          const before = Array.from(HashMap.values(current().audit))
            .filter(({ auditId }) => beforeId === null || auditId < beforeId)
            .sort((a, b) => (a.auditId < b.auditId ? 1 : -1))
          const records = before.slice(0, limit)
          return { records, nextBeforeId: before.length > limit ? (records.at(-1)?.auditId ?? null) : null }
        })
    })
  )
)
