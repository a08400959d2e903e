// Columns of tables, derived from the schema of their rows, and the text of times and amounts.
import { Predicate, type Schema, SchemaAST } from "effect"
import { euros } from "#adapters/operator/records/Euros.ts"
import { isCents, isTime, withoutNull } from "#adapters/operator/records/SchemaShape.ts"
import type { Column } from "./Table.ts"

const TO_THE_SECOND = "2026-01-31T18:00:00".length

/** `2026-01-31 18:00:00`, in UTC. */
export const timeText = (atMs: number): string => new Date(atMs).toISOString().slice(0, TO_THE_SECOND).replace("T", " ")

export const timeOrNull = (atMs: number | null | undefined): string | null => (atMs == null ? null : timeText(atMs))

type Cell<Row> = Omit<Column<Row>, "title">

type Plain = string | number | boolean | ReadonlyArray<unknown>

/** A member of a row, or of a member, such as `key.label`. */
type Path<Row> = {
  [Name in keyof Row & string]: NonNullable<Row[Name]> extends Plain ? Name : `${Name}.${Path<NonNullable<Row[Name]>>}`
}[keyof Row & string]

/** What a column shows: a member of the row, or something of it. */
type Shown<Row> = Path<Row> | ((row: Row) => string | number | null)

/** Cents as euros, milliseconds as a time; what is absent as nothing. */
const textOf = (path: string, value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.join(" ")
  if (typeof value !== "number") return String(value)
  if (isCents(path)) return euros(value)
  return isTime(path) ? timeText(value) : String(value)
}

const valueAt = (row: unknown, path: string): unknown =>
  path.split(".").reduce((at: unknown, name) => (Predicate.hasProperty(at, name) ? at[name] : undefined), row)

const cell = <Row>(shown: Shown<Row>): ((row: Row) => string) =>
  typeof shown === "string" ? (row) => textOf(shown, valueAt(row, shown)) : (row) => textOf("", shown(row))

/** Text that may be truncated to fit the terminal. */
export const text = <Row>(shown: Shown<Row>): Cell<Row> => ({ cell: cell(shown), elastic: true })

const RIGHT = { align: "right" } as const

/** An amount that is no member of the row, in cents. */
export const amount = <Row>(cents: (row: Row) => number): Cell<Row> => ({ cell: (row) => euros(cents(row)), ...RIGHT })

/** A number that is no member of the row. */
export const number = <Row>(shown: (row: Row) => number): Cell<Row> => ({ cell: cell(shown), ...RIGHT })

const typeAt = (row: SchemaAST.AST, path: string): SchemaAST.AST =>
  path.split(".").reduce((ast, member) => {
    const found = SchemaAST.isObjects(ast) ? ast.propertySignatures.find(({ name }) => name === member) : undefined
    return found === undefined ? ast : withoutNull(found.type)
  }, row)

/**
 * Titles, and what stands below them: `columns(Account, { ACCOUNT: "accountId", NAME: text("name") })`. Numbers and amounts are set
 * to the right. Nothing but `text` is truncated.
 */
export const columns = <Row>(
  { ast }: Schema.Schema<Row>,
  titled: Readonly<Record<string, Shown<Row> | Cell<Row>>>
): ReadonlyArray<Column<Row>> =>
  Object.entries(titled).map(([title, shown]) => {
    if (typeof shown === "object") return { title, ...shown }
    const isRight = typeof shown === "string" && !isTime(shown) && SchemaAST.isNumber(typeAt(ast, shown))
    return { title, cell: cell(shown), ...(isRight ? RIGHT : {}) }
  })
