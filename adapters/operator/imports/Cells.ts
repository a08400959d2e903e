// Cells of an import file: from text to the value of a row's member, which the schema of the row judges.
import { Schema, SchemaAST, SchemaTransformation } from "effect"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { ArticleRow } from "../records/CatalogueRecords.ts"
import { eurosFor } from "../records/Euros.ts"
import { isCents, isTime, withoutNull } from "../records/SchemaShape.ts"

type Cell = Schema.Codec<unknown, unknown>

/** Other text than a whole number becomes one outside of every range, whose message then says what is allowed. */
const digits = SchemaTransformation.transform<number, string>({
  decode: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.MIN_SAFE_INTEGER),
  encode: String
})

const yesNo = Schema.Literals(["yes", "no", "true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform<boolean, "yes" | "no" | "true" | "false">({
      decode: (word) => word === "yes" || word === "true",
      encode: (yes) => (yes ? "yes" : "no")
    })
  )
)

const DATE_LENGTH = "2026-01-31".length

/** `Date.parse` turns 30 February into a day of March; such days are refused. */
const isOnCalendar = (value: string): boolean => {
  const atMs = Date.parse(value)
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().slice(0, DATE_LENGTH) === value.slice(0, DATE_LENGTH)
}

const DATE_OR_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/
const NOT_A_TIME = "Must be a day such as 2026-01-31 or a time in UTC such as 2026-01-31T18:00:00Z."

/** A day or a time, in UTC, as milliseconds; a day stands for the moment that comes `intoDayMs` after its start. */
const moment = (intoDayMs: number) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => (DATE_OR_TIME.test(value) && isOnCalendar(value) ? undefined : NOT_A_TIME))
  ).pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transform<number, string>({
        decode: (value) => Date.parse(value) + (value.length === DATE_LENGTH ? intoDayMs : 0),
        encode: (atMs) => new Date(atMs).toISOString()
      })
    )
  )

export const dateOrTime = moment(0)

/** Like `dateOrTime`, for an end: a day is included. */
export const endDateOrTime = moment(DAY_MS)

const MAX_BASIS_POINTS = 10_000
const PERCENT_DECIMALS = 2

/** A percentage with at most two decimals, as basis points. */
export const percent = Schema.String.check(
  Schema.isPattern(/^\d{1,3}(\.\d{1,2})?$/, { message: "Must be a percentage such as 10 or 12.50." })
).pipe(
  Schema.decodeTo(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: MAX_BASIS_POINTS }, { message: "Must be above 0 and at most 100." })
    ),
    SchemaTransformation.transform<number, string>({
      decode: (value) => {
        const [wholes = "", decimals = ""] = value.split(".")
        return Number(wholes + decimals.padEnd(PERCENT_DECIMALS, "0"))
      },
      encode: (basisPoints) => (basisPoints / 100).toFixed(PERCENT_DECIMALS)
    })
  )
)

type Keywords = (typeof ArticleRow.fields.keywords)["Encoded"]

const number = (text: string): number => (/^\s*\d{1,10}(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN)

/** Split from the right, because a query may contain a colon. The schema refuses what is not a number. */
const keyword = (text: string): Keywords[number] => {
  const [, query = text, position = "", impressions = ""] = /^(.*):([^:]*):([^:]*)$/.exec(text) ?? []
  return { query: query.trim(), position: number(position), impressions: number(impressions) }
}

/** In JSON a list of objects, in CSV `query:position:impressions` separated by `|`. */
export const keywords = Schema.Unknown.pipe(
  Schema.decodeTo(
    ArticleRow.fields.keywords,
    SchemaTransformation.transform<Keywords, unknown>({
      // A list is passed on unchanged: the schema of the list judges it and reports the path.
      decode: (cell) => (typeof cell === "string" ? cell.split("|").map(keyword) : (cell as Keywords)),
      encode: (list) => list
    })
  )
)

/** How a cell is read, from the type and the name of its member. */
export const cellOf = (member: string, schema: Schema.Constraint): Cell => {
  const ast = withoutNull(schema.ast)
  if (SchemaAST.isBoolean(ast)) return yesNo
  if (SchemaAST.isArrays(ast)) throw new Error(`The kind of file says how a cell of ${member}, a list, is read`)
  const judge: Schema.Codec<number, number> = Schema.make(ast)
  if (!SchemaAST.isNumber(ast)) return judge
  if (isTime(member)) return dateOrTime
  return isCents(member) ? eurosFor(judge) : Schema.String.pipe(Schema.decodeTo(judge, digits))
}
