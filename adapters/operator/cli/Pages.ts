// Reads as many pages of a list as it takes, and says so when the list goes on behind them.
import { Effect } from "effect"
import { MAX_PAGE } from "../records/Fields.ts"
import { printNote } from "./Output.ts"

export interface Page<Row, Place> {
  readonly rows: ReadonlyArray<Row>
  /** What the next page begins behind; `null` on the last. */
  readonly next: Place | null
}

/** The first `limit` rows, or those of them that `keep` lets through. */
export const readPages = Effect.fnUntraced(function* <Row, E, Place = string>(
  limit: number,
  read: (size: number, after: Place | null) => Effect.Effect<Page<Row, Place>, E>,
  keep?: (row: Row) => boolean
) {
  const size = keep === undefined ? Math.min(MAX_PAGE, limit) : MAX_PAGE
  const rows: Array<Row> = []
  let after: Place | null = null
  do {
    const page: Page<Row, Place> = yield* read(size, after)
    rows.push(...(keep === undefined ? page.rows : page.rows.filter(keep)))
    after = page.next
  } while (after !== null && rows.length < limit)
  if (after !== null || rows.length > limit) yield* printNote(`These are the first ${limit}; --limit shows more.`)
  return rows.slice(0, limit)
})
