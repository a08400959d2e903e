// Decoding of what a client sends: unknown fields are refused, and a refusal names the first faults. The library stops at the first fault or
// collects all of them; so a refused value is walked once more, field by field, until there are enough.
import { Result, Schema, SchemaAST, SchemaIssue } from "effect"
import type { ValidationFailed } from "../errors/AdapterFailure.ts"
import { type Fault, faultsOf, MAX_FAULTS, type Root, toValidationFailed } from "./SchemaIssues.ts"

/** Unknown fields are refused: a `min_dr` or `anchor` that is silently dropped buys the wrong thing. */
export const strict = { onExcessProperty: "error" } as const

type Path = ReadonlyArray<PropertyKey>

/** Adds the faults of a value to `found`, in the library's order, until there are `MAX_FAULTS`. */
type Collect = (value: unknown, path: Path, found: Array<Fault>) => void

/** All faults of a value without objects or lists, of which each has few. */
const collectWhole = (ast: SchemaAST.AST): Collect => {
  // The contract's schemas need no services, which the type of a syntax tree does not say.
  const schema: Schema.ConstraintDecoder<unknown> = Schema.make(ast)
  const decode = Schema.decodeUnknownResult(schema, { ...strict, errors: "all" })
  return (value, path, found) => {
    const decoded = decode(value)
    if (Result.isFailure(decoded)) found.push(...faultsOf(decoded.failure.issue, path))
  }
}

/** Whether the library decodes the members of a value one by one, without converting the value before. */
const isPlain = (ast: SchemaAST.Objects | SchemaAST.Arrays): boolean =>
  ast.encoding === undefined && ast.encodingChecks === undefined

/** The members come first; the checks of the value as a whole run only if no member has a fault. */
const thenChecks = (ast: SchemaAST.AST, collectMembers: Collect): Collect => {
  if (ast.checks === undefined) return collectMembers
  const collectChecks = collectWhole(ast)
  return (value, path, found) => {
    const before = found.length
    collectMembers(value, path, found)
    if (found.length === before) collectChecks(value, path, found)
  }
}

const collectEntries = (ast: SchemaAST.Arrays, entry: SchemaAST.AST): Collect => {
  const collectEntry = collectorOf(entry)
  const collectOther = collectWhole(ast)
  return thenChecks(ast, (value, path, found) => {
    if (!Array.isArray(value)) return collectOther(value, path, found)
    for (const [index, one] of value.entries()) {
      if (found.length >= MAX_FAULTS) return
      collectEntry(one, [...path, index], found)
    }
  })
}

const collectMember = (signature: SchemaAST.PropertySignature): Collect => {
  const { name, type } = signature
  const collectPresent = collectorOf(type)
  const ofMissing: Array<Fault> = []
  collectWhole(new SchemaAST.Objects([signature], []))({}, [], ofMissing)
  return (given, path, found) => {
    // Only called with objects, any of which can be read by name.
    const members = given as Readonly<Record<PropertyKey, unknown>>
    if (Object.hasOwn(members, name)) collectPresent(members[name], [...path, name], found)
    else for (const fault of ofMissing) found.push({ ...fault, path: [...path, ...fault.path] })
  }
}

const collectMembers = (ast: SchemaAST.Objects): Collect => {
  const names = new Set(ast.propertySignatures.map(({ name }) => name))
  const collects = ast.propertySignatures.map(collectMember)
  const collectOther = collectWhole(ast)
  return thenChecks(ast, (value, path, found) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return collectOther(value, path, found)
    for (const key of Object.keys(value)) {
      if (found.length >= MAX_FAULTS) return
      if (!names.has(key)) found.push({ path: [...path, key], issue: new SchemaIssue.UnexpectedKey(ast, undefined) })
    }
    for (const collect of collects) {
      if (found.length >= MAX_FAULTS) return
      collect(value, path, found)
    }
  })
}

const isWalked = (ast: SchemaAST.AST): boolean =>
  (SchemaAST.isObjects(ast) && ast.propertySignatures.length > 0 && ast.indexSignatures.length === 0 && isPlain(ast)) ||
  (SchemaAST.isArrays(ast) && ast.elements.length === 0 && ast.rest.length === 1 && isPlain(ast))

const collectorOf = (ast: SchemaAST.AST): Collect => {
  if (!isWalked(ast)) return collectWhole(ast)
  if (SchemaAST.isObjects(ast)) return collectMembers(ast)
  const [entry] = SchemaAST.isArrays(ast) ? ast.rest : []
  return SchemaAST.isArrays(ast) && entry !== undefined ? collectEntries(ast, entry) : collectWhole(ast)
}

/** Parameters given more than once. */
const repeatedParameters = (query: unknown): ReadonlySet<string> =>
  new Set(Object.entries(query ?? {}).flatMap(([name, value]) => (Array.isArray(value) ? [name] : [])))

/** Refuses a value that the schema has refused already, with at most 20 faults: those that come first among all of them. */
const refusalOf = (schema: Pick<Schema.Top, "ast">, root: Root) => {
  let collect: Collect | undefined
  return (value: unknown): ValidationFailed => {
    collect ??= collectorOf(schema.ast)
    const found: Array<Fault> = []
    collect(value, [], found)
    return toValidationFailed(found, root, root === "query" ? repeatedParameters(value) : undefined)
  }
}

/** Decodes strictly; a refusal names at most 20 faults. */
export const strictDecoder = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, root: Root) => {
  const decode = Schema.decodeUnknownResult(schema, strict)
  const refuse = refusalOf(schema, root)
  return (value: unknown): Result.Result<S["Type"], ValidationFailed> =>
    Result.mapError(decode(value), () => refuse(value))
}
