// A closed loop of HTTP calls: so many connections, each sending its next call when the last was answered. Measures what the
// callers see, and what measuring costs; owns neither servers nor scenarios.
import { type Call, Line } from "./HttpConnection.ts"
import { percentiles } from "./Load.ts"

/** What one run of the loop saw. */
export interface Round {
  readonly seconds: number
  readonly tookMs: ReadonlyArray<number>
  /** Processor time that driving took, as a share of one core. */
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

/** Of all rounds together. */
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
  /** The status that every call must be answered with; any other ends the run. */
  readonly expected: number
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** `call` makes the n-th call. Connections are shared out among the servers. The first tenth of the time warms up and is not counted. */
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
  const keepCalling = async (line: Line): Promise<void> => {
    for (let startMs = performance.now(); startMs < endMs; startMs = performance.now()) {
      const { status, body } = await line.send(call(n++))
      if (status !== expected) throw new Error(`answered ${status} instead of ${expected}: ${body.slice(0, 500)}`)
      if (startMs >= countFromMs) tookMs.push(performance.now() - startMs)
    }
  }
  const lines = Array.from({ length: connections }, (_, index) => new Line(baseUrls[index % baseUrls.length] ?? ""))
  try {
    await Promise.all(lines.map(keepCalling))
  } finally {
    for (const line of lines) line.close()
  }
  const doneMs = performance.now()
  return {
    seconds: (doneMs - countFromMs) / 1_000,
    tookMs,
    driverShare: (cpuMs() - cpuBeganMs) / (doneMs - beganMs)
  }
}
