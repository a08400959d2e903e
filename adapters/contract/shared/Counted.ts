// Counts in sentences.

/** "1 site", "2 sites". `many` is the plural of a noun that does not take an s. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`
