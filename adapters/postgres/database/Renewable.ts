// Connections that are all given up at once, and replaced, while the work on them finishes: after a switch-over of the database, and every
// few minutes. A connection that outlives a switch-over may still lead to the old primary, which answers reads and notifies of nothing.
import { Duration, Effect, Exit, Schedule, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SwitchOvers } from "./SwitchOvers.ts"

/** How long connections live at most, give or take a fifth, so that instances and pools do not renew theirs together. */
const LIFETIME = Duration.minutes(5)

interface Generation<A> {
  readonly opened: A
  readonly close: Effect.Effect<void>
  /** Calls that use it. */
  calls: number
  isRetired: boolean
}

/** Calls `body` with what was opened last, which stays open until `body` ends. */
export type Using<A> = <B, E, R>(body: (opened: A) => Effect.Effect<B, E, R>) => Effect.Effect<B, E, R>

export const makeRenewable = Effect.fnUntraced(function* <A>(
  acquire: Effect.Effect<A, SqlError, Scope.Scope>,
  switchOvers: SwitchOvers,
  lifetime: Duration.Duration = LIFETIME
): Effect.fn.Return<Using<A>, SqlError, Scope.Scope> {
  const scope = yield* Effect.scope

  const open = Effect.gen(function* (): Effect.fn.Return<Generation<A>, SqlError> {
    const own = yield* Scope.fork(scope)
    const opened = yield* Scope.provide(acquire, own)
    return { opened, close: Scope.close(own, Exit.void), calls: 0, isRetired: false }
  })

  const closeIfUnused = (generation: Generation<A>) =>
    generation.isRetired && generation.calls === 0 ? Effect.forkDetach(generation.close) : Effect.void

  let current = yield* open

  const renew = Effect.uninterruptible(
    Effect.flatMap(open, (next) => {
      const last = current
      current = next
      last.isRetired = true
      return Effect.asVoid(closeIfUnused(last))
    })
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => switchOvers.add(renew)),
    (remove) => Effect.sync(remove)
  )

  // A renewal that fails because the database is away leaves everything as it is, and the next one is tried all the same.
  yield* Effect.ignore(renew).pipe(Effect.schedule(Schedule.jittered(Schedule.spaced(lifetime))), Effect.forkScoped)

  return (body) =>
    Effect.suspend(() => {
      const generation = current
      generation.calls++
      return Effect.onExit(body(generation.opened), () => {
        generation.calls--
        return generation.isRetired ? Effect.asVoid(closeIfUnused(generation)) : Effect.void
      })
    })
})
