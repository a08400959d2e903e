// The last word of the database on something that seldom changes: what it is, and until when nobody has to ask again. Times are
// milliseconds of one clock, whichever.

export interface VersionCache {
  /** What was answered to a question asked at this time. */
  readonly observe: (word: string, askedAtMs: number) => void
  /** Something was changed at this time: what was asked before it says nothing any more. */
  readonly invalidate: (atMs: number) => void
  /** Whether this is the last word, and still good. */
  readonly isFresh: (word: string, atMs: number) => boolean
}

export const makeVersionCache = (goodForMs: number): VersionCache => {
  let last: { readonly word: string; readonly askedAtMs: number } | null = null
  let doubtedAtMs = Number.NEGATIVE_INFINITY
  return {
    observe: (word, askedAtMs) => {
      if (askedAtMs > doubtedAtMs && (last === null || askedAtMs > last.askedAtMs)) last = { word, askedAtMs }
    },
    invalidate: (atMs) => {
      doubtedAtMs = atMs
      last = null
    },
    isFresh: (word, atMs) => last !== null && last.word === word && atMs < last.askedAtMs + goodForMs
  }
}
