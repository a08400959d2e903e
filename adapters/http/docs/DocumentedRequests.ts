// Bodies of requests as the OpenAPI document says them. A default is told in words, because generators take a member with `default` for one
// that is always there; and a member that may be left out may be `null`.
import { isObject, type JsonObject, type JsonValue, mapObjects } from "#adapters/contract/schema/JsonSchemaTidy.ts"

const defaultInWords = ({ default: standard, ...node }: JsonObject): JsonObject =>
  standard === undefined
    ? node
    : { ...node, description: `${node["description"] ?? ""} \`${String(standard)}\` unless told.`.trim() }

const orNull = (schema: JsonValue): JsonValue => {
  if (!isObject(schema)) return schema
  const { type, enum: values, description, ...rest } = schema
  if (typeof type !== "string") {
    return { ...(description === undefined ? {} : { description }), anyOf: [{ ...rest }, { type: "null" }] }
  }
  return {
    ...{ ...schema, type: [type, "null"] },
    ...(Array.isArray(values) ? { enum: [...values, null] } : {})
  }
}

const withNulls = (node: JsonObject): JsonObject => {
  const { properties, required } = node
  if (!isObject(properties)) return node
  const always = Array.isArray(required) ? required : []
  return {
    ...node,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, always.includes(name) ? member : orNull(member)])
    )
  }
}

/** The schema of a request's body, or of a part of it. */
export const requestSchema = (schema: JsonValue): JsonValue =>
  mapObjects(schema, (node) => withNulls(defaultInWords(node)))
