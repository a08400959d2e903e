// A pool whose connections are all given up at once, and replaced, while the statements on them finish: after a switch-over of the
// database, and every few minutes. A connection that outlives a switch-over may go on reading from the old primary.
import * as PgPool from "@effect/sql-pg/PgPool"
import { Duration, Effect, Exit, Schedule, Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** How long connections live at most, give or take a fifth, so that instances and pools do not renew theirs together. */
export const LIFETIME = Duration.minutes(5)

interface Generation {
  readonly pool: PgPool.PgPool
  readonly close: Effect.Effect<void>
  /** Calls that use it. */
  calls: number
  isRetired: boolean
}

export interface RenewablePool {
  /** Calls `body` with the current pool, which stays open until `body` ends. */
  readonly using: <A, E, R>(body: (pool: PgPool.PgPool) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Later calls get new connections. */
  readonly renew: Effect.Effect<void, SqlError>
}

export const makeRenewablePool = Effect.fnUntraced(function* (
  config: PgPool.Config,
  lifetime: Duration.Duration = LIFETIME
): Effect.fn.Return<RenewablePool, SqlError, Scope.Scope> {
  const scope = yield* Effect.scope

  const open = Effect.gen(function* (): Effect.fn.Return<Generation, SqlError> {
    const own = yield* Scope.fork(scope)
    const pool = yield* Scope.provide(PgPool.make(config), own)
    return { pool, close: Scope.close(own, Exit.void), calls: 0, isRetired: false }
  })

  const closeIfUnused = (generation: Generation) =>
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

  // A renewal that fails because the database is away leaves the pool as it is, and the next one is tried all the same.
  yield* Effect.ignore(renew).pipe(Effect.schedule(Schedule.jittered(Schedule.spaced(lifetime))), Effect.forkScoped)

  return {
    renew,
    using: (body) =>
      Effect.suspend(() => {
        const generation = current
        generation.calls++
        return Effect.onExit(body(generation.pool), () => {
          generation.calls--
          return generation.isRetired ? Effect.asVoid(closeIfUnused(generation)) : Effect.void
        })
      })
  }
})
