// One line of CSV (RFC 4180) for spreadsheets.

/** Opens a file that people save: without it, spreadsheets read UTF-8 as the code page of their country. Files for programs have none. */
export const BYTE_ORDER_MARK = "\uFEFF"

export type Cell = string | number | null

/** What a spreadsheet takes for a formula, also after blanks and as wide characters. A plain number does not count. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A formula is quoted by an apostrophe. */
const cellOf = (value: Cell): string => {
  const text = value === null ? "" : String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: ReadonlyArray<Cell>): string => `${cells.map(cellOf).join(",")}\r\n`
