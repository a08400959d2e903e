// A whole number from a command line.

/** Returns `unless` without a value; throws a sentence for anything but a whole number of at least `least`. */
export const wholeNumber = (
  value: string | undefined,
  name: string,
  { unless, least }: { readonly unless: number; readonly least: number }
): number => {
  const number = Number(value ?? unless)
  if (!Number.isSafeInteger(number) || number < least) throw new Error(`--${name} ${value} is no number from ${least}`)
  return number
}
