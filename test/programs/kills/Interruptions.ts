// The database restarted while the services run, and each service stopped with SIGTERM, both under load. Calls fail only while the
// database is away and for five seconds after; no call fails because a service stops, and it exits with status 0.
import { setTimeout as sleep } from "node:timers/promises"
import { type LoadRecord, underLoad } from "./AgentLoad.ts"
import { send } from "./Client.ts"
import type { Deployment } from "./Deployment.ts"
import type { ShutdownMode } from "./RestartableDatabase.ts"
import type { SeededRandom } from "./SeededRandom.ts"

const RECOVERY_LIMIT_MS = 5_000
const DRAIN_LIMIT_MS = 10_000

export interface Interruption {
  readonly record: LoadRecord
  readonly figures: ReadonlyArray<string>
  readonly violations: ReadonlyArray<string>
}

/** Restarts the database once under load, and checks that every instance is ready again in time. */
export const restartDatabase = async (
  deployment: Deployment,
  mode: ShutdownMode,
  agents: number,
  random: SeededRandom
): Promise<Interruption> => {
  const { client, database, instances } = deployment
  const before = client.failures.length
  const { record, result } = await underLoad(deployment, agents, random, async () => {
    await sleep(1_000)
    const { downAtMs, upAtMs } = await database.restart(mode)
    await sleep(RECOVERY_LIMIT_MS)
    const readiness = instances.slots.map(async ({ baseUrl = "" }) => {
      const call = { method: "GET" as const, path: "/readyz", headers: {} }
      const { status } = await send(client.agent, baseUrl, call)
      return status === 200 ? [] : [`an instance is not ready 5 s after the database is: ${status}`]
    })
    const violations = (await Promise.all(readiness)).flat()
    await sleep(1_000)
    return { downAtMs, upAtMs, violations }
  })
  const failures = client.failures.slice(before)
  const { downAtMs, upAtMs } = result
  const early = failures.filter(({ endedAtMs }) => endedAtMs < downAtMs)
  const late = failures.filter(({ endedAtMs }) => endedAtMs > upAtMs + RECOVERY_LIMIT_MS)
  const last = Math.max(0, ...failures.map(({ endedAtMs }) => endedAtMs - upAtMs))
  const away = `database restarted (${mode}): away for ${Math.round(upAtMs - downAtMs)} ms`
  return {
    record,
    figures: [`${away}, ${failures.length} tries failed, the last ${Math.round(last)} ms after it was back`],
    violations: [
      ...result.violations,
      ...[...early, ...late].map(
        ({ why, endedAtMs }) => `${why} ${Math.round(endedAtMs - downAtMs)} ms after it went down`
      )
    ]
  }
}

/** Stops each service in turn with SIGTERM, under load, and starts it again. */
export const stopEachInstance = async (
  deployment: Deployment,
  agents: number,
  random: SeededRandom
): Promise<Interruption> => {
  const { client, instances } = deployment
  const before = client.failures.length
  const { record, result } = await underLoad(deployment, agents, random, async () => {
    const stops: Array<{
      readonly baseUrl: string
      readonly atMs: number
      readonly tookMs: number
      readonly code: number | null
    }> = []
    for (const slot of instances.slots) {
      await sleep(500)
      const { baseUrl = "" } = slot
      const atMs = performance.now()
      const code = await slot.stop()
      stops.push({ baseUrl, atMs, tookMs: performance.now() - atMs, code })
      await slot.start()
    }
    return stops
  })
  const failures = client.failures.slice(before)
  const cutOff = result.flatMap(({ baseUrl, atMs }) =>
    failures.filter((failed) => failed.baseUrl === baseUrl && failed.startedAtMs < atMs)
  )
  const slow = result.filter(({ tookMs }) => tookMs > DRAIN_LIMIT_MS + 1_000)
  const unclean = result.filter(({ code }) => code !== 0)
  const took = result.map(({ tookMs, code }) => `${Math.round(tookMs)} ms (status ${code})`)
  return {
    record,
    figures: [`services exited after SIGTERM within ${took.join(", ")}; ${failures.length} tries failed`],
    violations: [
      ...cutOff.map(({ why }) => `a request in progress was cut off: ${why}`),
      ...slow.map(({ tookMs }) => `a service took ${Math.round(tookMs)} ms to stop`),
      ...unclean.map(({ code }) => `a stopped service exited with status ${code}`)
    ]
  }
}
