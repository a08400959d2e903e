// A file of goods before its rows mean anything: named cells, each row with the line it begins on, and how errors about
// them read. CSV and JSON both become this.

/** Text from a CSV file; from JSON also lists and objects. Empty cells are left out. */
export type Fields = Readonly<Record<string, unknown>>

export interface FileRow {
  /** Counted from 1, the header included. */
  readonly line: number
  readonly fields: Fields
}

/** One thing that is wrong with a file. */
export interface RowError {
  readonly line: number
  readonly column?: string
  /** What stands there, where it helps to see it. */
  readonly found?: string
  readonly message: string
}

const MAX_FOUND = 60

const shown = (found: string): string =>
  JSON.stringify(found.length > MAX_FOUND ? `${found.slice(0, MAX_FOUND)}…` : found)

/** `line 3, column tf: "abc": Must be …` */
export const rowErrorText = ({ line, column, found, message }: RowError): string =>
  `line ${line}${column === undefined ? "" : `, column ${column}`}${found === undefined ? "" : `, ${shown(found)}`}: ${message}`
