// Tables for people: aligned columns without borders or colours, fitted to the width of the terminal.
import { displayWidth } from "effect/cli/CliOutput"
import { pad, printable, truncate } from "./TerminalText.ts"

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  /** For numbers and amounts. */
  readonly align?: "right"
  /** May be truncated to fit the terminal. Ids and URLs are not, so that they can be copied. */
  readonly elastic?: true
}

const GAP = 2
/** Minimum width of an elastic column, in cells. */
const MIN_ELASTIC_WIDTH = 8

/** Narrows the widest elastic column cell by cell until the line fits or all are at their minimum. */
const fitWidths = (
  natural: ReadonlyArray<number>,
  elastic: ReadonlyArray<boolean>,
  width: number
): ReadonlyArray<number> => {
  const widths = [...natural]
  const total = () => widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1))
  while (total() > width) {
    let widest = -1
    widths.forEach((one, index) => {
      if (elastic[index] === true && one > MIN_ELASTIC_WIDTH && one > (widths[widest] ?? 0)) widest = index
    })
    const before = widths[widest]
    if (before === undefined) break
    widths[widest] = before - 1
  }
  return widths
}

/** `width` is the terminal's, `undefined` for no limit. Without rows, the titles alone. */
export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  width: number | undefined
): string => {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ cell }) => printable(cell(row))))
  ]
  const natural = columns.map((_, index) => Math.max(...lines.map((cells) => displayWidth(cells[index] ?? ""))))
  const elastic = columns.map((column) => column.elastic === true)
  const widths = width === undefined ? natural : fitWidths(natural, elastic, width)
  return lines
    .map((cells) =>
      cells
        .map((cell, index) => pad(truncate(cell, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align))
        .join(" ".repeat(GAP))
        .trimEnd()
    )
    .join("\n")
}

/** The fields of one record, one per line; those without a value are left out. */
export const fieldList = (
  entries: ReadonlyArray<readonly [name: string, value: string | null | undefined]>
): string => {
  const shown = entries.flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]))
  const widest = Math.max(...shown.map(([name]) => displayWidth(name)))
  return shown.map(([name, value]) => `${pad(name, widest)}  ${printable(value)}`.trimEnd()).join("\n")
}
