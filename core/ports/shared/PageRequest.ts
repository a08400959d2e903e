// The request for one page of a list, newest entries first.

export interface PageRequest<Id extends string> {
  /** At least 1. */
  readonly limit: number
  /** Continues after the entry with this id; `null` starts with the newest. */
  readonly beforeId: Id | null
}
