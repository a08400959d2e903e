// The named examples of the document. A run of the demo recorded them in `adapters/contract/examples.json`: each request was sent as it
// stands there, and each answer was given. Requests and their answers have the same name; a refusal is named by its code.
import { readFileSync } from "node:fs"
import { Record, Schema } from "effect"
import { isObject, type JsonObject, type JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { scopeOf } from "./DocumentedAccess.ts"

const Values = Schema.Record(Schema.String, Schema.Json)

const ExampleRequest = Schema.Struct({
  operation: Schema.String,
  name: Schema.String,
  summary: Schema.String,
  /** What has to be so before it can be sent, and with which of the demo's keys. */
  description: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(Values),
  query: Schema.optionalKey(Values),
  header: Schema.optionalKey(Values),
  body: Schema.optionalKey(Schema.Json),
  status: Schema.Int,
  /** A text for a file; absent for a file that is no text. */
  answer: Schema.optionalKey(Schema.Json)
})
type ExampleRequest = typeof ExampleRequest.Type

const ExampleRefusal = Schema.Struct({
  operation: Schema.String,
  name: Schema.String,
  summary: Schema.String,
  status: Schema.Int,
  /** Whether every operation with this code says the same. */
  shared: Schema.Boolean,
  answer: Schema.Struct({ ok: Schema.Literal(false), error: Values, request_id: Schema.String })
})
type ExampleRefusal = typeof ExampleRefusal.Type

const Recording = Schema.Struct({
  requests: Schema.Array(ExampleRequest),
  refusals: Schema.Array(ExampleRefusal),
  /** Bodies of webhooks, by the names of their events. */
  events: Values
})

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Recording))

const FILE = new URL("../../contract/examples.json", import.meta.url)

/** One response of an operation; `codes`: those of its error, none for a success. */
export interface DocumentedResponse {
  readonly operationId: string
  readonly status: string
  readonly codes: ReadonlyArray<JsonValue>
}

export interface DocumentedExamples {
  /** For `components`: what several operations refuse alike is said once. */
  readonly refusals: JsonObject
  /** The operation with an example of its body and of each parameter. */
  readonly ofRequest: (operationId: string, operation: JsonObject) => JsonObject
  readonly ofResponse: (response: JsonObject, which: DocumentedResponse) => JsonObject
  /** The webhooks with an example of each body. */
  readonly ofEvents: (webhooks: JsonObject) => JsonObject
}

const NONE: JsonObject = {}

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : NONE)

/** Adds examples to a parameter or a media type. */
const withExamples = (node: JsonObject, examples: JsonObject): JsonObject =>
  Object.keys(examples).length === 0 ? node : { ...node, examples }

/** Adds examples to each media type of a body. */
const withBodyExamples = (body: JsonObject, examples: JsonObject): JsonObject =>
  isObject(body["content"])
    ? { ...body, content: Record.map(body["content"], (media) => withExamples(objectOf(media), examples)) }
    : body

const example = (
  { summary, description }: { readonly summary: string; readonly description?: string },
  value: JsonValue
): JsonObject => ({ summary, ...(description === undefined ? {} : { description }), value })

const placeOf = ({ path, query, header }: ExampleRequest, place: JsonValue | undefined): JsonObject =>
  (place === "path" ? path : place === "query" ? query : header) ?? NONE

const parameterExamples = (parameter: JsonObject, requests: ReadonlyArray<ExampleRequest>): JsonObject =>
  Object.fromEntries(
    requests.flatMap((request) => {
      const value = placeOf(request, parameter["in"])[String(parameter["name"])]
      return value === undefined ? [] : [[request.name, { value }]]
    })
  )

/** The names of refusals among the components: the first of a name has it alone. */
const componentNames = (refusals: ReadonlyArray<ExampleRefusal>): ReadonlyMap<ExampleRefusal, string> => {
  const taken = new Set<string>()
  return new Map(
    refusals.map((refusal) => {
      const { name, operation } = refusal
      const component = taken.has(name) ? `${operation}.${name}` : name
      taken.add(name)
      return [refusal, component]
    })
  )
}

/** What the operation refuses with these codes: its own examples, or one that is shared, of the same scope if there is one. */
const refusalsFor = (
  all: ReadonlyArray<ExampleRefusal>,
  { operationId, status, codes }: DocumentedResponse
): ReadonlyArray<ExampleRefusal> =>
  codes.flatMap((code) => {
    const some = all.filter(({ answer, status: given }) => answer.error["code"] === code && String(given) === status)
    const own = some.filter(({ operation }) => operation === operationId)
    if (own.length > 0) return own
    const shared = some.filter((refusal) => refusal.shared)
    const [found = shared[0]] = shared.filter(({ operation }) => scopeOf(operation) === scopeOf(operationId))
    return found === undefined ? [] : [found]
  })

export const documentedExamples = (): DocumentedExamples => {
  const { requests, refusals, events } = decode(readFileSync(FILE, "utf8"))
  const components = componentNames(refusals)
  const refTo = (refusal: ExampleRefusal): JsonObject => ({
    $ref: `#/components/examples/${components.get(refusal)}`
  })
  return {
    refusals: Object.fromEntries(
      components.entries().map(([refusal, name]) => [name, example(refusal, refusal.answer)])
    ),
    ofRequest: (operationId, { parameters, requestBody, ...operation }) => {
      const own = requests.filter((request) => request.operation === operationId)
      const bodies = own.flatMap((request) =>
        request.body === undefined ? [] : [[request.name, example(request, request.body)]]
      )
      return {
        ...operation,
        ...(Array.isArray(parameters)
          ? { parameters: parameters.map((one) => withExamples(objectOf(one), parameterExamples(objectOf(one), own))) }
          : {}),
        ...(isObject(requestBody) ? { requestBody: withBodyExamples(requestBody, Object.fromEntries(bodies)) } : {})
      }
    },
    ofResponse: (response, which) => {
      const answers = requests.flatMap(({ operation, status, name, answer, ...request }) =>
        operation === which.operationId && String(status) === which.status && answer !== undefined
          ? [[name, example(request, answer)]]
          : []
      )
      const refused = refusalsFor(refusals, which).map((refusal) => [refusal.name, refTo(refusal)])
      return withBodyExamples(response, Object.fromEntries([...answers, ...refused]))
    },
    ofEvents: (webhooks) =>
      Record.map(webhooks, (webhook, name) => {
        const { post, ...item } = objectOf(webhook)
        const body = events[name]
        const { requestBody, ...operation } = objectOf(post)
        if (body === undefined) return objectOf(webhook)
        const examples = { [name]: { value: body } }
        return { ...item, post: { ...operation, requestBody: withBodyExamples(objectOf(requestBody), examples) } }
      })
  }
}
