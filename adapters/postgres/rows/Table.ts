// How a table's rows are read and written: as JSON, under the names of the domain, which are those of the columns in camel case.
// Amounts and times are bigint there and plain numbers here; all of them are safe integers.
import { Schema } from "effect"

export const Text = Schema.String
export const Whole = Schema.Int
export const textOrNull = Schema.NullOr(Schema.String)
export const wholeOrNull = Schema.NullOr(Schema.Int)
export const Mode = Schema.Literals(["live", "sandbox"])

/** The stem of the decision that wrote a row last, in rows that others decide on. */
export const versioned = { version: Text }

export type ColumnValue = string | number | boolean | null | object | undefined

export type WrittenRow = Readonly<Record<string, ColumnValue>>

export type WrittenList = ReadonlyArray<ColumnValue>

type Values<Fields> = { readonly [Name in keyof Fields]?: ColumnValue }

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export interface Table<Fields extends Schema.Struct.Fields> {
  readonly schema: Schema.Struct<Fields>
  readonly columns: ReadonlyArray<string>
  /** SQL for a row of the table under this alias as one JSON object. */
  readonly json: (alias: string) => string
  /** What the table's columns are to hold. Members that are no columns are left out, and so is null: the database adds it again. */
  readonly row: (values: Values<Fields>) => WrittenRow
  /** The same without names, in the order of the fields, which then has to be that of the table's columns. */
  readonly list: (values: Values<Fields>) => WrittenList
}

export const table = <const Fields extends Schema.Struct.Fields>(fields: Fields): Table<Fields> => {
  const names = Object.keys(fields)
  const columns = names.map((name) => ({ name, column: columnOf(name) }))
  return {
    columns: columns.map(({ column }) => column),
    schema: Schema.Struct(fields),
    json: (alias) =>
      `json_build_object(${columns.map(({ name, column }) => `'${name}', ${alias}.${column}`).join(", ")})`,
    row: (values) => {
      const row: Record<string, ColumnValue> = {}
      for (const { name, column } of columns) {
        const value = values[name]
        if (value !== null && value !== undefined) row[column] = value
      }
      return row
    },
    list: (values) => {
      const list: Array<ColumnValue> = []
      for (const name of names) list.push(values[name] ?? null)
      return list
    }
  }
}
