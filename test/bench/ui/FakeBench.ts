// A bench behind its door that does nothing but remember what it was told, for the app's tests.
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import type { BenchSession } from "#bench/events/BenchSession.ts"
import type { Command } from "#bench/events/Command.ts"

export const makeBench = (unavailable: BenchSession["unavailable"] = {}) => {
  const commands: Array<Command> = []
  const hearers = new Set<(event: BenchEvent) => void>()
  let startedWith: number | undefined
  let held: Array<() => void> | undefined
  const bench: BenchSession = {
    send: (command) => {
      commands.push(command)
      const told = { ok: true, message: `Did ${command._tag}.` }
      return held === undefined ? Promise.resolve(told) : new Promise((resolve) => held?.push(() => resolve(told)))
    },
    subscribe: (hear) => {
      hearers.add(hear)
      return () => hearers.delete(hear)
    },
    start: () => {
      startedWith = hearers.size
    },
    unavailable
  }
  return {
    bench,
    commands,
    emit: (events: ReadonlyArray<BenchEvent>): void => {
      for (const event of events) for (const hear of hearers) hear(event)
    },
    /** From now on nobody is answered, until what comes back is called. */
    hold: () => {
      const waiting: Array<() => void> = []
      held = waiting
      return () => {
        held = undefined
        for (const answer of waiting) answer()
      }
    },
    /** How many were listening when the doors opened. */
    startedWith: () => startedWith,
    listening: () => hearers.size
  }
}
