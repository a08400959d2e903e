// Members of a request body that may be left out. `null` for one of them is the same as leaving it out, and so is its default: all three
// have one canonical form, to which an idempotency key is bound.
import { Predicate, type Schema, SchemaAST } from "effect"

type Convert = (value: unknown) => unknown

/** What to do with the values of a member of an object; `undefined` in place of a value leaves the member out. */
type ConvertMember = (member: SchemaAST.PropertySignature) => Convert

/** Converts the members of all objects; a value without a changed member is returned as it is. */
const converter = (ast: SchemaAST.AST, convertMember: ConvertMember): Convert | undefined => {
  if (SchemaAST.isArrays(ast)) {
    const [each] = ast.rest.map((one) => converter(one, convertMember))
    if (each === undefined) return undefined
    return (value) => {
      if (!Array.isArray(value)) return value
      const converted = value.map(each)
      return converted.every((one, index) => one === value[index]) ? value : converted
    }
  }
  if (!SchemaAST.isObjects(ast)) return undefined
  const members = ast.propertySignatures.map(
    (member) => [String(member.name), convertMember(member), converter(member.type, convertMember)] as const
  )
  return (value) => {
    if (!Predicate.isObject(value)) return value
    // Any object can be read by name.
    const given = value as Readonly<Record<string, unknown>>
    let changed: Record<string, unknown> | undefined
    for (const [name, keep, convert] of members) {
      if (!Object.hasOwn(given, name)) continue
      const kept = keep(given[name])
      const converted = kept === undefined || convert === undefined ? kept : convert(kept)
      if (converted === given[name]) continue
      changed ??= { ...given }
      if (converted === undefined) delete changed[name]
      else changed[name] = converted
    }
    return changed ?? value
  }
}

const unchanged: Convert = (value) => value

/**
 * Leaves out the members that are `null` and optional, at any depth. To be applied before the schema decodes; all else is kept for the
 * schema to judge, such as an unknown member.
 */
export const omitNulls = (schema: Pick<Schema.Top, "ast">): Convert =>
  converter(SchemaAST.toEncoded(schema.ast), ({ type }) =>
    SchemaAST.isOptional(type) ? (value) => (value === null ? undefined : value) : unchanged
  ) ?? unchanged

const defaultOf = ({ annotations, checks }: SchemaAST.AST): unknown =>
  [annotations, ...(checks ?? []).map((check) => check.annotations)].find((one) => one?.["default"] !== undefined)?.[
    "default"
  ]

/**
 * Leaves out of a decoded body the members that have their default, but for those named in `alwaysSpelled`. So a body has the same
 * canonical form in a later version that has more such members.
 */
export const omitDefaults = (schema: Schema.Top, alwaysSpelled: ReadonlySet<string>): Convert =>
  converter(SchemaAST.toType(schema.ast), ({ name, type }) => {
    if (alwaysSpelled.has(String(name))) return unchanged
    const defaultValue = defaultOf(type)
    return (value) => (value === defaultValue ? undefined : value)
  }) ?? unchanged
