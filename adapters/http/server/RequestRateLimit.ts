// Request rates per key and minute, announced by the headers of the IETF RateLimit draft.
import { Clock, Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { RateLimited } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Scope } from "#core/domain/access/ApiKey.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"

/** Calls a minute and key; 0 is no limit. */
export interface Rates {
  readonly reads: number
  readonly orders: number
}

const WINDOW_SECONDS = 60

const seconds = (duration: Duration.Duration): number => Math.ceil(Duration.toMillis(duration) / 1_000)

/** What a key has left of its rate after a call. */
export interface RateStatus {
  readonly kind: Scope
  /** Calls per window. */
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** For every response to a counted call, at any status. */
export const rateHeaders = ({ kind, limit, remaining, resetSeconds }: RateStatus) => ({
  "ratelimit-policy": `"${kind}";q=${limit};w=${WINDOW_SECONDS}`,
  ratelimit: `"${kind}";r=${remaining};t=${resetSeconds}`
})

/** What is left to a key whose call is refused for its rate. */
export const usedUp = ({ kind, limit, retryAfterSeconds }: RateLimited): RateStatus => ({
  kind,
  limit,
  remaining: 0,
  resetSeconds: retryAfterSeconds
})

/** Counts one call of a key, or refuses it. Reads and order calls count separately. `undefined` without a limit. */
export const makeRequestRateLimit = Effect.fnUntraced(function* (rates: Rates) {
  const limiter = yield* RateLimiter.RateLimiter
  const limits: Readonly<Record<Scope, number>> = { read: rates.reads, order: rates.orders }
  return Effect.fnUntraced(function* (keyId: KeyId, kind: Scope) {
    const limit = limits[kind]
    if (limit <= 0) return undefined
    const key = `${kind} ${keyId}`
    const outcome = yield* Effect.result(limiter.consume({ key, limit, window: Duration.seconds(WINDOW_SECONDS) }))
    if (outcome._tag === "Success") {
      const { remaining, resetAfter } = outcome.success
      const status: RateStatus = { kind, limit, remaining, resetSeconds: seconds(resetAfter) }
      return status
    }
    const { reason } = outcome.failure
    if (reason._tag === "RateLimitStoreError") return yield* Effect.die(outcome.failure)
    const retryAfterSeconds = Math.max(1, seconds(reason.retryAfter))
    const resetsAtMs = (yield* Clock.currentTimeMillis) + retryAfterSeconds * 1_000
    return yield* new RateLimited({ kind, limit, retryAfterSeconds, resetsAtMs })
  })
})
