// The JSON Schemas of a tool, made from the contract's schemas. References are inlined, because many clients do not follow them.
// `additionalProperties` is left out: some models' converters refuse it, the API names unknown arguments itself, and responses may grow.
// Input schemas have only keywords that every model takes: one that a model does not know costs the whole request.
import { Schema } from "effect"
import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapObjects,
  tidy
} from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { MAX_QUERY_INT } from "#adapters/contract/schema/QueryValue.ts"

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

/** A bound that no argument exceeds by accident. It would cost a model's context in every conversation, and the API checks it. */
const dropWideBound = ({ maximum, ...node }: JsonObject): JsonObject =>
  maximum === undefined || maximum === MAX_QUERY_INT ? node : { ...node, maximum }

/** Leaves out what Gemini (`examples`) or OpenAI's strict mode (`default`, lengths) refuses; a default is told in words. */
const plainValue = ({ examples: _, minLength: _min, maxLength: _max, default: standard, ...node }: JsonObject) =>
  standard === undefined
    ? node
    : { ...node, description: `${node["description"] ?? ""} ${JSON.stringify(standard)} unless told.`.trim() }

export const noInput: ObjectSchema = { type: "object", properties: {} }

/** Looser than what the API accepts. */
export const inputSchema = (schema: Schema.Constraint): ObjectSchema =>
  asObjectSchema(
    mapObjects(generate(schema, "ignore"), (node) => plainValue(dropWideBound(boundIntegers(openObject(node)))))
  )

export const outputSchema = (schema: Schema.Constraint): ObjectSchema =>
  asObjectSchema(mapObjects(generate(schema, "ignore"), openObject))
