// The longest pause of the service's event loop under hostile input, measured in the service's own process. While it pauses, no other client
// is served. Of several tries the median counts, because a busy machine pauses any process.
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { wholeNumber } from "#test/CommandLineNumber.ts"
import { temporaryFolder } from "./DatabaseServer.ts"
import { hostileRequests } from "./HostileRequests.ts"
import { type Load, percentiles, rounded } from "./Load.ts"
import { longestPauseMs, pauseMonitorEnv } from "./LongestPause.ts"
import { startService } from "./Servers.ts"

const MAX_PAUSE_MS = 20

/** Not counted: the service compiles its code. */
const WARM_UP_TRIES = 3

/** Until the monitor's timer has seen the pause. */
const SEEN_AFTER_MS = 10

const triesFrom = (args: ReadonlyArray<string>): Effect.Effect<number, string> =>
  Effect.try({
    try: () => {
      const { values } = parseArgs({ args: [...args], options: { tries: { type: "string" } } })
      return wholeNumber(values.tries, "tries", { unless: 9, least: 1 })
    },
    catch: (error) => `${String(error)}\nOptions: --tries 9 of each request`
  })

/** All that the other side sends until it closes the connection, which it may also reset. */
const conversation = (port: number, sent: Uint8Array): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port)
    let received = ""
    socket.setEncoding("latin1")
    socket.on("data", (text) => {
      received += text
    })
    socket.on("error", () => {})
    socket.once("close", () => resolve(received))
    socket.write(sent)
  })

const measure = async (baseUrl: string, path: string, tries: number) => {
  const port = Number(new URL(baseUrl).port)
  const longestMs = () => longestPauseMs(path)
  const pausesMs = async (action: () => Promise<unknown>) => {
    const seen: Array<number> = []
    for (let nth = 0; nth < WARM_UP_TRIES + tries; nth++) {
      await longestMs()
      await action()
      await sleep(SEEN_AFTER_MS)
      const ms = await longestMs()
      if (nth >= WARM_UP_TRIES) seen.push(ms)
    }
    return seen.toSorted((a, b) => a - b)
  }
  const results = [{ name: "quiet", status: "", seen: await pausesMs(() => sleep(SEEN_AFTER_MS)) }]
  for (const [name, request] of Object.entries(hostileRequests)) {
    let status = ""
    const send = async () => {
      status = (await conversation(port, request)).slice(9, 12)
    }
    results.push({ name, seen: await pausesMs(send), status })
  }
  return results.map(({ name, status, seen }) => ({
    name,
    status,
    medianMs: percentiles(seen).p50,
    longestMs: seen.at(-1) ?? Number.NaN
  }))
}

export const load: Load = (args) =>
  Effect.gen(function* () {
    const tries = yield* triesFrom(args)
    const path = join(yield* temporaryFolder, "pauses.sock")
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startService({ STORE: "memory", ...pauseMonitorEnv(path) })),
      ({ stop }) => Effect.promise(stop)
    )
    const results = yield* Effect.promise(() => measure(server.baseUrl, path, tries))
    for (const { name, status, medianMs, longestMs } of results) {
      console.log(
        `${name.padEnd(42)} ${status.padEnd(4)} median ${medianMs.toFixed(1).padStart(6)} ms   longest ${longestMs.toFixed(1).padStart(6)} ms`
      )
    }
    const [quiet, ...hostile] = results
    const worst = hostile.reduce((most, { medianMs }) => Math.max(most, medianMs), 0)
    const summary = {
      name: "pauses",
      per_second: 0,
      p50_ms: rounded(worst),
      p99_ms: rounded(Math.max(...hostile.map(({ longestMs }) => longestMs))),
      ratios: { quiet: rounded(worst / (quiet?.medianMs ?? Number.NaN)) }
    }
    const missed = hostile
      .filter(({ medianMs }) => medianMs > MAX_PAUSE_MS)
      .map(
        ({ name, medianMs }) => `${name}: the event loop pauses for ${medianMs.toFixed(1)} ms, above ${MAX_PAUSE_MS}`
      )
    return { summary, missed }
  }).pipe(Effect.scoped)
