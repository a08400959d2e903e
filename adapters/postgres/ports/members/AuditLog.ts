// What operators and members did, from the audit table, newest first.
import { Effect } from "effect"
import { PROCESSOR, SERVICE } from "#core/domain/members/Actor.ts"
import { beginningsOf } from "#core/domain/operations/ActivityKind.ts"
import { AuditId } from "#core/domain/shared/Ids.ts"
import { type AuditConditions, AuditLog, EXAMINED_RECORDS } from "#core/ports/members/AuditLog.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, LAST_ID, queryValues, select, takePage } from "../../database/Queries.ts"
import { audit } from "../../rows/AccountRows.ts"

/** The records that one search looks at. */
const newestOfAccount =
  "FROM audit a WHERE a.audit_id < $1 AND a.account_id = $2 AND a.audit_id > $3 ORDER BY a.audit_id DESC"

const lastExamined = `SELECT a.audit_id AS value ${newestOfAccount} LIMIT 1 OFFSET $4 - 1`

const matching = `
SELECT ${audit.list("r")} AS value FROM (SELECT a.* ${newestOfAccount} LIMIT $4) r
WHERE ($5::text[] IS NULL OR EXISTS (SELECT FROM unnest($5::text[]) AS u (beginning) WHERE starts_with(r.action, u.beginning)))
  AND ($6::text IS NULL OR $6 = CASE
    WHEN r.actor = ANY ($7::text[]) THEN 'agent' WHEN starts_with(r.actor, 'mem_') THEN 'member'
    WHEN r.actor = '${PROCESSOR}' THEN 'processor' WHEN r.actor = '${SERVICE}' THEN 'service' ELSE 'operator' END)
  AND ($8::bigint IS NULL OR r.at_ms >= $8) AND ($9::bigint IS NULL OR r.at_ms <= $9)
ORDER BY r.audit_id DESC LIMIT $10`

const paramsOf = ({ kind, by, agents, fromMs, toMs }: AuditConditions): ReadonlyArray<unknown> => [
  kind === undefined ? null : beginningsOf(kind),
  by ?? null,
  agents,
  fromMs ?? null,
  toMs ?? null
]

export const layer = overDatabase(AuditLog, ({ read }) => {
  const newestFirst = (condition: string) =>
    select(read, audit, `audit r WHERE r.audit_id < $1 ${condition} ORDER BY r.audit_id DESC LIMIT $2`)
  const records = newestFirst("")
  const recordsOf = newestFirst("AND r.account_id = $3")
  const narrowed = queryValues(read, audit.schema, matching)
  const last = first(queryValues(read, AuditId, lastExamined))

  const asPage = (found: ReadonlyArray<typeof audit.schema.Type>, limit: number) => {
    const { rows, next } = takePage(found, limit, ({ auditId }) => auditId)
    return { records: rows, nextBeforeId: next }
  }

  return AuditLog.of({
    page: ({ limit, beforeId }) => Effect.map(records(beforeId ?? LAST_ID, limit + 1), (found) => asPage(found, limit)),
    ofAccount: Effect.fnUntraced(function* ({ accountId, limit, beforeId, conditions }) {
      const from = beforeId ?? LAST_ID
      if (conditions === undefined) return asPage(yield* recordsOf(from, limit + 1, accountId), limit)
      const searched = [from, accountId, conditions.afterId, conditions.examine ?? EXAMINED_RECORDS]
      const found = asPage(yield* narrowed(...searched, ...paramsOf(conditions), limit + 1), limit)
      return found.nextBeforeId === null ? { ...found, nextBeforeId: yield* last(...searched) } : found
    })
  })
})
