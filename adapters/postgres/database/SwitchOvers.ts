// Notices that the database was switched over to another server, and renews all connections: those that still reach the
// old primary would read what it last knew.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { endsConnection } from "./SqlErrors.ts"

/** A database that stays read-only fails every order, and a slow one some: the connections are not renewed for each of them. */
const RENEW_EVERY_MS = 500

export interface SwitchOvers {
  /** Connections to renew, until the returned function is called. */
  readonly add: (renew: Effect.Effect<void, SqlError>) => () => void
  /** Takes every failure of a statement; `StoreUnavailable` is one that did not answer in time. */
  readonly failed: (error: SqlError | StoreUnavailable) => Effect.Effect<void>
  /** Called after every successful write. */
  readonly written: Effect.Effect<void>
}

export const makeSwitchOvers = (): SwitchOvers => {
  const renewals = new Set<Effect.Effect<void, SqlError>>()
  let renewedAtMs = Number.NEGATIVE_INFINITY
  let renewedByWriteAtMs = Number.NEGATIVE_INFINITY
  /**
   * What happened since the last write: connections may have been opened to the old primary before its address moved. An old primary that
   * waits for its lost standby answers no write, and none of its connections ends.
   */
  let suspicion: "none" | "unanswered" | "ended" = "none"

  const renewAll = Effect.suspend(() =>
    Effect.forEach([...renewals], (renew) => Effect.ignore(renew), { discard: true })
  )

  return {
    add: (renew) => {
      renewals.add(renew)
      return () => void renewals.delete(renew)
    },
    failed: (error) => {
      if (error._tag === "StoreUnavailable" && suspicion === "none") suspicion = "unanswered"
      if (error._tag !== "SqlError" || !endsConnection(error)) return Effect.void
      suspicion = "ended"
      return Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
        if (nowMs < renewedAtMs + RENEW_EVERY_MS) return Effect.void
        renewedAtMs = nowMs
        return renewAll
      })
    },
    // The address leads to a server that takes writes again: what was opened before may still lead elsewhere.
    written: Effect.suspend(() => {
      if (suspicion === "none") return Effect.void
      return Effect.flatMap(Clock.currentTimeMillis, (nowMs) => {
        // A slow database leaves statements unanswered all the time; a connection that has ended is a certain sign.
        if (suspicion === "unanswered" && nowMs < renewedByWriteAtMs + RENEW_EVERY_MS) return Effect.void
        suspicion = "none"
        renewedByWriteAtMs = nowMs
        return renewAll
      })
    })
  }
}
