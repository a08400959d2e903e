// Tables that decisions write: new rows as lists in the order of the table's columns, which `schema/tables` has, and changed rows as the
// columns that differ.
import type { Schema } from "effect"
import { readText, TABLE_FILES } from "../database/SchemaTexts.ts"
import {
  type ColumnValue,
  columnOf,
  type Table,
  type TableOptions,
  table,
  type Values,
  type WrittenRow
} from "./Table.ts"

export interface StoredRows {
  /** The table's name in the database. */
  readonly stored: string
  /** The values of a new row; missing members are null. */
  readonly values: (entity: Values) => ReadonlyArray<ColumnValue>
  /** The key, the columns that differ, and the version that they are written over; `null` without a difference. */
  readonly changes: (before: Values, after: Values) => WrittenRow | null
}

export interface StoredTable<Fields extends Schema.Struct.Fields> extends Table<Fields>, StoredRows {}

interface StoredOptions<Fields> extends TableOptions<Fields> {
  /** The columns that a changed row always names, its key among them; by default the first column. */
  readonly named?: ReadonlyArray<string>
}

const schema = TABLE_FILES.map((name) => readText(name).script).join("\n")

/** A column's definition is a line that begins with its name; words of SQL are in capitals. The database fills in what it generates. */
const COLUMN = /^ {2}([a-z]\w*) (?!.* GENERATED )/gm

/** The columns that are written of a table, in its order. */
export const columnsIn = (stored: string): ReadonlyArray<string> => {
  const [, definition] = schema.split(`CREATE TABLE ${stored} (`)
  return [...(definition?.split("\n)")[0] ?? "").matchAll(COLUMN)].map(([, column = ""]) => column)
}

/** Rows are written with their account's id, and the database looks the number up. */
const nameOf = (column: string): string =>
  column === "account_no" ? "accountId" : column.replace(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase())

export const storedTable = <const Fields extends Schema.Struct.Fields>(
  stored: string,
  fields: Fields,
  { named, ...options }: StoredOptions<Fields> = {}
): StoredTable<Fields> => {
  const columns = columnsIn(stored).map((column) => [nameOf(column), column] as const)
  const always = named ?? columns.slice(0, 1).map(([name]) => name)
  const described = table(fields, options)

  return {
    ...described,
    stored,
    values: (entity) => {
      const values = described.flat(entity)
      return columns.map(([name]) => values[name] ?? null)
    },
    changes: (before, after) => {
      const [earlier, later] = [described.flat(before), described.flat(after)]
      const row: Record<string, ColumnValue> = {}
      let isChanged = false
      for (const [name, column] of columns) {
        const value = later[name] ?? null
        const known = earlier[name] ?? null
        if (value === known) continue
        row[column] = value
        if (column.endsWith("version")) row[`over_${column}`] = known
        isChanged = true
      }
      for (const name of always) row[columnOf(name)] = later[name] ?? null
      return isChanged ? row : null
    }
  }
}
