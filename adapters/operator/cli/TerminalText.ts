// Text in the cells of a terminal, of which some characters take two, and some have several code units. Where it stands is not its
// business.
import { displayWidth } from "effect/cli/CliOutput"

const segmenter = new Intl.Segmenter()

/** Control characters would move the cursor or start a command to the terminal, the others turn the line around. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ")

/** At most `width` cells of it, in whole characters, with an ellipsis where it goes on. */
export const truncate = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let kept = ""
  for (const { segment } of segmenter.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** At least `width` cells: with spaces behind it, or before it where it stands on the right. */
export const pad = (text: string, width: number, align?: "right"): string => {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)))
  return align === "right" ? space + text : text + space
}
