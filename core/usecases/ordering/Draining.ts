// Whether this instance still takes orders and runs background jobs: no longer once a newer version has migrated its store. Requests that
// it has go on, and so do payments, whose money is on its way.
import { Context, Deferred, Duration, Effect, Exit, Layer, Option } from "effect"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import type { SchemaTooNew } from "#core/ports/shared/PortErrors.ts"

const CHECK_INTERVAL = Duration.seconds(2)

export class Draining extends Context.Service<
  Draining,
  {
    /** Fails once the instance drains. */
    readonly refuseOrders: Effect.Effect<void, SchemaTooNew>
    /** Looks at a shared store every two seconds, and completes once the instance drains, which is for good. */
    readonly watch: Effect.Effect<SchemaTooNew>
    /** Runs work until the instance drains, and then interrupts it. */
    readonly untilDrained: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  }
>()("backlinks/usecases/ordering/Draining") {
  static readonly layer = Layer.effect(
    Draining,
    Effect.gen(function* () {
      const { writable, isShared } = yield* Readiness
      const begun = yield* Deferred.make<never, SchemaTooNew>()
      const began = Effect.flip(Deferred.await(begun))

      const look = writable.pipe(
        Effect.catchTags({
          SchemaTooNew: (error) => Deferred.done(begun, Exit.fail(error)),
          // The readiness probe reports it; an instance without its store does nothing anyway.
          StoreUnavailable: () => Effect.void
        }),
        Effect.andThen(Effect.sleep(CHECK_INTERVAL))
      )

      return Draining.of({
        refuseOrders: Effect.suspend(() => (Deferred.isDoneUnsafe(begun) ? Deferred.await(begun) : Effect.void)),
        watch: isShared ? Effect.raceFirst(began, Effect.forever(look)) : began,
        untilDrained: (work) => Effect.raceFirst(Effect.asSome(work), Effect.as(began, Option.none()))
      })
    })
  )
}
