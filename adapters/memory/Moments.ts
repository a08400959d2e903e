// Where the moments of one process come from. `makeMoment` is pure and knows no other moment; here they are put in order, so
// that ids made from them sort as they were made, also within a millisecond and when the clock is set back.
import { type Millis, MOMENT_ENTROPY_BYTES, type Moment, makeMoment } from "#core/domain/Moment.ts"

const STEM_BYTES = 10

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
 * A source of moments with strictly ascending stems. Each call takes the time and `MOMENT_ENTROPY_BYTES` fresh random bytes.
 * A later millisecond starts at a random stem; within one, the stem counts up. `nowMs` is the clock's even where the stem had
 * to stay ahead of it, and the secret is of fresh bytes always.
 */
export const ascendingMoments = (): ((nowMs: Millis, entropy: Uint8Array) => Moment) => {
  let stemMs = Number.NEGATIVE_INFINITY
  let stem = new Uint8Array(STEM_BYTES)
  return (nowMs, entropy) => {
    if (nowMs > stemMs) {
      stemMs = nowMs
      stem = entropy.slice(0, STEM_BYTES)
    } else if (!increment(stem)) stemMs += 1
    const bytes = new Uint8Array(MOMENT_ENTROPY_BYTES)
    bytes.set(entropy)
    bytes.set(stem)
    return { ...makeMoment(stemMs, bytes), nowMs }
  }
}
