// Counts in sentences.

/** "1,234": a whole number as people write it. */
export const separated = (number: number): string => number.toLocaleString("en")

/** "1 site", "1,234 sites". `many` is the plural of a noun that does not take an s. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${separated(number)} ${number === 1 ? one : many}`
