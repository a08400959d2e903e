// Puts the moments of one instance of a store in order. `makeMoment` knows no other moment; here stems ascend within the process,
// and an account's from decision to decision, whichever instance makes them and whatever its clock. It reads no clock itself.
import {
  CONTEXT_ENTROPY_BYTES,
  type DecisionContext,
  ID_PREFIX_BYTES,
  idTimeMs,
  type Millis,
  makeDecisionContext
} from "./DecisionContext.ts"

/** Adds one in place, as to one big-endian number; `false` where it ran over to zero. */
const increment = (bytes: Uint8Array): boolean => {
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = ((bytes[index] ?? 0) + 1) & 0xff
    bytes[index] = byte
    if (byte !== 0) return true
  }
  return false
}

/**
 * A source of moments. Each call takes the time, `MOMENT_ENTROPY_BYTES` fresh random bytes and the greatest stem of others that the
 * new one must follow (`""` for none). A later millisecond starts at a random stem; within one, the stem counts up. `nowMs` is the
 * clock's even where the stem had to stay ahead of it, and the secret is of fresh bytes always.
 */
export const monotonicContexts = (): ((nowMs: Millis, entropy: Uint8Array, after: string) => DecisionContext) => {
  let stemMs = Number.NEGATIVE_INFINITY
  let stem = new Uint8Array(ID_PREFIX_BYTES)
  return (nowMs, entropy, after) => {
    const earliestMs = Math.max(nowMs, (idTimeMs(after) ?? Number.NEGATIVE_INFINITY) + 1)
    if (earliestMs > stemMs) {
      stemMs = earliestMs
      stem = entropy.slice(0, ID_PREFIX_BYTES)
    } else if (!increment(stem)) stemMs += 1
    const bytes = new Uint8Array(CONTEXT_ENTROPY_BYTES)
    bytes.set(entropy)
    bytes.set(stem)
    return { ...makeDecisionContext(stemMs, bytes), nowMs }
  }
}
