// The last known version of something that changes seldom, and whether it is still fresh. Times are milliseconds of one clock.

export interface VersionCache {
  /** The version that was read by a query sent at this time. */
  readonly observe: (version: string, sentAtMs: number) => void
  /** A change was made at this time: versions read by queries sent before it no longer count. */
  readonly invalidate: (atMs: number) => void
  /** Whether this is the last known version, and it is not too old. */
  readonly isFresh: (version: string, atMs: number) => boolean
}

export const makeVersionCache = (freshForMs: number): VersionCache => {
  let last: { readonly version: string; readonly sentAtMs: number } | null = null
  let invalidatedAtMs = Number.NEGATIVE_INFINITY
  return {
    observe: (version, sentAtMs) => {
      if (sentAtMs > invalidatedAtMs && (last === null || sentAtMs > last.sentAtMs)) last = { version, sentAtMs }
    },
    invalidate: (atMs) => {
      invalidatedAtMs = atMs
      last = null
    },
    isFresh: (version, atMs) => last !== null && last.version === version && atMs < last.sentAtMs + freshForMs
  }
}
