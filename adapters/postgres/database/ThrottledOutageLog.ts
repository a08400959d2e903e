// Logs why the database is unavailable, each reason at most every ten seconds: callers only receive `StoreUnavailable`.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { outageOf } from "./SqlErrors.ts"

const LOG_EVERY_MS = 10_000

/** Takes every error, and logs those that are outages. */
export const makeThrottledOutageLog = (): ((error: SqlError | StoreUnavailable) => Effect.Effect<void>) => {
  const loggedAtMs = new Map<string, number>()
  return (error) => {
    const outage = error._tag === "SqlError" ? outageOf(error) : undefined
    if (outage === undefined) return Effect.void
    return Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
      const { code } = outage
      if (nowMs < (loggedAtMs.get(code) ?? Number.NEGATIVE_INFINITY) + LOG_EVERY_MS) return Effect.void
      loggedAtMs.set(code, nowMs)
      return Effect.logWarning("The database is unavailable", outage)
    })
  }
}
