// Unions of the OpenAPI document whose kinds differ in one member: a discriminator lets clients tell them apart by it.
import { isObject, type JsonObject, type JsonValue, mapObjects } from "#adapters/contract/schema/JsonSchemaTidy.ts"

const SCHEMAS = "#/components/schemas/"

export const reference = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** The union of the named schemas; each is that of the values of `member` before it. */
export const byMember = (member: string, nameOf: ReadonlyMap<string, string>): JsonObject => ({
  oneOf: [...new Set(nameOf.values())].map((name) => reference("schemas", name)),
  discriminator: {
    propertyName: member,
    mapping: Object.fromEntries(nameOf.entries().map(([value, name]) => [value, `${SCHEMAS}${name}`]))
  }
})

/** The values of each member that a schema requires and enumerates. */
const enumerated = (schema: JsonValue | undefined): ReadonlyMap<string, ReadonlyArray<JsonValue>> => {
  const { properties, required } = isObject(schema) ? schema : {}
  if (!isObject(properties) || !Array.isArray(required)) return new Map()
  return new Map(
    Object.entries(properties).flatMap(([name, member]) =>
      isObject(member) && Array.isArray(member["enum"]) && required.includes(name) ? [[name, member["enum"]]] : []
    )
  )
}

const namesOf = (kinds: ReadonlyArray<JsonValue>): ReadonlyArray<string> =>
  kinds.flatMap((kind) =>
    isObject(kind) && typeof kind["$ref"] === "string" ? kind["$ref"].slice(SCHEMAS.length) : []
  )

/** The name of the schema for each value of a member, if every kind has its own values. */
const schemaByValue = (
  member: string,
  names: ReadonlyArray<string>,
  schemas: JsonObject
): ReadonlyMap<string, string> | undefined => {
  const pairs = names.flatMap((name) =>
    (enumerated(schemas[name]).get(member) ?? [false]).map((value) => [value, name] as const)
  )
  const texts = pairs.flatMap(([value, name]) => (typeof value === "string" ? [[value, name] as const] : []))
  const byValue = new Map(texts)
  return byValue.size === pairs.length ? byValue : undefined
}

/** Tells the kinds of each union of named schemas apart by the first member that can. */
export const withDiscriminators = (schemas: JsonObject): JsonObject => {
  const told = mapObjects(schemas, (node) => {
    const { anyOf, ...rest } = node
    const names = Array.isArray(anyOf) ? namesOf(anyOf) : []
    if (!Array.isArray(anyOf) || names.length < 2 || names.length < anyOf.length) return node
    for (const member of enumerated(schemas[names[0] ?? ""]).keys()) {
      const byValue = schemaByValue(member, names, schemas)
      if (byValue !== undefined) return { ...rest, ...byMember(member, byValue) }
    }
    return node
  })
  return isObject(told) ? told : schemas
}
