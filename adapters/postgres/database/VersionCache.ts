// The last known version of something that changes seldom, and whether it is still fresh. Times are milliseconds of one clock.

export interface VersionCache {
  /** The version that was read by a query sent at this time. */
  readonly observe: (version: string, sentAtMs: number) => void
  /** A change was made at this time: versions read by queries sent before it no longer count. */
  readonly invalidate: (atMs: number) => void
  /** The last known version, if it is not too old. */
  readonly latest: (atMs: number) => string | null
  /** Whether this is the latest version. */
  readonly isFresh: (version: string, atMs: number) => boolean
}

export const makeVersionCache = (freshForMs: number): VersionCache => {
  let last: { readonly version: string; readonly sentAtMs: number } | null = null
  let invalidatedAtMs = Number.NEGATIVE_INFINITY
  const latest = (atMs: number) => (last !== null && atMs < last.sentAtMs + freshForMs ? last.version : null)
  return {
    observe: (version, sentAtMs) => {
      if (sentAtMs > invalidatedAtMs && (last === null || sentAtMs > last.sentAtMs)) last = { version, sentAtMs }
    },
    invalidate: (atMs) => {
      invalidatedAtMs = atMs
      last = null
    },
    latest,
    isFresh: (version, atMs) => latest(atMs) === version
  }
}
