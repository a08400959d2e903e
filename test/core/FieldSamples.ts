// Entities for tests that must not forget a field: two that have every optional member, and differ in every member that can differ.
import { Arbitrary, Effect, Schema } from "effect"

type Fields = Readonly<Record<string, Schema.Constraint>>

export type Sample = Readonly<Record<string, unknown>>

/** Printable ASCII without a backslash, which every store and protocol takes unchanged. */
const isPlain = (value: unknown): boolean => /^[\x20-\x5b\x5d-\x7e]*$/.test(JSON.stringify(value) ?? "")

const isEmpty = (value: unknown): boolean =>
  value == null || (Array.isArray(value) && value.length === 0) || (typeof value === "string" && value.trim() === "")

/** The members of a field that is a struct, optional or not. */
export const membersOf = (field: Schema.Constraint): Fields | undefined => {
  // Only structs have fields, and only optional fields and the like the schema of another.
  const { fields, schema } = field as { readonly fields?: Fields; readonly schema?: Schema.Constraint }
  return fields ?? (schema === undefined ? undefined : membersOf(schema))
}

/** Different values of a field, none of them empty: the same in every run, and others for another name. */
export const valuesOf = (name: string, field: Schema.Constraint): ReadonlyArray<unknown> => {
  const members = membersOf(field)
  if (members !== undefined) return samplesOf(members, `${name}.`)
  const sampling = Arbitrary.sampleEffect(Arbitrary.schema(Schema.toType(field)), { count: 100, size: 6, seed: name })
  const different = new Map(Effect.runSync(sampling).map((value) => [JSON.stringify(value), value]))
  const values = [...different.values()].filter((value) => !isEmpty(value) && isPlain(value))
  if (values.length === 0) throw new Error(`no sample of ${name}`)
  return values
}

/** Two samples of an entity. A field that has only one value has it in both. */
export const samplesOf = (fields: Fields, prefix = ""): readonly [Sample, Sample] => {
  const values = Object.entries(fields).map(([name, field]) => [name, valuesOf(`${prefix}${name}`, field)] as const)
  const first = values.map(([name, [value]]) => [name, value])
  const second = values.map(([name, [value, another = value]]) => [name, another])
  return [Object.fromEntries(first), Object.fromEntries(second)]
}
