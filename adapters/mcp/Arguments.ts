// Tool arguments as the texts that a URL would carry. Numbers and booleans become text, so that the schema of the REST query checks them, and
// tools refuse what the API would, under the tools' own argument names.
import { Predicate, Result, Schema } from "effect"
import { checkNoFields } from "#adapters/contract/decoding/SchemaIssues.ts"
import { strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import type { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import { isObject, type JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import type { ObjectSchema } from "./ToolSchema.ts"

/** Unchecked arguments of a call, every name kept. */
export const Arguments = Schema.declare((value): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value)
)
export type Arguments = typeof Arguments.Type

/** Arguments as a URL would carry them: a list is a parameter that is given more than once. */
export type Texts = Readonly<Record<string, string | ReadonlyArray<string>>>

const typeOf = (properties: ObjectSchema["properties"], name: string): JsonValue | undefined => {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  return isObject(property) ? property["type"] : undefined
}

/** JSON's spelling of the value, which the schemas refuse unless it is a plain number. */
const asText = (value: unknown): unknown => (typeof value === "string" ? value : JSON.stringify(value))

/** An empty list, which a URL cannot carry, is no argument: so models spell that they ask for none of a list. */
const toTexts = (properties: ObjectSchema["properties"], args: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const type = typeOf(properties, name)
      if (type === "array" && Array.isArray(value) && value.length === 0) return []
      return [[name, type === "integer" || type === "number" || type === "boolean" ? asText(value) : value]]
    })
  )

const isText = (value: unknown): boolean => typeof value === "string" && value.isWellFormed()

/** Whether a URL can carry all of them exactly. */
const isTexts = (args: Arguments): args is Texts =>
  Object.values(args).every((value) => (Array.isArray(value) ? value.every(isText) : isText(value)))

/** Reads the arguments of a tool that takes scalars and lists of texts; `shown` is the JSON Schema made from `schema`. */
export const textReader = (schema: Schema.ConstraintDecoder<unknown>, shown: ObjectSchema) => {
  const decode = strictDecoder(Schema.toCodecArrayFromSingle(schema), "body")
  const prepare = omitNulls(schema)
  /** `null` for an optional argument is no argument, because strict schemas make models send every argument. */
  const textsOf = (args: Arguments): Arguments => {
    const given = prepare(args)
    return toTexts(shown.properties, Predicate.isObject(given) ? given : args)
  }
  const check = (args: Arguments): Result.Result<Texts, ValidationFailed> => {
    const texts = textsOf(args)
    // Every value that such a schema accepts is text or a list of texts, though its type does not say so.
    return Result.map(decode(texts), () => texts as Texts)
  }
  return {
    check,
    /** The arguments are just the query, which the API checks by the same schema with the same messages: texts are not checked here. */
    asQuery: (args: Arguments): Result.Result<Texts, ValidationFailed> => {
      const texts = textsOf(args)
      return isTexts(texts) ? Result.succeed(texts) : check(args)
    }
  }
}

/** Reads the arguments of a tool that takes none. */
export const noTexts = (args: Arguments): Result.Result<Texts, ValidationFailed> =>
  Result.map(checkNoFields(Object.keys(args)), () => ({}))
