// Arguments and flags of a command, derived from the payload of its call. They only read the text: the payload's schema judges it.
import { Option, type Schema, SchemaAST } from "effect"
import { type Command, Param } from "effect/cli"
import { type CommandField, commandField } from "#adapters/operator/records/CommandFields.ts"
import { DomainAmount, eurosFor } from "#adapters/operator/records/Euros.ts"
import { isCents, withoutNull } from "#adapters/operator/records/SchemaShape.ts"

type AnyParam = Param.Param<Param.ParamKind, unknown>

/** The argument of `accountId` is `account`, the flag of `maxDayCents` is `--max-day-eur`. */
const nameOf = (member: string, kind: CommandField["kind"]): string =>
  (kind === "argument" ? member.replace(/Id$/, "") : member)
    .replace(/Cents$/, "Eur")
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const choicesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap((type) => (SchemaAST.isLiteral(type) ? [String(type.literal)] : [])) : []

const ON_OFF = { on: true, off: false } as const

/** Reads one value. */
const valueOf = (
  member: string,
  schema: Schema.Constraint,
  { kind, name, onOff, domainAmounts }: CommandField
): AnyParam => {
  const ast = withoutNull(schema.ast)
  const asked = name ?? nameOf(member, kind)
  const choices = choicesOf(ast)
  if (choices.length > 0) return Param.Literals(kind, asked, choices)
  if (onOff) return Param.map(Param.Literals(kind, asked, ["on", "off"]), (choice) => ON_OFF[choice])
  if (SchemaAST.isBoolean(ast)) return Param.withDefault(Param.Boolean(kind, asked), false)
  if (SchemaAST.isArrays(ast)) {
    const text = Param.String(kind, asked)
    const one: AnyParam = domainAmounts ? Param.withSchema(text, DomainAmount) : text
    return Param.map(Param.atLeast(one, 0), (all) => (all.length === 0 ? undefined : all))
  }
  if (!SchemaAST.isNumber(ast)) return Param.String(kind, asked)
  if (!isCents(member)) return Param.Int(kind, asked)
  return Param.String(kind, asked).pipe(Param.withMetavar("EUROS"), Param.withSchema(eurosFor(schema)))
}

const paramOf = (member: string, schema: Schema.Constraint, field: CommandField): AnyParam => {
  const { about, metavar, otherwise } = field
  const described = Param.withDescription(valueOf(member, schema, field), about)
  const param = metavar === undefined ? described : Param.withMetavar(described, metavar)
  if (otherwise !== undefined) return Param.withDefault(param, otherwise)
  const { ast } = schema
  if (!SchemaAST.isOptional(ast) || (SchemaAST.isBoolean(ast) && !field.onOff)) return param
  return Param.map(Param.optional(param), Option.getOrUndefined)
}

const isStruct = (schema: object): schema is Schema.Struct<Schema.Struct.Fields> => "fields" in schema

/** The members that are asked for; of a member that is a struct, its own. */
export const paramsOf = (fields: Schema.Struct.Fields): Command.Command.Config => {
  const params: Record<string, AnyParam | Command.Command.Config> = {}
  for (const [member, schema] of Object.entries(fields)) {
    const field = commandField(schema.ast)
    if (field !== undefined) params[member] = paramOf(member, schema, field)
    else if (isStruct(schema)) params[member] = paramsOf(schema.fields)
  }
  return params
}
