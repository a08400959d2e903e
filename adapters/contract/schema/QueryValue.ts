// Values of a query string or a path, which arrive as text. Numbers are read strictly: "1e3", "01", "+1", " 1" and "" are invalid.
import { Schema, SchemaTransformation } from "effect"

/** The most entries of any list in a request. */
export const MAX_ENTRIES = 20

/** JSON Schema keyword: the type of a value that a URL carries as text. The OpenAPI document shows it instead of `string`. */
export const WIRE_TYPE = "x-wire-type"

const number = (
  description: string,
  shape: RegExp,
  bounds: { readonly minimum: number; readonly maximum: number },
  message: string,
  json: Readonly<Record<string, unknown>>
) =>
  Schema.String.annotate({ description })
    .check(Schema.isPattern(shape, { message, toJsonSchema: () => ({ [WIRE_TYPE]: { ...json, ...bounds } }) }))
    .pipe(
      Schema.decodeTo(
        Schema.Finite.check(Schema.isBetween(bounds, { message })),
        SchemaTransformation.transform({ decode: Number, encode: String })
      )
    )

/** The largest whole number in a query or a path. */
export const MAX_QUERY_INT = 2_147_483_647

/** A whole number written without sign, exponent or leading zeros. */
export const queryInt = (description: string, minimum: number, maximum = MAX_QUERY_INT) =>
  number(
    description,
    /^(?:0|[1-9]\d{0,9})$/,
    { minimum, maximum },
    `Must be a whole number from ${minimum} to ${maximum}, written in plain digits.`,
    { type: "integer" }
  )

const ANY_AMOUNT = { minimum: 0, maximum: 10_000_000 }

/** An amount in euros: "15", "7.5", "7.50". The description must state the limit of two decimals, and the bounds. */
export const queryEur = (description: string, bounds = ANY_AMOUNT) =>
  number(
    description,
    /^(?:0|[1-9]\d{0,7})(?:\.\d{1,2})?$/,
    bounds,
    `Must be an amount in euros with at most two decimals, such as 15 or 7.50${bounds === ANY_AMOUNT ? "" : `, from ${bounds.minimum} to ${bounds.maximum}`}.`,
    { type: "number" }
  )

/** `true` or `false`. */
export const queryBoolean = (description: string) =>
  Schema.String.annotate({ description })
    .check(
      Schema.isPattern(/^(?:true|false)$/, {
        message: "Must be true or false.",
        toJsonSchema: () => ({ [WIRE_TYPE]: { type: "boolean" } })
      })
    )
    .pipe(
      Schema.decodeTo(
        Schema.Boolean,
        SchemaTransformation.transform({ decode: (text: string) => text === "true", encode: String })
      )
    )

type TextSchema = Schema.Codec<string>

const fewValues = Schema.isMaxLength(MAX_ENTRIES, { message: `Must have at most ${MAX_ENTRIES} values.` })

/** One or several values: the parameter is given once for each. */
export const queryList = <Value extends TextSchema>(value: Value) => Schema.Array(value).check(fewValues)

/** The same for values that never contain a comma, which may also be given as one text with commas between them. */
export const queryCodes = <Code extends TextSchema>(description: string, code: Code) =>
  Schema.Array(Schema.String)
    .annotate({ description })
    .check(
      Schema.makeFilter(() => true, {
        toJsonSchema: () => ({ [WIRE_TYPE]: Schema.toJsonSchemaDocument(Schema.Array(code).check(fewValues)).schema })
      })
    )
    .pipe(
      Schema.decodeTo(
        Schema.Array(code).check(fewValues),
        SchemaTransformation.transform<ReadonlyArray<string>, ReadonlyArray<string>>({
          decode: (texts) => texts.flatMap((text) => text.split(",").map((part) => part.trim())),
          encode: (codes) => codes
        })
      )
    )
