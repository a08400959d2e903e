// A row of a CSV or JSON file before it is decoded, and the errors of rows.

/** Text from CSV; from JSON also lists and objects. Empty fields are left out. */
export type Fields = Readonly<Record<string, unknown>>

export interface FileRow {
  /** From 1, including the header. */
  readonly line: number
  readonly fields: Fields
}

/** One error in a file. */
export interface RowError {
  readonly line: number
  readonly column?: string
  /** The text found there, if showing it helps. */
  readonly found?: string
  readonly message: string
}

const MAX_FOUND = 60

const shown = (found: string): string =>
  JSON.stringify(found.length > MAX_FOUND ? `${found.slice(0, MAX_FOUND)}…` : found)

/** `line 3, column tf: "abc": Must be …` */
export const rowErrorText = ({ line, column, found, message }: RowError): string =>
  `line ${line}${column === undefined ? "" : `, column ${column}`}${found === undefined ? "" : `, ${shown(found)}`}: ${message}`
