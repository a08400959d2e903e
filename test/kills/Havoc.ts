// What is done to the service while it works: processes killed at random moments and started again, the database restarted again
// and again, as an operator and as a power cut would.
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "./Dice.ts"
import type { Instances, Place } from "./Instances.ts"
import type { RestartableDatabase } from "./RestartableDatabase.ts"

export interface Havoc {
  /** SIGKILLs that met a service at work. */
  readonly kills: number
  readonly restarts: number
}

export interface Pace {
  /** How long a process lives on average before it is killed. */
  readonly meanLifeMs: number
  /** How long the database stays up before it is restarted: so long at least, and at most twice as long. */
  readonly leastPauseMs: number
}

/** One place's fate: a life of random length, then a kill. */
const haunt = async (place: Place, dice: Dice, meanLifeMs: number, goesOn: () => boolean, killed: () => void) => {
  while (goesOn()) {
    await sleep(dice.roll() * 2 * meanLifeMs)
    if (!goesOn()) return
    if (await place.kill()) killed()
    await place.start()
  }
}

const shake = async (
  database: RestartableDatabase,
  dice: Dice,
  leastPauseMs: number,
  goesOn: () => boolean,
  shaken: () => void
) => {
  for (let n = 0; goesOn(); n++) {
    const pauseMs = leastPauseMs * (1 + dice.roll())
    for (let waitedMs = 0; waitedMs < pauseMs && goesOn(); waitedMs += 100) await sleep(100)
    if (!goesOn()) return
    await database.restart(n % 2 === 0 ? "immediate" : "fast")
    shaken()
  }
}

/** For as long as it goes on; when it is over, every place has a service again. */
export const wreak = async (
  { instances, database }: { readonly instances: Instances; readonly database: RestartableDatabase },
  { dice, pace }: { readonly dice: Dice; readonly pace: Pace },
  goesOn: (soFar: Havoc) => boolean
): Promise<Havoc> => {
  const havoc = { kills: 0, restarts: 0 }
  const still = () => goesOn(havoc)
  const killed = () => void havoc.kills++
  const shaken = () => void havoc.restarts++
  await Promise.all([
    ...instances.places.map((place) => haunt(place, dice.others(), pace.meanLifeMs, still, killed)),
    shake(database, dice.others(), pace.leastPauseMs, still, shaken)
  ])
  return havoc
}
