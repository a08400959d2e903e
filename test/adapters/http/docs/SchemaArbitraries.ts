// Values that a JSON Schema of the document allows, and edits of a value that may break one.
import { Predicate } from "effect"
import fc from "fast-check"
import type { JsonObject, JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { resolved } from "./DocumentedResponses.ts"

/** Values that mean something to the service, by the name of the member or parameter. */
export type Known = Readonly<Record<string, ReadonlyArray<JsonValue>>>

const numberOr = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise

const codePoints = (text: string): number => [...text].length

const textOf = ({ minLength, maxLength, pattern }: JsonObject): fc.Arbitrary<string> => {
  const [min, max] = [numberOr(minLength, 0), numberOr(maxLength, 200)]
  const any =
    typeof pattern === "string"
      ? fc.stringMatching(new RegExp(pattern), { size: "small" })
      : fc.oneof(
          { weight: 9, arbitrary: fc.string({ unit: "grapheme", minLength: min, maxLength: Math.min(max, 60) }) },
          { weight: 1, arbitrary: fc.constant("é".repeat(max)) }
        )
  return any.filter((text) => codePoints(text) >= min && codePoints(text) <= max)
}

const LARGEST = 2_147_483_647

const listOf = (schema: JsonObject, known: Known, name: string): fc.Arbitrary<unknown> => {
  const { items, minItems, maxItems, uniqueItems } = schema
  const bounds = { minLength: numberOr(minItems, 0), maxLength: numberOr(maxItems, 5), size: "small" } as const
  const entry = valueOf(items as JsonObject, known, name) // a list of the document names its entries' schema
  return uniqueItems === true
    ? fc.uniqueArray(entry, { ...bounds, selector: (one) => JSON.stringify(one) })
    : fc.array(entry, bounds)
}

const objectOf = ({ properties = {}, required }: JsonObject, known: Known): fc.Arbitrary<unknown> => {
  // A schema's members are schemas.
  const members = Object.entries(properties as Readonly<Record<string, JsonObject>>)
  return fc.record(Object.fromEntries(members.map(([name, member]) => [name, valueOf(member, known, name)])), {
    requiredKeys: Array.isArray(required) ? required.map(String) : []
  })
}

const ofType = (type: JsonValue | undefined, schema: JsonObject, known: Known, name: string): fc.Arbitrary<unknown> => {
  const [min, max] = [numberOr(schema["minimum"], 0), numberOr(schema["maximum"], LARGEST)]
  switch (type) {
    case "string":
      return textOf(schema)
    case "integer":
      return fc.integer({ min, max })
    case "number":
      return fc.integer({ min: min * 100, max: Math.min(max * 100, LARGEST) }).map((hundredths) => hundredths / 100)
    case "boolean":
      return fc.boolean()
    case "array":
      return listOf(schema, known, name)
    case "object":
      return objectOf(schema, known)
    default:
      return fc.constant(null)
  }
}

/** `name` is that of the member. Keywords that span members are not minded: the caller filters by them. */
export const valueOf = (shown: JsonObject, known: Known, name: string): fc.Arbitrary<unknown> => {
  const schema = resolved(shown)
  const { enum: values, type, anyOf } = schema
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (type === undefined && Array.isArray(anyOf))
    return fc.oneof(...anyOf.map((kind) => valueOf(kind as JsonObject, known, name))) // schemas, as JSON Schema has it
  const types = Array.isArray(type) ? type : [type]
  const any = fc.oneof(...types.map((one) => ofType(one, schema, known, name)))
  const meant = known[name]
  return meant === undefined || types.includes("array")
    ? any
    : fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...meant) }, { weight: 1, arbitrary: any })
}

const JUNK: ReadonlyArray<JsonValue> = [
  ...[null, true, 0, -1, 1.5, 1e12, "", " ", "nope", "1", "x".repeat(3_000)],
  ...[[], {}, ["nope"], [null], { surplus: 1 }, Array.from({ length: 21 }, () => "nope")]
]

/** One edit of a JSON value: what is at one of its places becomes another, is gone, or has a member more. */
export interface Edit {
  readonly place: number
  readonly kind: "replace" | "remove" | "add"
  readonly junk: JsonValue
}

export const edits: fc.Arbitrary<Edit> = fc.record({
  place: fc.nat(1_000),
  kind: fc.constantFrom("replace", "remove", "add"),
  junk: fc.constantFrom(...JUNK)
})

const placesOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  Predicate.isObject(value) || Array.isArray(value)
    ? [path, ...Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))]
    : [path]

const editAt = (value: unknown, [name, ...rest]: ReadonlyArray<string>, { kind, junk }: Edit): unknown => {
  if (name === undefined) return kind === "add" && Predicate.isObject(value) ? { ...value, surplus: junk } : junk
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value)
  if (rest.length === 0 && kind === "remove") delete copy[name]
  else copy[name] = editAt(copy[name], rest, { place: 0, kind, junk })
  return Array.isArray(value) ? Object.values(copy) : copy
}

export const edited = (value: unknown, edit: Edit): unknown => {
  const places = placesOf(value)
  return editAt(value, places[edit.place % places.length] ?? [], edit)
}
