// Says in the log why the database cannot be asked: whoever called is only told to come again, and so are all who call after. Each
// reason is said when it is met, and then not again for a while, however many meet it.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { outageOf } from "./SqlErrors.ts"

const TOLD_EVERY_MS = 10_000

/** Hears of every fault, and remembers which ones were told. */
export const makeThrottledOutageLog = (): ((fault: SqlError | StoreUnavailable) => Effect.Effect<void>) => {
  const toldAtMs = new Map<string, number>()
  return (fault) => {
    const outage = fault._tag === "SqlError" ? outageOf(fault) : undefined
    if (outage === undefined) return Effect.void
    return Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
      const { code } = outage
      if (nowMs < (toldAtMs.get(code) ?? Number.NEGATIVE_INFINITY) + TOLD_EVERY_MS) return Effect.void
      toldAtMs.set(code, nowMs)
      return Effect.logWarning("The database cannot be asked", outage)
    })
  }
}
