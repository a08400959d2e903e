// The JSON Schemas of a tool, made from the contract's schemas. References are inlined, because many clients do not follow them.
// `additionalProperties` is left out: some models' converters refuse it, the API names unknown arguments itself, and responses may grow.
// Input schemas have only keywords that every model takes: one that a model does not know costs the whole request.
import { Predicate, Record, type Schema } from "effect"
import { HUMAN_LINK } from "#adapters/contract/schema/HumanLink.ts"
import {
  isObject,
  type JsonObject,
  type JsonValue,
  jsonSchemaOf,
  mapObjects,
  tidy
} from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { MAX_QUERY_INT } from "#adapters/contract/schema/QueryValue.ts"

export interface ObjectSchema extends JsonObject {
  readonly type: "object"
  readonly properties: JsonObject
}

const openObject = ({ additionalProperties: _, ...node }: JsonObject): JsonObject => node

export const asObjectSchema = (shown: JsonValue): ObjectSchema => {
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

/** Leaves out what Gemini (`examples`) or OpenAI's strict mode (`default`, lengths, `uniqueItems`) refuses; a default is told in words. */
const plainValue = ({
  examples: _,
  minLength: _min,
  maxLength: _max,
  uniqueItems: _unique,
  default: standard,
  ...node
}: JsonObject) =>
  standard === undefined
    ? node
    : { ...node, description: `${node["description"] ?? ""} ${JSON.stringify(standard)} unless told.`.trim() }

export const noInput: ObjectSchema = { type: "object", properties: {} }

/** Looser than what the API accepts. */
export const inputSchema = (schema: Schema.Constraint): ObjectSchema =>
  asObjectSchema(
    mapObjects(tidy(jsonSchemaOf(schema)), (node) => plainValue(dropWideBound(boundIntegers(openObject(node)))))
  )

/** Keywords that developers read in the OpenAPI document; a model sees the values themselves, and a list of tools costs it context. */
const FOR_DEVELOPERS: ReadonlySet<string> = new Set([
  ...["examples", "minimum", "maximum", "minLength", "maxLength", "format"]
])

/** A member may have the name of a keyword, too: its value is a schema. */
const isKeyword = (name: string, value: JsonValue): boolean => FOR_DEVELOPERS.has(name) && !isObject(value)

const plainOutput = (shown: JsonObject): JsonObject => {
  const kept = Record.filter(shown, (value, name) => !isKeyword(name, value))
  const { anyOf, description } = kept
  const node = typeof description === "string" ? { ...kept, description: description.replace(TIME_FORM, "") } : kept
  return Array.isArray(anyOf) && description !== undefined ? { ...node, anyOf: anyOf.map(untold) } : node
}

/** The form of times, which a model sees. */
const TIME_FORM = / RFC 3339, UTC\.$/

/** A kind of a union is described by the union. */
const untold = (kind: JsonValue): JsonValue => {
  const { description: _, ...rest } = isObject(kind) ? kind : {}
  return rest
}

const asOutput = (generated: JsonValue): ObjectSchema =>
  asObjectSchema(mapObjects(tidy(generated), (node) => plainOutput(openObject(node))))

export const outputSchema = (schema: Schema.Constraint): ObjectSchema => asOutput(jsonSchemaOf(schema))

const isHumanLink = (schema: JsonValue | undefined): boolean =>
  Array.isArray(schema)
    ? schema.some(isHumanLink)
    : isObject(schema) && (schema[HUMAN_LINK] === true || isHumanLink(schema["anyOf"]) || isHumanLink(schema["allOf"]))

const omitHumanLinks = (node: JsonObject): JsonObject => {
  const { properties, required } = node
  if (!isObject(properties)) return node
  const kept = Record.filter(properties, (member) => !isHumanLink(member))
  const stillRequired = Array.isArray(required) ? required.filter((name) => String(name) in kept) : []
  return { ...node, properties: kept, required: stillRequired }
}

/** Leaves out the addresses at which a human pays or approves, at any depth. */
export const outputSchemaWithoutHumanLinks = (schema: Schema.Constraint): ObjectSchema =>
  asOutput(mapObjects(jsonSchemaOf(schema), omitHumanLinks))

/** Leaves out members of the object itself. */
export const withoutMembers = (schema: ObjectSchema, names: ReadonlyArray<string>): ObjectSchema => {
  const { required } = schema
  return {
    ...schema,
    properties: Record.filter(schema.properties, (_, name) => !names.includes(name)),
    ...(Array.isArray(required) ? { required: required.filter((name) => !names.includes(String(name))) } : {})
  }
}

/** The names of all members that the schema declares, at any depth. */
export const memberNamesOf = (schema: JsonValue): ReadonlySet<string> => {
  const names = new Set<string>()
  mapObjects(schema, (node) => {
    const { properties } = node
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    return node
  })
  return names
}

const schemasOf = (value: JsonValue | undefined): ReadonlyArray<JsonObject> =>
  isObject(value) ? [value, ...(Array.isArray(value["anyOf"]) ? value["anyOf"].flatMap(schemasOf) : [])] : []

/** The value without the members that the schema does not declare. */
export const pickDeclared = (value: unknown, schema: JsonValue): unknown => {
  const schemas = schemasOf(schema)
  if (Array.isArray(value)) {
    const items = { anyOf: schemas.flatMap((one) => one["items"] ?? []) }
    return value.map((member) => pickDeclared(member, items))
  }
  if (!Predicate.isObject(value)) return value
  const declared: JsonObject = Object.assign({}, ...schemas.map((one) => one["properties"] ?? {}))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const its = Object.hasOwn(declared, name) ? declared[name] : undefined
      return its === undefined ? [] : [[name, pickDeclared(member, its)]]
    })
  )
}
