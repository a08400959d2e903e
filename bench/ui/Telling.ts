// The latest model between those who make events and the one who draws: every event is taken in at once, and whoever draws is told
// at most so many times a second, however much happens.
import type { BenchEvent } from "../BenchEvent.ts"
import { emptyModel, type Model, step } from "../Model.ts"

export const DRAWS_PER_SECOND = 15

export interface Telling {
  readonly hear: (event: BenchEvent) => void
  /** After every event so far: what a key acts on. */
  readonly latest: () => Model
  /** As of the last telling: what is drawn. */
  readonly told: () => Model
  readonly subscribe: (tell: () => void) => () => void
  /** Nobody is told any more. */
  readonly stop: () => void
}

export const makeTelling = (): Telling => {
  let latest = emptyModel
  let told = emptyModel
  let timer: NodeJS.Timeout | undefined
  const tells = new Set<() => void>()
  const tellAll = (): void => {
    timer = undefined
    told = latest
    for (const tell of tells) tell()
  }
  return {
    hear: (event) => {
      latest = step(latest, event)
      timer ??= setTimeout(tellAll, 1_000 / DRAWS_PER_SECOND)
    },
    latest: () => latest,
    told: () => told,
    subscribe: (tell) => {
      tells.add(tell)
      return () => tells.delete(tell)
    },
    stop: () => clearTimeout(timer)
  }
}
