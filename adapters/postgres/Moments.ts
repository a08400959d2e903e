// Where the moments of one instance come from. `makeMoment` is pure and knows no other moment; here they are put in order: stems
// ascend within the process, and an account's from decision to decision, whichever instance makes them and whatever its clock.
import { type Millis, MOMENT_ENTROPY_BYTES, type Moment, makeMoment } from "#core/domain/Moment.ts"

const STEM_BYTES = 10

/** The characters of a stem that say its time, and what they are written with. */
const TIME_CHARACTERS = 10
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** The millisecond that a stem was made for. Of nothing, before all time. */
const millisOf = (stem: string): Millis => {
  let value = stem === "" ? Number.NEGATIVE_INFINITY : 0
  for (const character of stem.slice(0, TIME_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character)
  return value
}

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
 * A source of moments. Each call takes the database's time, `MOMENT_ENTROPY_BYTES` fresh random bytes and the greatest stem that
 * the new one must follow (`""` for none). A later millisecond starts at a random stem; within one, the stem counts up. `nowMs` is
 * the database's even where the stem had to stay ahead of it, and the secret is of fresh bytes always.
 */
export const ascendingMoments = (): ((nowMs: Millis, entropy: Uint8Array, after: string) => Moment) => {
  let stemMs = Number.NEGATIVE_INFINITY
  let stem = new Uint8Array(STEM_BYTES)
  return (nowMs, entropy, after) => {
    const earliestMs = Math.max(nowMs, millisOf(after) + 1)
    if (earliestMs > stemMs) {
      stemMs = earliestMs
      stem = entropy.slice(0, STEM_BYTES)
    } else if (!increment(stem)) stemMs += 1
    const bytes = new Uint8Array(MOMENT_ENTROPY_BYTES)
    bytes.set(entropy)
    bytes.set(stem)
    return { ...makeMoment(stemMs, bytes), nowMs }
  }
}
