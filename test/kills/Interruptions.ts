// Interruptions that are nobody's death: the database restarted while everybody stays, and services told to stop. Errors only
// while the database is away and shortly after; none at all for who was being served when a service was told to stop, and the
// service itself ends with status 0.
import { setTimeout as sleep } from "node:timers/promises"
import { send } from "./Client.ts"
import type { Dice } from "./Dice.ts"
import type { Restart } from "./RestartableDatabase.ts"
import { type Diary, meanwhile } from "./Shopping.ts"
import type { Stage } from "./Stage.ts"

const HEALS_WITHIN_MS = 5_000
const DRAINS_WITHIN_MS = 10_000

export interface Interrupted {
  readonly diary: Diary
  readonly figures: ReadonlyArray<string>
  readonly complaints: ReadonlyArray<string>
}

/** Restarts the database once under load, and looks at every instance when it should have healed. */
export const shakeOnce = async (stage: Stage, way: Restart, agents: number, dice: Dice): Promise<Interrupted> => {
  const { client, database, instances } = stage
  const before = client.failures.length
  const { diary, result } = await meanwhile(stage, agents, dice, async () => {
    await sleep(1_000)
    const { downAtMs, upAtMs } = await database.restart(way)
    await sleep(HEALS_WITHIN_MS)
    const looks = instances.places.map(async ({ baseUrl = "" }) => {
      const call = { method: "GET" as const, path: "/readyz", headers: {} }
      const { status } = await send(client.agent, baseUrl, call)
      return status === 200 ? [] : [`an instance is not ready 5 s after the database is: ${status}`]
    })
    const complaints = (await Promise.all(looks)).flat()
    await sleep(1_000)
    return { downAtMs, upAtMs, complaints }
  })
  const failures = client.failures.slice(before)
  const { downAtMs, upAtMs } = result
  const early = failures.filter(({ endedAtMs }) => endedAtMs < downAtMs)
  const late = failures.filter(({ endedAtMs }) => endedAtMs > upAtMs + HEALS_WITHIN_MS)
  const last = Math.max(0, ...failures.map(({ endedAtMs }) => endedAtMs - upAtMs))
  const away = `database restarted (${way}): away for ${Math.round(upAtMs - downAtMs)} ms`
  return {
    diary,
    figures: [`${away}, ${failures.length} tries failed, the last ${Math.round(last)} ms after it was back`],
    complaints: [
      ...result.complaints,
      ...[...early, ...late].map(
        ({ why, endedAtMs }) => `${why} ${Math.round(endedAtMs - downAtMs)} ms after it went down`
      )
    ]
  }
}

/** Tells each service in turn to stop, under load, and starts it again. */
export const stopEach = async (stage: Stage, agents: number, dice: Dice): Promise<Interrupted> => {
  const { client, instances } = stage
  const before = client.failures.length
  const { diary, result } = await meanwhile(stage, agents, dice, async () => {
    const stops: Array<{
      readonly baseUrl: string
      readonly atMs: number
      readonly tookMs: number
      readonly code: number | null
    }> = []
    for (const place of instances.places) {
      await sleep(500)
      const { baseUrl = "" } = place
      const atMs = performance.now()
      const code = await place.stop()
      stops.push({ baseUrl, atMs, tookMs: performance.now() - atMs, code })
      await place.start()
    }
    return stops
  })
  const failures = client.failures.slice(before)
  const cutOff = result.flatMap(({ baseUrl, atMs }) =>
    failures.filter((failed) => failed.baseUrl === baseUrl && failed.startedAtMs < atMs)
  )
  const slow = result.filter(({ tookMs }) => tookMs > DRAINS_WITHIN_MS + 1_000)
  const unclean = result.filter(({ code }) => code !== 0)
  const took = result.map(({ tookMs, code }) => `${Math.round(tookMs)} ms (status ${code})`)
  return {
    diary,
    figures: [`services told to stop were gone after ${took.join(", ")}; ${failures.length} tries failed`],
    complaints: [
      ...cutOff.map(({ why }) => `a request that was underway was cut off: ${why}`),
      ...slow.map(({ tookMs }) => `a service took ${Math.round(tookMs)} ms to stop`),
      ...unclean.map(({ code }) => `a service that was told to stop ended with status ${code}`)
    ]
  }
}
