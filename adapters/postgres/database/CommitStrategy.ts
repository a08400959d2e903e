// Commits go over one connection, each behind the other, or side by side over several: which is better depends on what they take their
// time for, and that is different on each operator's machines.
import { Effect } from "effect"
import type { RunSql } from "./Connections.ts"

/** Of the last commits, so many count; of fewer than the least nothing is said. */
const COUNTED = 32
const LEAST = 8

/** In a row, a commit may wait for so much of the time that is worked on it: with disks of 5 and 20 ms, waiting together was quicker beyond. */
const WAIT_IN_A_ROW = 1 / 2

/** What the database did with the time of the last commits. */
export class CommitTimes {
  readonly #workedMs: Array<number> = []
  readonly #waitedMs: Array<number> = []
  #noted = 0
  #areWaits = false

  /** Of a commit, how long the database worked on its statement, and how long it took in all. */
  record(workedMs: number, tookMs: number): void {
    const at = this.#noted++ % COUNTED
    this.#workedMs[at] = workedMs
    this.#waitedMs[at] = tookMs - workedMs
    const worked = this.#workedMs.reduce((sum, ms) => sum + ms, 0) / this.#workedMs.length
    // A quarter of them waited for less. What the others waited for may have been this process, which had something else to do.
    const waited = this.#waitedMs.toSorted((a, b) => a - b)[this.#waitedMs.length >> 2] ?? 0
    this.#areWaits = this.#noted >= LEAST && waited > worked * WAIT_IN_A_ROW
  }

  /** Whether they mostly waited, for a disk or a replica, so that others could have been worked on meanwhile. */
  get isIoBound(): boolean {
    return this.#areWaits
  }
}

/** What a statement adds to its answer, so that its commit can be counted here: how long the database has worked on it, in milliseconds. */
export const WORKED_MS = "(1000 * extract(epoch FROM clock_timestamp() - statement_timestamp()))::float8 AS worked_ms"

/**
 * Both ways write the same; statements that end in `WORKED_MS` decide by their times which of them the next takes. `now` is this
 * machine's own clock, which no test and no administrator moves.
 */
export const makeCommitStrategy = <Fault>(
  inARow: RunSql<Fault>,
  sideBySide: RunSql<Fault>,
  now = () => performance.now()
): RunSql<Fault> => {
  const times = new CommitTimes()
  /** When the last in the row was answered, and the database could begin with the next. */
  let lastMs = 0
  return (sql, params, visit) =>
    Effect.suspend(() => {
      const isInARow = !times.isIoBound
      const sentMs = now()
      const written = isInARow ? inARow(sql, params, visit) : sideBySide(sql, params, visit)
      return Effect.map(written, (rows) => {
        const doneMs = now()
        const tookMs = doneMs - (isInARow ? Math.max(sentMs, lastMs) : sentMs)
        if (isInARow) lastMs = doneMs
        const workedMs = rows[0]?.["worked_ms"]
        if (typeof workedMs === "number") times.record(workedMs, tookMs)
        return rows
      })
    })
}
