// A history of amounts as a graph of block characters; the largest amount fills the height.

const EIGHTHS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const

/** Rows from top to bottom, each `width` cells; the newest amount is at the right edge. Amounts below zero count as zero. */
export const graph = (amounts: ReadonlyArray<number>, width: number, height: number): ReadonlyArray<string> => {
  const shown = amounts.slice(-width)
  const most = Math.max(1, ...shown)
  const eighths = shown.map((amount) => Math.round((Math.max(0, amount) / most) * height * 8))
  return Array.from({ length: height }, (_, row) => {
    const below = (height - 1 - row) * 8
    return eighths
      .map((filled) => EIGHTHS[Math.min(8, Math.max(0, filled - below))] ?? " ")
      .join("")
      .padStart(width)
  })
}
