// Makes generated JSON Schema as short as one would write it by hand. Knows nothing of this API.
import { WIRE_TYPE } from "./QueryValue.ts"

export type JsonValue = null | boolean | number | string | ReadonlyArray<JsonValue> | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Keywords that say something to a reader, where the outermost word is the one that was meant. */
const ANNOTATIONS: ReadonlySet<string> = new Set(["description", "examples", "default", "title"])

const canMerge = (into: JsonObject, member: JsonValue): member is JsonObject =>
  isObject(member) && !("$ref" in into) && Object.keys(member).every((key) => ANNOTATIONS.has(key) || !(key in into))

/** `allOf` members that clash with nothing are folded into their owner; the last description wins. */
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

/** What a URL carries as text is documented as what it is. The keyword may arrive without its owner, which comes later. */
const applyWireType = ({ [WIRE_TYPE]: wire, type, ...node }: JsonObject): JsonObject => {
  const own = { ...(type === undefined ? {} : { type }), ...node }
  if (wire === undefined) return own
  return isObject(wire) && type !== undefined ? { ...wire, ...node } : { [WIRE_TYPE]: wire, ...own }
}

/** A choice of one is none. */
const unwrapSingleAnyOf = (node: JsonObject): JsonObject => {
  const { anyOf, ...rest } = node
  const only = Array.isArray(anyOf) && anyOf.length === 1 ? anyOf[0] : undefined
  return isObject(only) ? { ...only, ...rest } : node
}

/** The bounds of a safe integer say nothing. */
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

export const tidy = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, tidy(member)]))
  return dropSafeIntegerBounds(applyWireType(mergeAllOf(unwrapSingleAnyOf(inner))))
}

/** The value with every object in it replaced by what `change` makes of it, inside out. */
export const mapObjects = (value: JsonValue, change: (node: JsonObject) => JsonObject): JsonValue => {
  if (Array.isArray(value)) return value.map((member) => mapObjects(member, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapObjects(member, change)])))
}
