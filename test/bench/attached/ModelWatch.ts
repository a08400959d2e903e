// Folds a session's events into the model, and waits until the model shows something.
import { Effect } from "effect"
import type { BenchSession } from "#bench/events/BenchSession.ts"
import { emptyModel, type Model, reduce } from "#bench/model/Model.ts"

/** Subscribes before it starts the session, so that it misses nothing. */
export const watchModel = (session: BenchSession) => {
  let model = emptyModel
  const waiting = new Set<() => void>()
  session.subscribe((event) => {
    model = reduce(model, event)
    for (const check of [...waiting]) check()
  })
  session.start()
  return {
    model: () => model,
    /** Resolves to the first value that is neither `undefined` nor `false`. */
    until: <A>(find: (model: Model) => A | undefined | false): Effect.Effect<A> =>
      Effect.callback((resume) => {
        const check = () => {
          const found = find(model)
          if (found === undefined || found === false) return
          waiting.delete(check)
          resume(Effect.succeed(found))
        }
        waiting.add(check)
        check()
        return Effect.sync(() => waiting.delete(check))
      })
  }
}
