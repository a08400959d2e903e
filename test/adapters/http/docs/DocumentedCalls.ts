// Calls of the document's operations: those that their schemas allow, and those that one of them forbids.
import fc from "fast-check"
import type { JsonObject, JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import {
  bodySchema,
  documentedOperations,
  type Operation,
  type Parameter,
  requestBodyError,
  resolved,
  schemaError
} from "./DocumentedResponses.ts"
import { edited, edits, type Known, valueOf } from "./SchemaArbitraries.ts"

type Values = Readonly<Record<string, unknown>>

export interface Call {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly params: Values
  readonly query: Values
  readonly headers: Values
  /** `undefined` for none. */
  readonly body: unknown
}

type Documented = (typeof documentedOperations)[number]

const byId = new Map(documentedOperations.map(({ operation }) => [operation.operationId, operation]))

export const operationOf = ({ operationId }: Pick<Call, "operationId">): Operation => {
  const found = byId.get(operationId)
  if (found === undefined) throw new Error(`${operationId} is not documented`)
  return found
}

const placed = ({ parameters }: Operation, place: string): ReadonlyArray<Parameter> =>
  parameters.filter((parameter) => parameter.in === place)

/** A header holds visible ASCII, whatever its schema says of the text. */
const asHeader = (value: unknown): string => String(value).replace(/[^!-~]/g, "x") || "x"

const parametersOf = (operation: Operation, place: string, known: Known) => {
  const own = placed(operation, place)
  const valueFor = ({ name, schema }: Parameter) =>
    place === "header" ? valueOf(schema, known, name).map(asHeader) : valueOf(schema, known, name)
  return fc.record(Object.fromEntries(own.map((parameter) => [parameter.name, valueFor(parameter)])), {
    requiredKeys: own.filter(({ required }) => required === true).map(({ name }) => name)
  })
}

/** A segment of dots alone would be another path. */
const canBePath = (params: Values): boolean => Object.values(params).every((value) => !/^\.*$/.test(String(value)))

const bodyOf = ({ method, path, operation }: Documented, known: Known) => {
  const schema = bodySchema(operation)
  if (schema === undefined) return fc.constant(undefined)
  const whole = valueOf(schema, known, "body").filter((body) => requestBodyError(method, path, body) === undefined)
  return operation.requestBody?.required === false ? fc.option(whole, { nil: undefined, freq: 5 }) : whole
}

const callsOf = (one: Documented, known: Known): fc.Arbitrary<Call> =>
  fc.record({
    ...{
      method: fc.constant(one.method),
      path: fc.constant(one.path),
      operationId: fc.constant(one.operation.operationId)
    },
    params: parametersOf(one.operation, "path", known).filter(canBePath),
    query: parametersOf(one.operation, "query", known),
    headers: parametersOf(one.operation, "header", known),
    body: bodyOf(one, known)
  })

/** What is known for the operations of a path. */
type KnownOf = (path: string) => Known

/** Calls that the document allows. */
export const allowedCalls = (knownOf: KnownOf): fc.Arbitrary<Call> =>
  fc.oneof(...documentedOperations.map((one) => callsOf(one, knownOf(one.path))))

const WRONG = ["", "nope", "-1", "1.5", "1e3", "99999999999", "yes", "é".repeat(3_000), "\u{1F44D}", " "]

/** What a parameter's text is for its schema. */
const readAs = (schema: JsonObject, text: string): JsonValue => {
  const { type, items } = resolved(schema)
  if (type === "array") return [readAs(items as JsonObject, text)] // a list of the document names its entries' schema
  if (type === "boolean" && /^(?:true|false)$/.test(text)) return text === "true"
  return (type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?(?:e\d+)?$/.test(text) ? Number(text) : text
}

const wrongParameter = (call: Call): fc.Arbitrary<Call> | undefined => {
  const wrong = operationOf(call).parameters.flatMap(({ name, in: place, schema }) =>
    WRONG.filter((text) => schemaError(schema, readAs(schema, text)) !== undefined).map((text) => ({
      name,
      place,
      text
    }))
  )
  const sent = wrong.filter(({ place, text }) => place === "query" || (place === "path" && text.trim() !== ""))
  if (sent.length === 0) return undefined
  return fc
    .constantFrom(...sent)
    .map(({ name, place, text }) =>
      place === "query"
        ? { ...call, query: { ...call.query, [name]: text } }
        : { ...call, params: { ...call.params, [name]: text } }
    )
}

const repeatedParameter = (call: Call): fc.Arbitrary<Call> | undefined => {
  const single = placed(operationOf(call), "query").filter(
    ({ name, schema }) => schema["type"] !== "array" && name in call.query
  )
  return single.length === 0
    ? undefined
    : fc.constantFrom(...single).map(({ name }) => ({
        ...call,
        query: { ...call.query, [name]: [call.query[name], call.query[name]] }
      }))
}

const wrongBody = (call: Call): fc.Arbitrary<Call> | undefined =>
  call.body === undefined
    ? undefined
    : edits
        .map((edit) => ({ ...call, body: edited(call.body, edit) }))
        .filter(({ method, path, body }) => body !== undefined && requestBodyError(method, path, body) !== undefined)

const withoutRequired = (call: Call): fc.Arbitrary<Call> | undefined => {
  const [required] = placed(operationOf(call), "query").filter((parameter) => parameter.required === true)
  if (required === undefined) return undefined
  const { [required.name]: _, ...query } = call.query
  return fc.constant({ ...call, query })
}

/** Calls of which the document forbids a part, all others being as it allows. */
export const forbiddenCalls = (knownOf: KnownOf): fc.Arbitrary<Call> =>
  allowedCalls(knownOf).chain((call) => {
    const unknown = fc.constant({ ...call, query: { ...call.query, surplus: "1" } })
    const ways = [
      wrongBody(call),
      wrongBody(call),
      wrongParameter(call),
      repeatedParameter(call),
      withoutRequired(call)
    ]
    const possible = ways.filter((way) => way !== undefined)
    return fc.oneof(...(possible.length === 0 ? [unknown] : possible), unknown)
  })

const textsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value : [value]).map(String)

/** The request line's target. */
export const targetOf = ({ path, params, query }: Call): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => textsOf(value).map((text) => [name, text]))
  ).toString()
  return search === "" ? filled : `${filled}?${search}`
}
