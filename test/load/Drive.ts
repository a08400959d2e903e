// A closed loop of HTTP calls: so many connections, each sending its next call when the last was answered. Measures what the
// callers see; owns neither servers nor scenarios.
import { Agent, request } from "node:http"

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

const send = (baseUrl: string, agent: Agent, { method, path, headers, body }: Call): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}${path}`, { method, headers, agent }, (answer) => {
      answer.resume()
      answer.once("end", () => resolve(answer.statusCode ?? 0))
      answer.once("error", reject)
    })
    sent.once("error", reject)
    sent.end(body)
  })

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

/** `call` makes the n-th call; any answer but `expected` ends the run. The first tenth of the time warms up and is not counted. */
export const drive = async (
  baseUrl: string,
  options: { readonly connections: number; readonly seconds: number; readonly expected: number },
  call: (n: number) => Call
): Promise<Figures> => {
  const { connections, seconds, expected } = options
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const beganMs = performance.now()
  const countFromMs = beganMs + seconds * 100
  const endMs = beganMs + seconds * 1_000
  const tookMs: Array<number> = []
  let n = 0
  const caller = async () => {
    for (let startMs = performance.now(); startMs < endMs; startMs = performance.now()) {
      const status = await send(baseUrl, agent, call(n++))
      if (status !== expected) throw new Error(`answered ${status} instead of ${expected}`)
      if (startMs >= countFromMs) tookMs.push(performance.now() - startMs)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  agent.destroy()
  const sorted = tookMs.sort((a, b) => a - b)
  const perSecond = sorted.length / ((performance.now() - countFromMs) / 1_000)
  return { perSecond, p50Ms: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95), p99Ms: quantile(sorted, 0.99) }
}
