// How many of a thing there are, in words that agree.

/** "1 site", "2 sites"; `many` where an s does not make it several. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`
