// The resident memory of processes, in MB.
import { readFile } from "node:fs/promises"
import { Effect, Schedule } from "effect"

const KIB = 1_024
const MB = 1_000_000

/** The resident set in bytes, from a process's `status` file; `null` without one, as for a process that has ended. */
export const residentBytes = (status: string): number | null => {
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? []
  return kib === undefined ? null : Number(kib) * KIB
}

/** The resident memory of these processes together, in whole MB; `null` unless the system reports it for all of them. */
export const residentMb = async (pids: ReadonlyArray<number>): Promise<number | null> => {
  let bytes = 0
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
    const held = residentBytes(status)
    if (held === null) return null
    bytes += held
  }
  return Math.round(bytes / MB)
}

/** In MB, over many readings. */
export interface MemoryRange {
  readonly low: number
  readonly mean: number
  readonly high: number
}

/** `null` without readings, or with an unknown one. */
export const memoryRange = (readings: ReadonlyArray<number | null>): MemoryRange | null => {
  const known = readings.filter((mb) => mb !== null)
  if (known.length === 0 || known.length < readings.length) return null
  const mean = Math.round(known.reduce((sum, mb) => sum + mb, 0) / known.length)
  return { low: Math.min(...known), mean, high: Math.max(...known) }
}

/** The result of `during`, and a reading of the processes' memory each second. One reading says little, because of garbage collection. */
export const withMemoryReadings = <A, E, R>(during: Effect.Effect<A, E, R>, pids: ReadonlyArray<number>) =>
  Effect.suspend(() => {
    const memoryMb: Array<number | null> = []
    const read = Effect.promise(async () => {
      memoryMb.push(await residentMb(pids))
    })
    const readings = Effect.repeat(read, Schedule.spaced("1 second"))
    return Effect.raceFirst(during, Effect.andThen(readings, Effect.never)).pipe(
      Effect.map((result) => ({ result, memoryMb }))
    )
  })
