// Watches a bench as its panes do: folds what it tells into the model, and waits for the model to show something.
import { Effect } from "effect"
import type { BenchSession } from "#bench/events/BenchSession.ts"
import { emptyModel, type Model, reduce } from "#bench/model/Model.ts"

/** From before the doors open, so that nothing is missed. */
export const watchModel = (bench: BenchSession) => {
  let model = emptyModel
  const waiting = new Set<() => void>()
  bench.subscribe((event) => {
    model = reduce(model, event)
    for (const look of [...waiting]) look()
  })
  bench.start()
  return {
    model: () => model,
    /** What it shows, as soon as it does. */
    until: <A>(find: (model: Model) => A | undefined | false): Effect.Effect<A> =>
      Effect.callback((resume) => {
        const look = () => {
          const found = find(model)
          if (found === undefined || found === false) return
          waiting.delete(look)
          resume(Effect.succeed(found))
        }
        waiting.add(look)
        look()
        return Effect.sync(() => waiting.delete(look))
      })
  }
}
