// Injects faults while the service works: kills processes at random moments and starts them again, and restarts the database both as
// an operator does and as a power cut would.
import { setTimeout as sleep } from "node:timers/promises"
import type { InstanceSlot, Instances } from "./Instances.ts"
import type { RestartableDatabase } from "./RestartableDatabase.ts"
import type { SeededRandom } from "./SeededRandom.ts"

export interface FaultCounts {
  /** SIGKILLs that hit a running process. */
  readonly kills: number
  readonly restarts: number
}

export interface FaultPace {
  /** Average time before a process is killed. */
  readonly meanUptimeMs: number
  /** Shortest time between restarts of the database; the longest is twice that. */
  readonly minPauseMs: number
}

/** Kills and restarts the process of one slot, after random times. */
const killRepeatedly = async (
  slot: InstanceSlot,
  random: SeededRandom,
  meanUptimeMs: number,
  isRunning: () => boolean,
  killed: () => void
) => {
  while (isRunning()) {
    await sleep(random.next() * 2 * meanUptimeMs)
    if (!isRunning()) return
    if (await slot.kill()) killed()
    await slot.start()
  }
}

const restartRepeatedly = async (
  database: RestartableDatabase,
  random: SeededRandom,
  minPauseMs: number,
  isRunning: () => boolean,
  restarted: () => void
) => {
  for (let n = 0; isRunning(); n++) {
    const pauseMs = minPauseMs * (1 + random.next())
    for (let waitedMs = 0; waitedMs < pauseMs && isRunning(); waitedMs += 100) await sleep(100)
    if (!isRunning()) return
    await database.restart(n % 2 === 0 ? "immediate" : "fast")
    restarted()
  }
}

/** Returns when `isRunning` is false. Every slot has a running process then. */
export const injectFaults = async (
  { instances, database }: { readonly instances: Instances; readonly database: RestartableDatabase },
  { random, pace }: { readonly random: SeededRandom; readonly pace: FaultPace },
  isRunning: (soFar: FaultCounts) => boolean
): Promise<FaultCounts> => {
  const counts = { kills: 0, restarts: 0 }
  const keepGoing = () => isRunning(counts)
  const killed = () => void counts.kills++
  const restarted = () => void counts.restarts++
  await Promise.all([
    ...instances.slots.map((slot) => killRepeatedly(slot, random.fork(), pace.meanUptimeMs, keepGoing, killed)),
    restartRepeatedly(database, random.fork(), pace.minPauseMs, keepGoing, restarted)
  ])
  return counts
}
