// Tables as schemas: reads rows as JSON into entities, and writes entities as rows. Columns have the fields' names in snake case. Amounts
// and times are bigint in the database and safe integers here.
import { Schema, SchemaAST, SchemaGetter } from "effect"

export const Text = Schema.String
export const Integer = Schema.Int
export const textOrNull = Schema.NullOr(Schema.String)
export const integerOrNull = Schema.NullOr(Schema.Int)

export type ColumnValue = string | number | boolean | null | object | undefined

export type WrittenRow = Readonly<Record<string, ColumnValue>>

export type WrittenList = ReadonlyArray<ColumnValue>

/** The values are decoded once they have their names. */
const List = Schema.declare((value): value is ReadonlyArray<unknown> => Array.isArray(value))

/** The column of a field: its name in snake case. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Members by the fields' names, and those of further columns. */
export type Values = Readonly<Record<string, unknown>>

export interface Table<Fields extends Schema.Struct.Fields> {
  /** What the columns are called here, in the order in which they are read. */
  readonly names: ReadonlyArray<string>
  /** SQL for a row's values as one JSON array; objects with names would take twice as long. */
  readonly list: (alias: string) => string
  /** Decodes such a list. */
  readonly schema: Schema.decodeTo<Schema.Struct<Fields>, typeof List>
  /** A row by column names, for writing. Members that are no columns are left out, and so are nulls. */
  readonly row: (entity: Values) => WrittenRow
  /** The values of an entity's columns by their names, those of its parts too. */
  readonly flat: (entity: Values) => Readonly<Record<string, ColumnValue>>
}

/** The columns of an object that is a member of an entity: their names, by the names of its members. */
type Part = Readonly<Record<string, string>>

export interface TableOptions<Fields> {
  /** Columns that are not named as the field; of a part, one for each of its members. */
  readonly columns?: { readonly [Name in keyof Fields]?: string | Part }
  /** SQL for columns that are not read as they are stored, by their names. */
  readonly derived?: Readonly<Record<string, (alias: string) => string>>
}

/** The columns of a part whose members are named like their columns. */
export const sameNames = ({ fields }: { readonly fields: Schema.Struct.Fields }): Part =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, name]))

interface Member {
  readonly field: string
  /** `null`: it is one column. */
  readonly part: ReadonlyArray<string> | null
  readonly columns: ReadonlyArray<string>
  /** What stands for nulls: no member at all, or `null` for a part; otherwise they are values. */
  readonly missing: "absent" | "null" | "value"
}

const acceptsNull = (ast: SchemaAST.AST): boolean => SchemaAST.isUnion(ast) && ast.types.some(SchemaAST.isNull)

const memberOf = (field: string, ast: SchemaAST.AST, named: string | Part): Member => {
  const isPart = typeof named !== "string"
  return {
    field,
    part: isPart ? Object.keys(named) : null,
    columns: isPart ? Object.values(named) : [named],
    missing: SchemaAST.isOptional(ast) ? "absent" : isPart && acceptsNull(ast) ? "null" : "value"
  }
}

export const table = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  { columns: named = {}, derived = {} }: TableOptions<Fields> = {}
): Table<Fields> => {
  const members = Object.entries(fields).map(([field, { ast }]) => memberOf(field, ast, named[field] ?? field))
  const renamed = members.filter(({ field, part, columns }) => part !== null || columns[0] !== field)
  const names = [...new Set(members.flatMap(({ columns }) => columns))]
  const readFrom = (alias: string) =>
    members.flatMap((member) => member.columns.map((name) => derived[name]?.(alias) ?? `${alias}.${columnOf(name)}`))
  const struct = Schema.Struct(fields)

  const nested = (list: ReadonlyArray<unknown>) => {
    const row: Record<string, unknown> = {}
    let index = 0
    for (const { field, part, missing } of members) {
      let value: unknown
      if (part === null) value = list[index++]
      else {
        const values: Record<string, unknown> = {}
        let isWhole = true
        for (const name of part) {
          const member = list[index++]
          if (member === null) isWhole = false
          values[name] = member
        }
        value = isWhole || missing === "value" ? values : null
      }
      if (value !== null || missing !== "absent") row[field] = value
    }
    // Has all names of the fields; the values are decoded next.
    return row as typeof struct.Encoded
  }

  const flat = (entity: Values): Readonly<Record<string, ColumnValue>> => {
    type Flat = Record<string, ColumnValue>
    // What the members of an entity are that has no parts: values of columns.
    if (renamed.length === 0) return entity as Flat
    // Its parts are replaced next, by their own members.
    const values = { ...entity } as Flat
    for (const { field, part, columns } of renamed) {
      const value = values[field]
      if (part === null) values[columns[0] ?? field] = value
      else if (typeof value === "object" && value !== null) {
        const members = value as Flat // A part is an object of values of columns.
        for (const [index, name] of part.entries()) values[columns[index] ?? name] ??= members[name]
      }
    }
    return values
  }

  return {
    names,
    flat,
    list: (alias) => `json_build_array(${readFrom(alias).join(", ")})`,
    schema: List.pipe(
      Schema.decodeTo(struct, { decode: SchemaGetter.transform(nested), encode: SchemaGetter.forbiddenEncoding })
    ),
    row: (entity) => {
      const values = flat(entity)
      const row: Record<string, ColumnValue> = {}
      for (const name of names) {
        const value = values[name]
        if (value !== null && value !== undefined) row[columnOf(name)] = value
      }
      return row
    }
  }
}
