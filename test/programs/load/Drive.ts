// A closed loop of HTTP calls: each connection sends its next call when the last was answered. Measures latencies, and what measuring
// itself costs.
import { type Call, HttpConnection } from "./HttpConnection.ts"
import { percentiles } from "./Load.ts"

/** The measurements of one round. */
export interface Round {
  readonly seconds: number
  readonly tookMs: ReadonlyArray<number>
  /** Answered calls, the warm-up included. */
  readonly calls: number
  /** Processor time of the driver, as a share of one core. */
  readonly driverShare: number
}

export interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly driverShare: number
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** The figures of all rounds together. */
export const figuresOf = (rounds: ReadonlyArray<Round>): Figures => {
  const tookMs = rounds.flatMap((round) => round.tookMs)
  const seconds = sum(rounds.map((round) => round.seconds))
  const { p50, p95, p99 } = percentiles(tookMs)
  const driverShare = sum(rounds.map((round) => round.driverShare * round.seconds)) / seconds
  return { perSecond: tookMs.length / seconds, p50Ms: p50, p95Ms: p95, p99Ms: p99, driverShare }
}

export interface Driving {
  readonly connections: number
  readonly seconds: number
  /** The expected status; another one ends the run. */
  readonly expected: number
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** `call` makes the n-th call. Connections are spread over the servers. The first tenth of the time is a warm-up and does not count. */
export const drive = async (
  baseUrls: ReadonlyArray<string>,
  { connections, seconds, expected }: Driving,
  call: (n: number) => Call
): Promise<Round> => {
  const beganMs = performance.now()
  const countFromMs = beganMs + seconds * 100
  const endMs = beganMs + seconds * 1_000
  const cpuBeganMs = cpuMs()
  const tookMs: Array<number> = []
  let n = 0
  let calls = 0
  const keepCalling = async (connection: HttpConnection): Promise<void> => {
    for (let startMs = performance.now(); startMs < endMs; startMs = performance.now()) {
      const { status, body } = await connection.send(call(n++))
      if (status !== expected) throw new Error(`answered ${status} instead of ${expected}: ${body.slice(0, 500)}`)
      calls++
      if (startMs >= countFromMs) tookMs.push(performance.now() - startMs)
    }
  }
  const connectionPool = Array.from(
    { length: connections },
    (_, index) => new HttpConnection(baseUrls[index % baseUrls.length] ?? "")
  )
  try {
    await Promise.all(connectionPool.map(keepCalling))
  } finally {
    for (const connection of connectionPool) connection.close()
  }
  const doneMs = performance.now()
  return {
    seconds: (doneMs - countFromMs) / 1_000,
    tookMs,
    calls,
    driverShare: (cpuMs() - cpuBeganMs) / (doneMs - beganMs)
  }
}
