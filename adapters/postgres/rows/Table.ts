// Tables as schemas: reads and writes rows as JSON. Columns have the fields' names in snake case. Amounts and times are bigint in the
// database and safe integers here.
import { Schema, SchemaGetter } from "effect"

export const Text = Schema.String
export const Integer = Schema.Int
export const textOrNull = Schema.NullOr(Schema.String)
export const integerOrNull = Schema.NullOr(Schema.Int)
export const Mode = Schema.Literals(["live", "sandbox"])

/** The id prefix of the decision that wrote the row last, in rows that other decisions read. */
export const versionField = { version: Text }

export type ColumnValue = string | number | boolean | null | object | undefined

type WrittenRow = Readonly<Record<string, ColumnValue>>

type WrittenList = ReadonlyArray<ColumnValue>

type Values<Fields> = { readonly [Name in keyof Fields]?: ColumnValue }

/** The values are decoded once they have their names. */
const List = Schema.declare((value): value is ReadonlyArray<unknown> => Array.isArray(value))

const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export interface Table<Fields extends Schema.Struct.Fields> {
  readonly columns: ReadonlyArray<string>
  /** SQL for a row's values as one JSON array; objects with names would take twice as long. */
  readonly list: (alias: string) => string
  /** Decodes such a list. */
  readonly schema: Schema.decodeTo<Schema.Struct<Fields>, typeof List>
  /** A row by column names, for writing. Members that are no columns are left out, and so are nulls. */
  readonly row: (values: Values<Fields>) => WrittenRow
  /** A row as a list, for writing. The fields have to be in the order of the table's columns. */
  readonly values: (values: Values<Fields>) => WrittenList
}

/** `derived` has SQL for columns that are not stored in every row, by their names; the rest are read as they are. */
export const table = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  derived: { readonly [Name in keyof Fields]?: (alias: string) => string } = {}
): Table<Fields> => {
  const names = Object.keys(fields)
  const columns = names.map((name) => ({ name, column: columnOf(name) }))
  const readFrom = (alias: string): ReadonlyArray<string> =>
    columns.map(({ name, column }) => derived[name]?.(alias) ?? `${alias}.${column}`)
  const struct = Schema.Struct(fields)

  const named = (list: ReadonlyArray<unknown>) => {
    const row: Record<string, unknown> = {}
    let index = 0
    for (const name of names) row[name] = list[index++]
    // Has all names of the fields; the values are decoded next.
    return row as typeof struct.Encoded
  }

  return {
    columns: columns.map(({ column }) => column),
    list: (alias) => `json_build_array(${readFrom(alias).join(", ")})`,
    schema: List.pipe(
      Schema.decodeTo(struct, { decode: SchemaGetter.transform(named), encode: SchemaGetter.forbiddenEncoding })
    ),
    row: (values) => {
      const row: Record<string, ColumnValue> = {}
      for (const { name, column } of columns) {
        const value = values[name]
        if (value !== null && value !== undefined) row[column] = value
      }
      return row
    },
    values: (values) => {
      const list: Array<ColumnValue> = []
      for (const name of names) list.push(values[name] ?? null)
      return list
    }
  }
}
