// Counts and lengths of time in sentences.

/** "1,234": a whole number as people write it. */
export const separated = (number: number): string => number.toLocaleString("en")

/** "1 site", "1,234 sites". `many` is the plural of a noun that does not take an s. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${separated(number)} ${number === 1 ? one : many}`

/** Longest first. A length of two days or more is told in days. */
const UNITS: ReadonlyArray<readonly [ms: number, name: string]> = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"]
]

/** "24 hours", "7 days". */
export const spanText = (ms: number): string => {
  const [length, name] = UNITS.find(([unit], nth) => ms % unit === 0 && (nth > 0 || ms >= 2 * unit)) ?? [
    1_000,
    "second"
  ]
  return counted(Math.ceil(ms / length), name)
}
