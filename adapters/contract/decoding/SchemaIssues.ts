// Schema issues as `validation_failed`: a sentence per fault with its path. They say what is allowed and never what was sent.
import { Result, SchemaAST, SchemaIssue } from "effect"
import { ValidationFailed } from "../errors/AdapterFailure.ts"
import type { FieldError } from "../errors/ErrorBody.ts"
import { safeExcerpt } from "../errors/ErrorText.ts"

/** The most faults that are collected, and that one response lists. */
export const MAX_FAULTS = 20
const MAX_MESSAGE = 300

const GIVEN_ONCE = "Must be given once."
const NONE_ALLOWED = "Is not allowed here; nothing is."

/** The part of the request that is checked, and the path of a fault that concerns all of it. */
export type Root = "body" | "query"

type Path = ReadonlyArray<PropertyKey>

interface IssueMessage {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** A fault before it is worded. */
export interface Fault {
  readonly path: Path
  readonly issue: SchemaIssue.Issue
}

/** The faults that a schema reports of the value at `path`, one by one. */
export function* faultsOf(issue: SchemaIssue.Issue, path: Path = []): Iterable<Fault> {
  if (issue._tag === "Pointer") yield* faultsOf(issue.issue, [...path, ...issue.path])
  else if (issue._tag === "Encoding") yield* faultsOf(issue.issue, path)
  else if (issue._tag === "Composite" || (issue._tag === "AnyOf" && issue.issues.length > 0))
    for (const one of issue.issues) yield* faultsOf(one, path)
  else yield { path, issue }
}

const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => String(name)) : []

const typeSentence = (ast: SchemaAST.AST, root: Root): string | undefined => {
  switch (ast._tag) {
    case "Objects":
      return `Must be an object with these fields: ${fieldsOf(ast).join(", ")}.`
    case "Arrays":
      return "Must be a list."
    case "String":
      return root === "query" ? GIVEN_ONCE : "Must be a string."
    case "Number":
      return "Must be a number, without quotes."
    case "Boolean":
      return "Must be true or false."
    default:
      return undefined
  }
}

const sentence =
  (root: Root) =>
  (issue: SchemaIssue.Leaf): string => {
    if (issue._tag === "MissingKey") return "Is required."
    if (issue._tag === "UnexpectedKey") {
      const allowed = fieldsOf(issue.ast)
      return allowed.length === 0 ? NONE_ALLOWED : `Is not allowed here. Allowed: ${allowed.join(", ")}.`
    }
    const own = issue._tag === "InvalidType" ? typeSentence(issue.ast, root) : undefined
    return own ?? SchemaIssue.defaultLeafHook(issue).replace(/^Expected /, "Must be ")
  }

const formatters: Readonly<Record<Root, SchemaIssue.Formatter<{ readonly issues: ReadonlyArray<IssueMessage> }>>> = {
  body: SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: sentence("body") }),
  query: SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: sentence("query") })
}

/** `["items", 0, "site_id"]` is `items[0].site_id`; in a query, where a single value may stand for a list, just the parameter. */
const pathText = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>, root: Root): string => {
  let text = ""
  for (const segment of path) {
    const key = typeof segment === "object" ? segment.key : segment
    if (typeof key === "number" && root === "query") continue
    text += typeof key === "number" ? `[${key}]` : `${text === "" ? "" : "."}${safeExcerpt(String(key), 64)}`
  }
  return text
}

/**
 * The first faults, worded. `repeated`: query parameters given more than once. They get a separate message, because for a choice the
 * library reports several allowed values with the same message as one wrong value.
 */
export const fieldErrors = (
  faults: Iterable<Fault>,
  root: Root,
  repeated: ReadonlySet<string> = new Set()
): readonly [FieldError, ...Array<FieldError>] => {
  const errors: Array<FieldError> = []
  for (const { path: base, issue } of faults) {
    for (const { path: below = [], message } of formatters[root](issue).issues) {
      const segments = [...base, ...below]
      const path = segments.length === 0 ? root : pathText(segments, root)
      const own = /^Expected /.test(message) && segments.length === 1 && repeated.has(path) ? GIVEN_ONCE : message
      errors.push({ path, message: safeExcerpt(own.replace(/^Expected /, "Must be "), MAX_MESSAGE) })
    }
    if (errors.length >= MAX_FAULTS) break
  }
  const [first, ...rest] = errors.slice(0, MAX_FAULTS)
  return [first ?? { path: root, message: "Is not valid." }, ...rest]
}

export const toValidationFailed = (
  faults: Iterable<Fault>,
  root: Root,
  repeated?: ReadonlySet<string>
): ValidationFailed => new ValidationFailed({ errors: fieldErrors(faults, root, repeated) })

/** Refuses every field where none is allowed. */
export const checkNoFields = (names: ReadonlyArray<string>): Result.Result<void, ValidationFailed> => {
  const [first, ...others] = names
    .slice(0, MAX_FAULTS)
    .map((name) => ({ path: safeExcerpt(name, 64), message: NONE_ALLOWED }))
  return first === undefined ? Result.void : Result.fail(new ValidationFailed({ errors: [first, ...others] }))
}
