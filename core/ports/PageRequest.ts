// Which page of a list that shows the newest entry first.

export interface PageRequest {
  /** At least 1. */
  readonly limit: number
  /** Continues after the entry with this id; `null` starts with the newest. */
  readonly beforeId: string | null
}
