// Slows and logs calls with a wrong operator token, per address. A right token is compared first and never waits, so that no stranger
// locks an operator out.
import { Clock, Effect } from "effect"
import { BoundedMap } from "#core/domain/shared/BoundedMap.ts"

/** Addresses remembered at once; a further one replaces the one that failed longest ago. */
const MAX_ADDRESSES = 1_000
/** Refusals of all addresses that wait at once; a further one is answered without a wait. */
const MAX_WAITING = 64
/** Wrong tokens of an address that are answered without a wait. */
const FREE_FAILURES = 3
const FIRST_WAIT_MS = 125
const MAX_WAIT_MS = 1_000
/** An address without a wrong token for this long starts afresh. */
const FORGET_AFTER_MS = 60_000
const LOG_EVERY_MS = 10_000
/** Lines of all addresses within `LOG_EVERY_MS`. */
const MAX_LOG_LINES = 20

interface Failures {
  readonly count: number
  readonly unlogged: number
  readonly lastAtMs: number
  readonly loggedAtMs: number
}

const waitMs = (count: number): number =>
  count <= FREE_FAILURES ? 0 : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE_FAILURES - 1))

/** Counts a wrong token of the address, logs it and waits before the refusal is sent. The log never has the token. */
export const makeTokenFailures = (): ((address: string) => Effect.Effect<void>) => {
  const failuresOf = new BoundedMap<string, Failures>(MAX_ADDRESSES)
  let waiting = 0
  let lines = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 }

  const mayLog = (nowMs: number): boolean => {
    if (nowMs >= lines.sinceMs + LOG_EVERY_MS) lines = { sinceMs: nowMs, count: 0 }
    lines = { ...lines, count: lines.count + 1 }
    return lines.count <= MAX_LOG_LINES
  }

  const log = (address: string, nowMs: number, failures: Failures) => {
    if (nowMs < failures.loggedAtMs + LOG_EVERY_MS || !mayLog(nowMs)) return Effect.void
    failuresOf.set(address, { ...failures, unlogged: 0, loggedAtMs: nowMs })
    return Effect.logWarning("A wrong operator token was sent", { address, times: failures.unlogged })
  }

  const wait = (count: number): Effect.Effect<void> => {
    const millis = waitMs(count)
    if (millis === 0 || waiting >= MAX_WAITING) return Effect.void
    waiting += 1
    return Effect.ensuring(
      Effect.sleep(millis),
      Effect.sync(() => {
        waiting -= 1
      })
    )
  }

  return Effect.fnUntraced(function* (address) {
    const nowMs = yield* Clock.currentTimeMillis
    const known = failuresOf.get(address)
    const before = known !== undefined && nowMs < known.lastAtMs + FORGET_AFTER_MS ? known : undefined
    const failures: Failures = {
      count: (before?.count ?? 0) + 1,
      unlogged: (before?.unlogged ?? 0) + 1,
      lastAtMs: nowMs,
      loggedAtMs: before?.loggedAtMs ?? Number.NEGATIVE_INFINITY
    }
    failuresOf.set(address, failures)
    yield* log(address, nowMs, failures)
    yield* Effect.suspend(() => wait(failures.count))
  })
}
