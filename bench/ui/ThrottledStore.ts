// The model for React: takes in every event at once, and notifies its subscribers at most 15 times a second.
import type { BenchEvent } from "../events/BenchEvent.ts"
import { emptyModel, type Model, reduce } from "../model/Model.ts"

export const DRAWS_PER_SECOND = 15

export interface ThrottledStore {
  readonly push: (event: BenchEvent) => void
  /** After every event so far: what keys act on. */
  readonly latest: () => Model
  /** The model at the last notification: what is drawn. */
  readonly snapshot: () => Model
  readonly subscribe: (listener: () => void) => () => void
  /** Ends all notifications. */
  readonly stop: () => void
}

export const makeThrottledStore = (): ThrottledStore => {
  let latest = emptyModel
  let snapshot = emptyModel
  let timer: NodeJS.Timeout | undefined
  const listeners = new Set<() => void>()
  const notify = (): void => {
    timer = undefined
    snapshot = latest
    for (const listener of listeners) listener()
  }
  return {
    push: (event) => {
      latest = reduce(latest, event)
      timer ??= setTimeout(notify, 1_000 / DRAWS_PER_SECOND)
    },
    latest: () => latest,
    snapshot: () => snapshot,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => clearTimeout(timer)
  }
}
