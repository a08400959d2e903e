// Columns of tables, and the text of times and amounts.
import { euros } from "./Euros.ts"
import type { Column } from "./Table.ts"

const TO_THE_SECOND = "2026-01-31T18:00:00".length

/** `2026-01-31 18:00:00`, in UTC. */
export const timeText = (atMs: number): string => new Date(atMs).toISOString().slice(0, TO_THE_SECOND).replace("T", " ")

export const timeTextOrNone = (atMs: number | null): string => (atMs === null ? "" : timeText(atMs))

const eurosTextOrNone = (cents: number | null): string => (cents === null ? "" : euros(cents))

/** A column of text that may be truncated. */
export const textColumn = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({
  title,
  cell,
  elastic: true
})

/** A column that is never truncated. */
export const idColumn = <Row>(title: string, cell: (row: Row) => string): Column<Row> => ({ title, cell })

export const amountColumn = <Row>(title: string, cents: (row: Row) => number | null): Column<Row> => ({
  title,
  cell: (row) => eurosTextOrNone(cents(row)),
  align: "right"
})

export const numberColumn = <Row>(title: string, number: (row: Row) => number): Column<Row> => ({
  title,
  cell: (row) => String(number(row)),
  align: "right"
})
