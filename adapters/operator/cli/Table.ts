// Tables for people: aligned columns without lines or colours, cut to the width there is. What is in them is not its business.
import { displayWidth } from "effect/cli/CliOutput"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  /** Numbers and amounts stand on the right. */
  readonly align?: "right"
  /** May be cut short where the line is too long for the terminal. Ids and addresses never are: they are there to be copied. */
  readonly elastic?: true
}

const GAP = 2
/** What an elastic column is never cut below. */
const NARROWEST = 8

const segmenter = new Intl.Segmenter()

/** Control characters would move the cursor or start a command to the terminal, the others turn the line around. */
const plain = (text: string): string => text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, " ")

const cut = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let kept = ""
  for (const { segment } of segmenter.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

const pad = (text: string, width: number, align: "right" | undefined): string => {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)))
  return align === "right" ? space + text : text + space
}

/** Takes from the widest elastic column, one character at a time, until the line fits or none has any left to give. */
const squeeze = (
  natural: ReadonlyArray<number>,
  elastic: ReadonlyArray<boolean>,
  width: number
): ReadonlyArray<number> => {
  const widths = [...natural]
  const total = () => widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1))
  while (total() > width) {
    let widest = -1
    widths.forEach((one, index) => {
      if (elastic[index] === true && one > NARROWEST && one > (widths[widest] ?? 0)) widest = index
    })
    const before = widths[widest]
    if (before === undefined) break
    widths[widest] = before - 1
  }
  return widths
}

/** `width` is the terminal's, or `undefined` where the lines go to a file. No rows: the titles alone. */
export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  width: number | undefined
): string => {
  const lines = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => plain(cell(row))))]
  const natural = columns.map((_, index) => Math.max(...lines.map((cells) => displayWidth(cells[index] ?? ""))))
  const elastic = columns.map((column) => column.elastic === true)
  const widths = width === undefined ? natural : squeeze(natural, elastic, width)
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align))
        .join(" ".repeat(GAP))
        .trimEnd()
    )
    .join("\n")
}

/** One thing, a line for each of its facts. */
export const facts = (entries: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const widest = Math.max(...entries.map(([name]) => displayWidth(name)))
  return entries.map(([name, value]) => `${pad(name, widest, undefined)}  ${plain(value)}`.trimEnd()).join("\n")
}
