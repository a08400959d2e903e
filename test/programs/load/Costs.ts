// What a round of calls costs: processor time of the servers and of PostgreSQL, and the bytes of its log and of the database.
import { readdir, readFile } from "node:fs/promises"
import { Effect, type Redacted } from "effect"
import { queryOne } from "./DatabaseServer.ts"

/** Totals since some time; differences count. `null`: not known, as on another system or for a server of another machine. */
interface Reading {
  readonly nodeMs: number | null
  readonly postgresMs: number | null
  readonly walBytes: number
  readonly diskBytes: number
}

/** Totals of one round, and the number of calls that they are for. */
export interface Cost extends Reading {
  readonly calls: number
}

/** The kernel counts in hundredths of a second, on every system that has `/proc`. */
const TICK_MS = 10

interface ProcessTimes {
  readonly parent: number
  readonly ownMs: number
  /** The time of children that have ended. */
  readonly endedMs: number
}

/** From a process's `stat` file; its name, in parentheses, may contain anything. */
export const processTimes = (stat: string): ProcessTimes | null => {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [
    parent = Number.NaN,
    user = Number.NaN,
    system = Number.NaN,
    endedUser = Number.NaN,
    endedSystem = Number.NaN
  ] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
  if (Number.isNaN(parent + user + system + endedUser + endedSystem)) return null
  return { parent, ownMs: (user + system) * TICK_MS, endedMs: (endedUser + endedSystem) * TICK_MS }
}

const timesOf = async (pid: number | string): Promise<ProcessTimes | null> =>
  processTimes(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""))

const sumOrNull = (values: ReadonlyArray<number | null>): number | null =>
  values.includes(null) ? null : values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** Processor time of these processes so far. */
export const ownMsOf = async (pids: ReadonlyArray<number>): Promise<number | null> =>
  sumOrNull(await Promise.all(pids.map(async (pid) => (await timesOf(pid))?.ownMs ?? null)))

/** The server process with all its children, living and ended. `backend` is one of them. */
const postgresMs = async (backend: number): Promise<number | null> => {
  const postmaster = (await timesOf(backend))?.parent
  if (postmaster === undefined) return null
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(pids.map(async (pid) => ({ pid: Number(pid), times: await timesOf(pid) })))
  return all.reduce((sum, { pid, times }) => {
    if (times === null) return sum
    if (pid === postmaster) return sum + times.ownMs + times.endedMs
    return times.parent === postmaster ? sum + times.ownMs : sum
  }, 0)
}

const state = `SELECT pg_backend_pid() AS pid, (pg_current_wal_insert_lsn() - '0/0')::text AS wal,
  pg_database_size(current_database())::text AS disk`

const read = (url: Redacted.Redacted, pids: ReadonlyArray<number>): Effect.Effect<Reading, unknown> =>
  queryOne(url, state, async ({ pid, wal, disk }) => ({
    nodeMs: await ownMsOf(pids),
    postgresMs: await postgresMs(Number(pid)),
    walBytes: Number(wal),
    diskBytes: Number(disk)
  }))

const minus = (after: number | null, before: number | null): number | null =>
  after === null || before === null ? null : after - before

/** Runs a round, and measures what it cost. `callsOf`: how many calls it made, the warm-up included. */
export const withCost = <A, E, R>(
  round: Effect.Effect<A, E, R>,
  url: Redacted.Redacted,
  pids: ReadonlyArray<number>,
  callsOf: (result: A) => number
) =>
  Effect.gen(function* () {
    const before = yield* read(url, pids)
    const result = yield* round
    const after = yield* read(url, pids)
    const cost: Cost = {
      calls: callsOf(result),
      nodeMs: minus(after.nodeMs, before.nodeMs),
      postgresMs: minus(after.postgresMs, before.postgresMs),
      walBytes: after.walBytes - before.walBytes,
      diskBytes: after.diskBytes - before.diskBytes
    }
    return { result, cost }
  })

/** The cost of one call. `all`: service or peer and PostgreSQL together. `node` is 0 for `pgbench`, which has no Node server. */
export interface CostPerCall {
  readonly cpu_us: { readonly node: number | null; readonly postgres: number | null; readonly all: number | null }
  readonly wal_bytes: number
  readonly disk_bytes: number
}

export const costPerCall = (costs: ReadonlyArray<Cost>): CostPerCall => {
  const calls = costs.reduce((sum, one) => sum + one.calls, 0)
  const perCall = (total: number | null, factor = 1) => (total === null ? null : Math.round((total * factor) / calls))
  const nodeMs = sumOrNull(costs.map((one) => one.nodeMs))
  const postgresMs = sumOrNull(costs.map((one) => one.postgresMs))
  return {
    cpu_us: {
      node: perCall(nodeMs, 1_000),
      postgres: perCall(postgresMs, 1_000),
      all: perCall(sumOrNull([nodeMs, postgresMs]), 1_000)
    },
    wal_bytes: perCall(costs.reduce((sum, one) => sum + one.walBytes, 0)) ?? 0,
    disk_bytes: perCall(costs.reduce((sum, one) => sum + one.diskBytes, 0)) ?? 0
  }
}

export const describeCost = ({ cpu_us, wal_bytes, disk_bytes }: CostPerCall): string =>
  `per call: Node ${cpu_us.node ?? "–"} µs   PostgreSQL ${cpu_us.postgres ?? "–"} µs   WAL ${wal_bytes} B   disk ${disk_bytes} B`
