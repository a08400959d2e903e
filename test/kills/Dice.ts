// Random choices that a seed repeats. When things happen also depends on the machine; what is chosen does not.

export interface Dice {
  /** From 0 to below 1. */
  readonly roll: () => number
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(values: readonly [A, ...ReadonlyArray<A>]) => A
  /** Others, for somebody who throws independently. */
  readonly others: () => Dice
}

export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0
  /** Mulberry32. */
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(roll() * limit)
  return {
    roll,
    below,
    chance: (share) => roll() < share,
    pick: (values) => values[below(values.length)] ?? values[0],
    others: () => diceOf(below(2 ** 32))
  }
}
