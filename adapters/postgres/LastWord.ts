// The last word of the database on something that seldom changes: what it is, and until when nobody has to ask again. Times are
// milliseconds of one clock, whichever.

export interface LastWord {
  /** What was answered to a question asked at this time. */
  readonly learn: (word: string, askedAtMs: number) => void
  /** Something was changed at this time: what was asked before it says nothing any more. */
  readonly doubt: (atMs: number) => void
  /** Whether this is the last word, and still good. */
  readonly holds: (word: string, atMs: number) => boolean
}

export const lastWord = (goodForMs: number): LastWord => {
  let last: { readonly word: string; readonly askedAtMs: number } | null = null
  let doubtedAtMs = Number.NEGATIVE_INFINITY
  return {
    learn: (word, askedAtMs) => {
      if (askedAtMs > doubtedAtMs && (last === null || askedAtMs > last.askedAtMs)) last = { word, askedAtMs }
    },
    doubt: (atMs) => {
      doubtedAtMs = atMs
      last = null
    },
    holds: (word, atMs) => last !== null && last.word === word && atMs < last.askedAtMs + goodForMs
  }
}
