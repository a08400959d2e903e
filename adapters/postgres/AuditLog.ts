// Operators' actions from the audit table, newest first.
import { Effect, Layer } from "effect"
import { AuditLog } from "#core/ports/AuditLog.ts"
import { Database } from "./database/Database.ts"
import { LAST_ID, queryRows, takePage } from "./database/Queries.ts"
import { audit } from "./rows/AccountRows.ts"

const newestFirst = `
SELECT ${audit.list("r")} AS row FROM audit r WHERE r.audit_id < $1 ORDER BY r.audit_id DESC LIMIT $2`

export const layer: Layer.Layer<AuditLog, never, Database> = Layer.effect(
  AuditLog,
  Effect.map(Database, (database) => {
    const records = queryRows(database.read, audit, newestFirst)

    return AuditLog.of({
      page: ({ limit, beforeId }) =>
        Effect.map(records(beforeId ?? LAST_ID, limit + 1), (found) => {
          const { rows, next } = takePage(found, limit, ({ auditId }) => auditId)
          return { records: rows, nextBeforeId: next }
        })
    })
  })
)
