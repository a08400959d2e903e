// A session that records its commands and publishes given events, for the app's tests.
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import type { BenchSession } from "#bench/events/BenchSession.ts"
import type { Command } from "#bench/events/Command.ts"

export const makeSession = (unavailable: BenchSession["unavailable"] = {}) => {
  const commands: Array<Command> = []
  const listeners = new Set<(event: BenchEvent) => void>()
  let startedWith: number | undefined
  let held: Array<() => void> | undefined
  const session: BenchSession = {
    send: (command) => {
      commands.push(command)
      const result = { ok: true, message: `Did ${command._tag}.` }
      return held === undefined ? Promise.resolve(result) : new Promise((resolve) => held?.push(() => resolve(result)))
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => {
      startedWith = listeners.size
    },
    unavailable
  }
  return {
    session,
    commands,
    emit: (events: ReadonlyArray<BenchEvent>): void => {
      for (const event of events) for (const listener of listeners) listener(event)
    },
    /** Holds all results back until the returned function is called. */
    hold: () => {
      const waiting: Array<() => void> = []
      held = waiting
      return () => {
        held = undefined
        for (const answer of waiting) answer()
      }
    },
    /** Listeners at the start. */
    startedWith: () => startedWith,
    listening: () => listeners.size
  }
}
