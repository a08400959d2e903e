// The version of something that changes seldom, as it was read last. A change by this instance shows at once, one by another instance
// within half a second.
import { Effect, Schema } from "effect"
import { makeBatchedLookup } from "./BatchedLookup.ts"
import type { Database } from "./Database.ts"
import { queryValues } from "./Queries.ts"

/** How long another instance's change may go unnoticed. */
const FRESH_FOR_MS = 500

/**
 * `sql` selects the version as `value`. The default is the machine's monotonic clock, which neither a test nor an administrator sets.
 */
export const makeVersionCache = (database: Database["Service"], sql: string, monotonicMs = () => performance.now()) => {
  const read = queryValues(database.read, Schema.String, sql)
  let last: { readonly version: string; readonly sentAtMs: number } | null = null
  let invalidatedAtMs = Number.NEGATIVE_INFINITY

  /** Called when a query is sent. The version that it reads goes to the returned function. */
  const sendQuery = () => {
    const sentAtMs = monotonicMs()
    return (version: string): void => {
      if (sentAtMs > invalidatedAtMs && (last === null || sentAtMs > last.sentAtMs)) last = { version, sentAtMs }
    }
  }

  const refresh = makeBatchedLookup((callers: ReadonlyArray<null>) =>
    Effect.suspend(() => {
      const observe = sendQuery()
      return Effect.map(read(), ([version = ""]) => {
        observe(version)
        return callers.map(() => version)
      })
    })
  )

  return {
    sendQuery,
    /** Reads the version. */
    refresh: refresh(null),
    /** A change was made: versions read by queries sent before it no longer count. */
    invalidate: (): void => {
      invalidatedAtMs = monotonicMs()
      last = null
    },
    /** The last known version, if it is not too old. */
    latest: (): string | null => (last !== null && monotonicMs() < last.sentAtMs + FRESH_FOR_MS ? last.version : null)
  }
}
