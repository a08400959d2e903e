// A random number generator that a seed repeats. The timing of a run still depends on the machine.

export interface SeededRandom {
  /** From 0 to below 1. */
  readonly next: () => number
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(values: readonly [A, ...ReadonlyArray<A>]) => A
  /** An independent generator, derived from this one. */
  readonly fork: () => SeededRandom
}

export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0
  /** Mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (values) => values[below(values.length)] ?? values[0],
    fork: () => seededRandom(below(2 ** 32))
  }
}
