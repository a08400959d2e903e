// Generates decision contexts whose id prefixes ascend within the process, and per account across all instances, even if clocks differ.
import {
  type DecisionContext,
  ID_PREFIX_BYTES,
  idPrefixOf,
  idTimeMs,
  type Millis,
  secretOf
} from "./DecisionContext.ts"

/** Adds one to a big-endian number in place; `false` where it overflowed to zero. */
const increment = (bytes: Uint8Array): boolean => {
  for (let index = bytes.length - 1; index >= 0; index--) {
    const byte = ((bytes[index] ?? 0) + 1) & 0xff
    bytes[index] = byte
    if (byte !== 0) return true
  }
  return false
}

/**
 * Makes a generator. Each call takes the time, `CONTEXT_ENTROPY_BYTES` fresh random bytes, and an id prefix that the new one must
 * follow (`""` for none). The first prefix of a millisecond is random, the next ones count up from it. `nowMs` is the given time even
 * where the prefix has to run ahead of it, and the secret always comes from fresh bytes.
 */
export const monotonicContexts = (): ((nowMs: Millis, entropy: Uint8Array, after: string) => DecisionContext) => {
  let prefixMs = Number.NEGATIVE_INFINITY
  let random = new Uint8Array(ID_PREFIX_BYTES)
  return (nowMs, entropy, after) => {
    const earliestMs = Math.max(nowMs, (idTimeMs(after) ?? Number.NEGATIVE_INFINITY) + 1)
    if (earliestMs > prefixMs) {
      prefixMs = earliestMs
      random = entropy.slice(0, ID_PREFIX_BYTES)
    } else if (!increment(random)) prefixMs += 1
    return { nowMs, idPrefix: idPrefixOf(prefixMs, random), secret: secretOf(entropy) }
  }
}
