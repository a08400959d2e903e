// Shortens generated JSON Schema to what one would write by hand.
import { Record, Schema } from "effect"
import { HUMAN_LINK } from "./HumanLink.ts"
import { WIRE_TYPE } from "./QueryValue.ts"

export type JsonValue = null | boolean | number | string | ReadonlyArray<JsonValue> | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keywords for readers; the outermost one wins. */
const ANNOTATIONS: ReadonlySet<string> = new Set(["description", "examples", "default", "title"])

const canMerge = (into: JsonObject, member: JsonValue): member is JsonObject =>
  isObject(member) &&
  Object.entries(member).every(
    ([key, value]) => ANNOTATIONS.has(key) || (!("$ref" in into) && (!(key in into) || into[key] === value))
  )

/** Merges `allOf` members without conflicting keywords into their owner; the last description wins. */
const mergeAllOf = ({ allOf, ...node }: JsonObject): JsonObject => {
  if (!Array.isArray(allOf)) return allOf === undefined ? node : { ...node, allOf }
  let merged: JsonObject = node
  const left: Array<JsonValue> = []
  for (const member of allOf) {
    if (canMerge(merged, member)) merged = { ...merged, ...member }
    else left.push(member)
  }
  return left.length === 0 ? merged : { ...merged, allOf: left }
}

/** Replaces the type `string` of a URL value by the value's own type. The keyword may reach a node before its `type` is merged in. */
const applyWireType = ({ [WIRE_TYPE]: wire, type, ...node }: JsonObject): JsonObject => {
  const own = { ...(type === undefined ? {} : { type }), ...node }
  if (wire === undefined) return own
  return isObject(wire) && type !== undefined ? { ...wire, ...node, ...wire } : { [WIRE_TYPE]: wire, ...own }
}

/** Replaces an `anyOf` of one member by that member. */
const unwrapSingleAnyOf = (node: JsonObject): JsonObject => {
  const { anyOf, ...rest } = node
  const only = Array.isArray(anyOf) && anyOf.length === 1 ? anyOf[0] : undefined
  return isObject(only) ? { ...only, ...rest } : node
}

/** Removes the bounds of safe integers, which every JSON number has. */
const dropSafeIntegerBounds = (node: JsonObject): JsonObject => {
  const { type, minimum, maximum, ...rest } = node
  if (type !== "integer") return node
  return {
    type,
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
  }
}

/** Replaces every object in the value by `change` of it, innermost first. */
export const mapObjects = (value: JsonValue, change: (node: JsonObject) => JsonObject): JsonValue => {
  if (Array.isArray(value)) return value.map((member) => mapObjects(member, change))
  if (!isObject(value)) return value
  return change(Record.map(value, (member) => mapObjects(member, change)))
}

const toJson = Schema.decodeUnknownSync(Schema.Json)

/** The schema with its references inlined, before it is tidied. */
export const jsonSchemaOf = (schema: Schema.Constraint): JsonValue =>
  toJson(Schema.toJsonSchemaDocument(schema, { onExcessProperty: "ignore", referencePolicy: () => undefined }).schema)

const dropMark = ({ [HUMAN_LINK]: _, ...node }: JsonObject): JsonObject => node

export const tidy = (value: JsonValue): JsonValue =>
  mapObjects(value, (node) => dropMark(dropSafeIntegerBounds(applyWireType(mergeAllOf(unwrapSingleAnyOf(node))))))
