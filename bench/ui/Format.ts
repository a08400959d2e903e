// How times, amounts, ids and sentences are written in a row of terminal cells. Pure text.
import { displayWidth } from "effect/cli/CliOutput"
import { pad, printable, truncate } from "#adapters/cli/TerminalText.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"

/** Joiners, variants, skin tones, enclosing marks and lone surrogates: some terminals give them cells, others none. */
const DISPUTED = /[\p{Cf}\p{Cs}\p{Me}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]+/gu

/** The letters of flags: a cell or two each, or two for both. */
const FLAG_LETTERS = /[\u{1F1E6}-\u{1F1FF}]/gu
const FROM_FLAG_LETTER = 0x1f1e6 - 0x41

/**
 * One line: characters that would break the row, start a terminal command or reverse the text become spaces. Emoji lose joiners and
 * variants, and flags become letters, because terminals disagree about the width of such sequences.
 */
export const oneLine = (text: string): string =>
  printable(text)
    .replace(DISPUTED, "")
    .replace(FLAG_LETTERS, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - FROM_FLAG_LETTER))
    .replace(/\s+/g, " ")

/** Exactly `cells` wide: padded with spaces, or truncated with an ellipsis. */
export const column = (text: string, cells: number): string => {
  if (cells <= 0) return ""
  return pad(truncate(oneLine(text), cells), cells)
}

/** Like `column`, at the right edge. */
export const columnRight = (text: string, cells: number): string => pad(column(text, cells).trimEnd(), cells, "right")

/** The text in pieces of at most so many cells. */
export const wrapped = (text: string, cells: number): ReadonlyArray<string> => {
  const pieces = [""]
  for (const character of text) {
    const longer = `${pieces.at(-1) ?? ""}${character}`
    if (displayWidth(longer) <= cells) pieces[pieces.length - 1] = longer
    else pieces.push(character)
  }
  return pieces
}

/** "12.50", and "−4.00" where something is taken away. */
export const euros = (cents: Cents): string => `${cents < 0 ? "−" : ""}${(Math.abs(cents) / 100).toFixed(2)}`

/** "ord_…7k3a01": an id's kind and its end, which differs most. A `t` marks sandbox. */
export const shortId = (id: string): string => {
  const [, kind = "", test = ""] = /^([a-z]+_)(test_)?/.exec(id) ?? []
  const rest = id.slice(kind.length + test.length)
  return rest.length <= 7 ? id : `${kind}${test === "" ? "" : "t"}…${rest.slice(-6)}`
}

/** One line in which the ids of the API are short. */
export const sentence = (text: string): string => oneLine(text).replace(/\b[a-z]+_(?:test_)?[0-9a-z]{28}\b/g, shortId)

const DAY_MS = 86_400_000

/** The time of day in UTC; "+2 06:13" on the second day after the start. At most nine cells for 99 days. */
export const clock = (atMs: Millis, startedAtMs: Millis): string => {
  const days = Math.floor(atMs / DAY_MS) - Math.floor(startedAtMs / DAY_MS)
  const time = new Date(atMs).toISOString().slice(11, 19)
  return days === 0 ? time : `${days < 0 ? "−" : "+"}${Math.abs(days)} ${time.slice(0, 5)}`
}

export const CLOCK_CELLS = 9

/** "30s", "4m", "2h", "1d", rounded up: how long until then. */
export const until = (atMs: Millis, nowMs: Millis): string => {
  const seconds = Math.max(0, Math.ceil((atMs - nowMs) / 1_000))
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.ceil(seconds / 3_600)}h` : `${Math.ceil(seconds / 86_400)}d`
}
