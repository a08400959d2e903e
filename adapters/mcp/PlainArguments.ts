// Arguments as their schema wants them. Some clients and models send a list, an object, a number or a boolean as the text of its JSON, and an
// empty text, `null` or `undefined` for what they leave out. The schema tells such a text from one that is meant.
import { Predicate, Result, Schema, SchemaAST } from "effect"
import { MAX_FAULTS } from "#adapters/contract/decoding/SchemaIssues.ts"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { FieldError } from "#adapters/contract/errors/ErrorBody.ts"
import { isGuard, isName } from "#adapters/contract/schema/MemberMarks.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import { readJson } from "#adapters/http/server/RequestBody.ts"
import type { Arguments } from "./Arguments.ts"

type Kind = "list" | "object" | "number" | "boolean" | "choice" | "text"

const kindOfLiteral = ({ literal }: SchemaAST.Literal): Kind => {
  if (typeof literal === "string") return "choice"
  return typeof literal === "boolean" ? "boolean" : "number"
}

/** What the schema wants; `undefined` where several kinds will do. */
const kindOf = (ast: SchemaAST.AST): Kind | undefined => {
  if (SchemaAST.isArrays(ast)) return "list"
  if (SchemaAST.isObjects(ast)) return "object"
  if (SchemaAST.isNumber(ast)) return "number"
  if (SchemaAST.isBoolean(ast)) return "boolean"
  if (SchemaAST.isLiteral(ast)) return kindOfLiteral(ast)
  if (SchemaAST.isString(ast)) return "text"
  if (!SchemaAST.isUnion(ast)) return undefined
  const [kind, ...others] = new Set(ast.types.map(kindOf))
  return others.length === 0 ? kind : undefined
}

interface Form {
  /** How the JSON of such a value begins. */
  readonly begins: RegExp
  readonly is: (value: unknown) => boolean
}

const FORMS: Partial<Record<Kind, Form>> = {
  list: { begins: /^\s*\[/, is: Array.isArray },
  object: { begins: /^\s*\{/, is: Predicate.isObject },
  number: { begins: /^\s*[-\d]/, is: Predicate.isNumber },
  boolean: { begins: /^\s*[tf]/, is: Predicate.isBoolean }
}

const encoder = new TextEncoder()

/** The value whose JSON this text is, if it is of the kind; else the text, for the schema to judge. */
const unserialised = (text: string, { begins, is }: Form): unknown => {
  if (!begins.test(text)) return text
  const read = readJson(encoder.encode(text))
  return Result.isSuccess(read) && is(read.success) ? read.success : text
}

/** What serialising makes of a value that is not there. */
const NOTHING: ReadonlySet<string> = new Set(["null", "undefined"])

/** What becomes of a text: it is read, left out, or refused with this message. */
type Fate = "read" | "omitted" | { readonly message: string }

const LEAVE_OUT: Fate = { message: "The text `null` says nothing: leave it out." }

const OF_YOUR_OWN: Fate = { message: "Says nothing: leave it out, or send one of your own." }

const fateInGuard = (text: string): Fate => (text.trim() === "" || NOTHING.has(text) ? OF_YOUR_OWN : "read")

const fateOfValue = (text: string): Fate => (text === "" || NOTHING.has(text) ? "omitted" : "read")

/** Texts that its schema never takes are left out, and those that name nothing. */
const fateInText = (ast: SchemaAST.AST) => {
  const isTaken = Schema.is(Schema.make<Schema.Schema<unknown>>(ast))
  const refused = new Set(["", ...NOTHING].filter((text) => !isTaken(text)))
  const omitted = isName(SchemaAST.resolve(ast)) ? new Set([...refused, ...NOTHING]) : refused
  return (text: string): Fate => {
    if (omitted.has(text)) return "omitted"
    return text === "null" ? LEAVE_OUT : "read"
  }
}

/** `undefined` where every text is read: a required member, or one of several kinds. */
const fateIn = (type: SchemaAST.AST, isOptional: boolean): ((text: string) => Fate) | undefined => {
  if (!isOptional) return undefined
  if (isGuard(SchemaAST.resolve(type))) return fateInGuard
  const kind = kindOf(type)
  if (kind === "text") return fateInText(type)
  return kind === undefined ? undefined : fateOfValue
}

/** Returns the value in its plain form, and adds what is refused of it to `faults`, without which it is returned. */
type Read = (value: unknown, path: string, faults: Array<FieldError>) => unknown

const readEntries =
  (read: Read): Read =>
  (value, path, faults) => {
    if (!Array.isArray(value)) return value
    const entries = value.map((entry, index) => read(entry, `${path}[${index}]`, faults))
    return entries.every((entry, index) => entry === value[index]) ? value : entries
  }

/** Whether a member may be left out, which only the schema of what is sent says. */
const optionalIn = (encoded: SchemaAST.Objects): ReadonlyMap<PropertyKey, SchemaAST.PropertySignature> =>
  new Map(encoded.propertySignatures.map((member) => [member.name, member]))

const readMembers = (type: SchemaAST.Objects, encoded: SchemaAST.Objects): Read => {
  const sent = optionalIn(encoded)
  const members = type.propertySignatures.flatMap(({ name, type: own }) => {
    const of = sent.get(name)?.type
    return of === undefined
      ? []
      : [{ name: String(name), fate: fateIn(own, SchemaAST.isOptional(of)), read: reader(own, of) }]
  })
  return (value, path, faults) => {
    if (!Predicate.isObject(value)) return value
    let changed: Record<PropertyKey, unknown> | undefined
    for (const { name, fate, read } of members) {
      if (!Object.hasOwn(value, name)) continue
      const given = value[name]
      const at = path === "" ? name : `${path}.${name}`
      const does = typeof given === "string" ? (fate?.(given) ?? "read") : "read"
      const plain = does === "read" ? read(given, at, faults) : undefined
      if (typeof does === "object") faults.push({ path: at, message: does.message })
      if (plain === given) continue
      changed ??= { ...value }
      if (plain === undefined) delete changed[name]
      else changed[name] = plain
    }
    return changed ?? value
  }
}

const readInside = (type: SchemaAST.AST, encoded: SchemaAST.AST): Read => {
  if (SchemaAST.isObjects(type) && SchemaAST.isObjects(encoded)) return readMembers(type, encoded)
  const [entry, sent] = [type, encoded].map((ast) => (SchemaAST.isArrays(ast) ? ast.rest[0] : undefined))
  return entry === undefined || sent === undefined ? (value) => value : readEntries(reader(entry, sent))
}

const reader = (type: SchemaAST.AST, encoded: SchemaAST.AST): Read => {
  const kind = kindOf(type)
  const form = kind === undefined ? undefined : FORMS[kind]
  const inside = readInside(type, encoded)
  return (value, path, faults) =>
    inside(typeof value === "string" && form !== undefined ? unserialised(value, form) : value, path, faults)
}

/** Judges arguments in their plain form. */
export type Check = (args: Arguments) => Result.Result<unknown, ValidationFailed>

/**
 * Reads the arguments of a tool with this schema into their plain form. If some are refused here, `check` tells what else is wrong with the
 * others, so that all is told at once.
 */
export const plainReader = ({ ast }: Pick<Schema.Top, "ast">, check: Check) => {
  const read = reader(SchemaAST.toType(ast), SchemaAST.toEncoded(ast))
  return (args: Arguments): Result.Result<Arguments, ValidationFailed> => {
    const faults: Array<FieldError> = []
    const plain = read(args, "", faults)
    // The schema of a tool is one of an object, and only the members of an object change.
    const whole = plain as Arguments
    if (faults.length === 0) return Result.succeed(whole)
    const more = Result.match(check(whole), { onFailure: ({ errors }) => errors, onSuccess: () => [] })
    // One for each member.
    const byPath = new Map([...faults, ...more].reverse().map((fault) => [fault.path, fault] as const))
    const [first, ...others] = [...byPath.values()].reverse().slice(0, MAX_FAULTS)
    return first === undefined
      ? Result.succeed(whole)
      : Result.fail(new ValidationFailed({ errors: [first, ...others] }))
  }
}

const Params = Schema.Struct({ arguments: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)) })
const readParams = reader(SchemaAST.toType(Params.ast), SchemaAST.toEncoded(Params.ast))
const omitNullParams = omitNulls(Params)

/**
 * The message with `arguments` in their plain form: some clients send `null` for a call without arguments, or all of them as the text of their
 * JSON, and the SDK refuses both.
 */
export const plainMessage = (message: unknown): unknown => {
  if (Array.isArray(message)) return message.map(plainMessage)
  if (!Predicate.isObject(message) || !Predicate.hasProperty(message, "params")) return message
  const params = omitNullParams(readParams(message.params, "", []))
  return params === message.params ? message : { ...message, params }
}
