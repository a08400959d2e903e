// What a load is: it takes options of its own, says what it sees while it runs, and comes to figures and floors.
import type { Effect } from "effect"
import type { Held } from "./ResidentMemory.ts"

/** The last line of `--json`. Times are of what the load is mainly about. */
export interface Summary {
  readonly name: string
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** One measurement over another of the same run, so that the machine cancels out; `null` where there was no other. */
  readonly ratios: Readonly<Record<string, number | null>>
  /** What the service's processes held in its rounds, in either half of the time; `null` where the system does not tell. */
  readonly memory_mb?: readonly [before: Held | null, after: Held | null]
}

export interface Figures {
  readonly summary: Summary
  /** In words, each floor that was not kept. */
  readonly missed: ReadonlyArray<string>
}

export type Load = (options: ReadonlyArray<string>) => Effect.Effect<Figures, unknown>

export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Nearest rank; of nothing it is not a number. */
export const percentiles = (values: ReadonlyArray<number>): Percentiles => {
  const ascending = values.toSorted((a, b) => a - b)
  const at = (share: number) => ascending[Math.ceil(share * ascending.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export const rounded = (value: number, decimals = 2): number => Number(value.toFixed(decimals))

/** A clock that all threads of this machine share, in milliseconds. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
