// Text measured in terminal cells: wide characters take two, and a character may have several code units.
import { displayWidth } from "effect/cli/CliOutput"

const segmenter = new Intl.Segmenter()

/** Replaces control characters (cursor movement, escape sequences) and bidirectional overrides by spaces. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ")

/** Shortens to `width` cells at a character boundary, with an ellipsis. */
export const truncate = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let kept = ""
  for (const { segment } of segmenter.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Pads with spaces to at least `width` cells; left-aligned by default. */
export const pad = (text: string, width: number, align?: "right"): string => {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)))
  return align === "right" ? space + text : text + space
}
