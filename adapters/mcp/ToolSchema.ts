// The JSON Schemas of a tool, made from the contract's schemas. References are inlined, because many clients do not follow them.
// Input schemas are closed; output schemas are open, because responses may grow.
import { Schema } from "effect"
import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapObjects,
  tidy
} from "#adapters/contract/schema/JsonSchemaTidy.ts"

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

export const noInput: ObjectSchema = { type: "object", properties: {}, additionalProperties: false }

export const inputSchema = (schema: Schema.Constraint): ObjectSchema => asObjectSchema(generate(schema, "error"))

export const outputSchema = (schema: Schema.Constraint): ObjectSchema =>
  asObjectSchema(mapObjects(generate(schema, "ignore"), openObject))
