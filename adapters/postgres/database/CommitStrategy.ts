// Chooses between serial commits over one connection and parallel commits over several, by what recent commits spent their time on.
import { Effect } from "effect"
import type { RunSql } from "./Connections.ts"

/** Sample size, and the minimum before the times are judged. */
const SAMPLE_SIZE = 32
const MIN_SAMPLES = 8

/** Above this ratio of waiting to working time, parallel commits were faster in measurements with disks of 5 and 20 ms. */
const MAX_SERIAL_WAIT_RATIO = 1 / 2

/** Where the database spent the time of the last commits. */
export class CommitTimes {
  readonly #workedMs: Array<number> = []
  readonly #waitedMs: Array<number> = []
  #recorded = 0
  #isIoBound = false

  /** How long the database worked on the statement of a commit, and how long the commit took in all. */
  record(workedMs: number, tookMs: number): void {
    const index = this.#recorded++ % SAMPLE_SIZE
    this.#workedMs[index] = workedMs
    this.#waitedMs[index] = tookMs - workedMs
    const worked = this.#workedMs.reduce((sum, ms) => sum + ms, 0) / this.#workedMs.length
    // The lower quartile: longer waits may have been for this process, busy with something else.
    const waited = this.#waitedMs.toSorted((a, b) => a - b)[this.#waitedMs.length >> 2] ?? 0
    this.#isIoBound = this.#recorded >= MIN_SAMPLES && waited > worked * MAX_SERIAL_WAIT_RATIO
  }

  /** Whether they mostly waited for a disk or a replica, so that the database could have worked on others meanwhile. */
  get isIoBound(): boolean {
    return this.#isIoBound
  }
}

/** A column for the commit statement: how long the database has worked on it, in milliseconds. */
export const WORKED_MS = "(1000 * extract(epoch FROM clock_timestamp() - statement_timestamp()))::float8 AS worked_ms"

/**
 * `serial` and `parallel` write the same. Statements with the column `WORKED_MS` are measured. `now` is the machine's monotonic clock,
 * which neither a test nor an administrator sets.
 */
export const makeCommitStrategy = <Fault>(
  serial: RunSql<Fault>,
  parallel: RunSql<Fault>,
  now = () => performance.now()
): RunSql<Fault> => {
  const times = new CommitTimes()
  /** When the last serial commit was answered, and the database could begin with the next. */
  let serialDoneMs = 0
  return (sql, params, admission) =>
    Effect.suspend(() => {
      const isSerial = !times.isIoBound
      const sentMs = now()
      const written = isSerial ? serial(sql, params, admission) : parallel(sql, params, admission)
      return Effect.map(written, (rows) => {
        const doneMs = now()
        const tookMs = doneMs - (isSerial ? Math.max(sentMs, serialDoneMs) : sentMs)
        if (isSerial) serialDoneMs = doneMs
        const workedMs = rows[0]?.["worked_ms"]
        if (typeof workedMs === "number") times.record(workedMs, tookMs)
        return rows
      })
    })
}
