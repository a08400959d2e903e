// What a load is: a program with options that reports figures and the floors that they missed.
import type { Effect } from "effect"
import type { CostPerCall } from "./Costs.ts"
import type { MemoryRange } from "./ResidentMemory.ts"

/** The last line with `--json`. Times are those of the load's main calls. */
export interface Summary {
  readonly name: string
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** One measurement over another of the same run, so that the machine cancels out; `null` without the other. */
  readonly ratios: Readonly<Record<string, number | null>>
  /** Costs of one call of each contender, by its name: processor time in microseconds, bytes of PostgreSQL's log and of the database. */
  readonly cpu_us?: Readonly<Record<string, CostPerCall["cpu_us"]>>
  readonly wal_bytes?: Readonly<Record<string, number>>
  readonly disk_bytes?: Readonly<Record<string, number>>
  /** Resident memory of the service's processes in each half of the run; `null` if the system does not report it. */
  readonly memory_mb?: readonly [before: MemoryRange | null, after: MemoryRange | null]
}

export interface Figures {
  readonly summary: Summary
  /** A sentence for each missed floor. */
  readonly missed: ReadonlyArray<string>
}

export type Load = (options: ReadonlyArray<string>) => Effect.Effect<Figures, unknown>

export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Percentiles by nearest rank; NaN without values. */
export const percentiles = (values: ReadonlyArray<number>): Percentiles => {
  const ascending = values.toSorted((a, b) => a - b)
  const at = (share: number) => ascending[Math.ceil(share * ascending.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export const rounded = (value: number, decimals = 2): number => Number(value.toFixed(decimals))

/** Milliseconds of a clock shared by all threads. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
