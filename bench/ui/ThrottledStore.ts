// The latest model between those who make events and the one who draws: every event is taken in at once, and whoever draws is snapshot
// at most so many times a second, however much happens.
import type { BenchEvent } from "../events/BenchEvent.ts"
import { emptyModel, type Model, reduce } from "../model/Model.ts"

export const DRAWS_PER_SECOND = 15

export interface ThrottledStore {
  readonly push: (event: BenchEvent) => void
  /** After every event so far: what a key acts on. */
  readonly latest: () => Model
  /** As of the last store: what is drawn. */
  readonly snapshot: () => Model
  readonly subscribe: (emit: () => void) => () => void
  /** Nobody is snapshot any more. */
  readonly stop: () => void
}

export const makeThrottledStore = (): ThrottledStore => {
  let latest = emptyModel
  let snapshot = emptyModel
  let timer: NodeJS.Timeout | undefined
  const tells = new Set<() => void>()
  const tellAll = (): void => {
    timer = undefined
    snapshot = latest
    for (const emit of tells) emit()
  }
  return {
    push: (event) => {
      latest = reduce(latest, event)
      timer ??= setTimeout(tellAll, 1_000 / DRAWS_PER_SECOND)
    },
    latest: () => latest,
    snapshot: () => snapshot,
    subscribe: (emit) => {
      tells.add(emit)
      return () => tells.delete(emit)
    },
    stop: () => clearTimeout(timer)
  }
}
