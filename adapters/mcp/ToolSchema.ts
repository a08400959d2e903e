// The JSON Schemas of a tool, made from the contract's schemas. References are inlined, because many clients do not follow them.
// `additionalProperties` is left out: some models' converters refuse it, the API names unknown arguments itself, and responses may grow.
import { Record, Schema } from "effect"
import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapObjects,
  tidy
} from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { MAX_QUERY_INT } from "#adapters/contract/schema/QueryValue.ts"
import { MAX_TEXT } from "#adapters/contract/schema/Text.ts"

export interface ObjectSchema extends JsonObject {
  readonly type: "object"
  readonly properties: JsonObject
}

const toJson = Schema.decodeUnknownSync(Schema.Json)

const openObject = ({ additionalProperties: _, ...node }: JsonObject): JsonObject => node

const generate = (schema: Schema.Constraint, onExcessProperty: "error" | "ignore"): JsonValue =>
  tidy(toJson(Schema.toJsonSchemaDocument(schema, { onExcessProperty, referencePolicy: () => undefined }).schema))

const asObjectSchema = (shown: JsonValue): ObjectSchema => {
  const { type, properties, ...rest } = isObject(shown) ? shown : {}
  if (type !== "object" || !isObject(properties)) throw new Error("The schemas of a tool must describe objects.")
  return { type, properties, ...rest }
}

const isInteger = (value: JsonValue): value is number => Number.isInteger(value)

/** Bounds instead of an enumeration of integers, because Gemini takes enumerations of texts only. */
const boundIntegers = ({ enum: values, ...node }: JsonObject): JsonObject => {
  if (values === undefined) return node
  return Array.isArray(values) && values.every(isInteger)
    ? { ...node, type: "integer", minimum: Math.min(...values), maximum: Math.max(...values) }
    : { ...node, enum: values }
}

/** Bounds that no argument exceeds by accident. They would cost a model's context in every conversation, and the API checks them. */
const WIDE_BOUNDS: JsonObject = { minLength: 1, maxLength: MAX_TEXT, maximum: MAX_QUERY_INT }

const dropWideBounds = (node: JsonObject): JsonObject => Record.filter(node, (value, key) => value !== WIDE_BOUNDS[key])

export const noInput: ObjectSchema = { type: "object", properties: {} }

/** Looser than what the API accepts. */
export const inputSchema = (schema: Schema.Constraint): ObjectSchema =>
  asObjectSchema(mapObjects(generate(schema, "ignore"), (node) => dropWideBounds(boundIntegers(openObject(node)))))

export const outputSchema = (schema: Schema.Constraint): ObjectSchema =>
  asObjectSchema(mapObjects(generate(schema, "ignore"), openObject))
