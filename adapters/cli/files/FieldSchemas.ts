// Schemas of single fields of an import file: from text to value, with a sentence for each error.
import { Schema, SchemaTransformation } from "effect"
import { text } from "#adapters/contract/schema/Text.ts"
import { isPublicHost, isPublicUrl } from "#adapters/operator/records/Fields.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"

/** PostgreSQL `integer`. */
const MAX_WHOLE = 2_147_483_647

/** A non-negative integer, digits only. */
export const wholeNumberText = (min: number, max: number = MAX_WHOLE) => {
  const message = `Must be a whole number from ${min} to ${max}.`
  return Schema.String.check(Schema.isPattern(/^\d{1,15}$/, { message })).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max }, { message })),
      SchemaTransformation.transform<number, string>({ decode: Number, encode: String })
    )
  )
}

export const webAddress = text(1).check(isPublicUrl)
export const domain = text(1, 253).check(isPublicHost)

export const yesNo = Schema.Literals(["yes", "no", "true", "false"]).pipe(
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
