// Looks for expired and unfinished quotes again and again while the service runs.
import { type Duration, Effect, Layer, Schedule } from "effect"
import { SweepQuotes } from "#core/usecases/SweepQuotes.ts"

export const layer = (interval: Duration.Duration): Layer.Layer<never, never, SweepQuotes> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { sweep } = yield* SweepQuotes
      const pass = sweep().pipe(
        Effect.tap(({ expired, resumed }) =>
          expired + resumed === 0 ? Effect.void : Effect.logInfo("quotes swept", { expired, resumed })
        ),
        // A store that is away now may be back at the next pass.
        Effect.catchCause((cause) => Effect.logWarning("the sweep will be tried again", cause))
      )
      yield* pass.pipe(Effect.repeat(Schedule.spaced(interval)), Effect.forkScoped)
    })
  )
