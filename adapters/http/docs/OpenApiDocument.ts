// The OpenAPI 3.1 document: generated from the API definition, completed with response headers, one error schema, webhook events, and
// response schemas that stay open for new fields.
import { Record, Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { statusesOf, TRANSPORT_ERRORS } from "#adapters/contract/errors/ErrorCode.ts"
import {
  isObject,
  type JsonObject,
  type JsonValue,
  mapObjects,
  tidy
} from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { EventBody, QuoteEventBody, TestEventBody } from "#adapters/contract/webhooks/Events.ts"
import { Api } from "../api/Api.ts"
import { hasOptionalBody } from "../api/EndpointDescription.ts"
import { apiGuide } from "./ApiGuide.ts"
import { IDEMPOTENCY_KEY, isBoundOperation, withOptionalSecret } from "./BoundOperations.ts"
import { keyOrToken, type OAuthAddresses, oauthScheme } from "./DocumentedAccess.ts"
import { errorResponse, REFUSALS } from "./DocumentedErrors.ts"
import { DOCUMENTED_EVENTS } from "./DocumentedEvents.ts"
import { type DocumentedExamples, documentedExamples } from "./DocumentedExamples.ts"
import { requestSchema } from "./DocumentedRequests.ts"
import { reference, withDiscriminators } from "./DocumentedUnions.ts"

const header = (description: string, example: string | number): JsonObject => ({
  description,
  schema: { type: typeof example === "number" ? "integer" : "string" },
  example
})

const HEADERS: JsonObject = {
  "Request-Id": header("Quote it when asking for help. Error bodies repeat it.", "req_2f1c9a"),
  "RateLimit-Policy": header("The key's limit: q calls in w seconds (IETF draft).", '"read";q=600;w=60'),
  RateLimit: header("What is left of it: r calls, until t seconds from now.", '"read";r=599;t=1'),
  "Retry-After": header("Seconds to wait before the same request is sent again.", 5),
  "WWW-Authenticate": header("The challenge of RFC 6750.", 'Bearer realm="backlinks"'),
  ETag: header("The tag of this response. Send it in `If-None-Match` to learn whether it is still current.", '"8dQ2…"'),
  "Idempotent-Replayed": header("`true` when the answer of an earlier request is repeated.", "true")
}

const RETRY_AFTER: ReadonlySet<string> = new Set(["409", "429", "502", "503"])
const CHALLENGE: ReadonlySet<string> = new Set(["401", "403"])

/** Operations whose responses have a tag. */
const isConditional = (operationId: JsonValue | undefined): boolean =>
  operationId === "searchSites" || operationId === "getFacets"
const CURRENT: ReadonlySet<string> = new Set(["200", "304"])

/** Operations whose body may be left out. */
const optionalBodies = new Set<string>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => {
    if (hasOptionalBody(endpoint)) optionalBodies.add(endpoint.identifier)
  }
})

const IF_NONE_MATCH: JsonObject = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "Tags of responses that the client has kept.",
  schema: { type: "string" }
}

const headersOf = (status: string, operationId: JsonValue | undefined): JsonObject => {
  const names = ["Request-Id"]
  if (status !== "401") names.push("RateLimit-Policy", "RateLimit")
  if (RETRY_AFTER.has(status)) names.push("Retry-After")
  if (CHALLENGE.has(status)) names.push("WWW-Authenticate")
  if (operationId === "createOrder" && status === "201") names.push("Idempotent-Replayed")
  if (isBoundOperation(operationId) && status.startsWith("2")) names.push("Idempotent-Replayed")
  if (isConditional(operationId) && CURRENT.has(status)) names.push("ETag")
  return Object.fromEntries(names.map((name) => [name, reference("headers", name)]))
}

const memberAt = (value: JsonValue | undefined, ...path: ReadonlyArray<string>): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((node, key) => (isObject(node) ? node[key] : undefined), value)

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

// The literal has no keys besides those of its type.
const TRANSPORT_CODES = Object.keys(TRANSPORT_ERRORS) as ReadonlyArray<keyof typeof TRANSPORT_ERRORS>

const MALFORMED: JsonObject = {
  ...errorResponse(TRANSPORT_CODES),
  description: "What arrived is not sound HTTP, or its head is too long, or it took too long."
}

/** The codes of a generated error response and those sent before routing; `undefined` for a success. */
const codesOf = (status: string, response: JsonObject): ReadonlyArray<JsonValue> | undefined => {
  const own = memberAt(
    response,
    "content",
    "application/json",
    "schema",
    "properties",
    "error",
    "properties",
    "code",
    "enum"
  )
  if (!Array.isArray(own)) return undefined
  return [...own, ...TRANSPORT_CODES.filter((code) => statusesOf(code).includes(Number(status)))]
}

/** Moves a description from the schema to its parameter, and capitalises header names. */
const completeParameter = (parameter: JsonValue): JsonValue => {
  if (!isObject(parameter)) return parameter
  const { schema, name, in: place = "", ...rest } = parameter
  const { description, ...shape } = asObject(schema)
  const shown = place === "header" ? String(name).replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()) : (name ?? "")
  return { name: shown, in: place, ...rest, ...(description === undefined ? {} : { description }), schema: shape }
}

const completeOperation = (operation: JsonObject, connects: boolean, examples: DocumentedExamples): JsonObject => {
  const { responses, parameters, requestBody } = operation
  // The name of the endpoint, without that of its group.
  const operationId = String(operation["operationId"]).replace(/^.*\./, "")
  if (!isObject(responses) || !Array.isArray(parameters)) return operation
  const complete = Record.map(responses, (response, status): JsonObject => {
    const codes = codesOf(status, asObject(response))
    const body = codes === undefined ? asObject(response) : errorResponse(codes)
    return {
      ...examples.ofResponse(body, { operationId, status, codes: codes ?? [] }),
      headers: headersOf(status, operationId)
    }
  })
  const notModified: JsonObject = isConditional(operationId)
    ? { "304": { description: "What the client has kept is still current.", headers: headersOf("304", operationId) } }
    : {}
  return examples.ofRequest(operationId, {
    ...operation,
    operationId,
    ...(connects ? { security: keyOrToken(operationId) } : {}),
    ...(optionalBodies.has(operationId) ? { requestBody: { ...asObject(requestBody), required: false } } : {}),
    parameters: [
      ...parameters.map(completeParameter),
      ...(isConditional(operationId) ? [IF_NONE_MATCH] : []),
      ...(isBoundOperation(operationId) ? [IDEMPOTENCY_KEY] : [])
    ],
    responses: { ...complete, ...notModified, default: reference("responses", "Malformed") }
  })
}

const completePaths = (paths: JsonObject, connects: boolean, examples: DocumentedExamples): JsonObject =>
  Record.map(paths, (methods) =>
    Record.map(asObject(methods), (operation) => completeOperation(asObject(operation), connects, examples))
  )

/** An object of an answer may have any other member; of one whose members are not known, generators want to be told so. */
const openObject = ({ additionalProperties: _, ...node }: JsonObject): JsonObject =>
  node["type"] === "object" && !("properties" in node) ? { ...node, additionalProperties: true } : node

/** Requests are closed; responses may get new fields, which must not break a client. */
const openResponses = (schemas: JsonObject, closed: ReadonlySet<string>): JsonObject =>
  Record.map(schemas, (schema, name) =>
    closed.has(name) ? requestSchema(schema) : mapObjects(schema, (node) => withOptionalSecret(openObject(node)))
  )

/** The schemas that a value refers to, at any depth; added to those that are known. */
const referredIn = (value: JsonValue, schemas: JsonObject, known = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (known.has(name)) continue
    known.add(name)
    referredIn(schemas[name] ?? null, schemas, known)
  }
  return known
}

const requestBodies = (paths: JsonObject): JsonValue =>
  Object.values(paths).flatMap((methods) =>
    Object.values(asObject(methods)).map((operation) => asObject(operation)["requestBody"] ?? null)
  )

const toJson = Schema.decodeUnknownSync(Schema.Json)

const Documented = Api.annotate(HttpApi.AdditionalSchemas, [ErrorBody, EventBody, QuoteEventBody, TestEventBody])

export interface DocumentOptions {
  /** Base URL for clients, without a trailing slash. */
  readonly publicUrl: string
  /** `null` where the service connects no assistants. */
  readonly oauth: OAuthAddresses | null
  /** An e-mail address, a URL or other words; `null` for none. */
  readonly supportContact: string | null
}

const contactOf = (supportContact: string | null, publicUrl: string): JsonObject => {
  if (supportContact === null) return { url: publicUrl }
  if (URL.canParse(supportContact)) return { url: supportContact }
  return supportContact.includes("@") ? { email: supportContact } : { name: supportContact, url: publicUrl }
}

export const openApiDocument = ({ publicUrl, oauth, supportContact }: DocumentOptions): JsonObject => {
  const { components, paths, tags, info, openapi } = OpenApi.fromApi(Documented)
  const parts = tidy(toJson({ components, paths, tags, info }))
  const [schemas, securitySchemes] = [
    memberAt(parts, "components", "schemas"),
    memberAt(parts, "components", "securitySchemes")
  ]
  const examples = documentedExamples()
  const requests = referredIn(requestBodies(asObject(memberAt(parts, "paths"))), asObject(schemas))
  const complete = completePaths(asObject(memberAt(parts, "paths")), oauth !== null, examples)
  const refusals = referredIn([complete, MALFORMED], REFUSALS)
  return {
    openapi,
    info: {
      ...asObject(memberAt(parts, "info")),
      description: apiGuide,
      contact: contactOf(supportContact, publicUrl)
    },
    servers: [{ url: publicUrl, description: "This service" }],
    security: [{ apiKey: [] }],
    tags: memberAt(parts, "tags") ?? [],
    paths: complete,
    webhooks: examples.ofEvents(DOCUMENTED_EVENTS),
    components: {
      securitySchemes: { ...asObject(securitySchemes), ...(oauth === null ? {} : { oauth: oauthScheme(oauth) }) },
      headers: HEADERS,
      responses: {
        Malformed: examples.ofResponse(MALFORMED, { operationId: "", status: "400", codes: TRANSPORT_CODES })
      },
      examples: examples.refusals,
      schemas: withDiscriminators(
        openResponses({ ...asObject(schemas), ...Record.filter(REFUSALS, (_, name) => refusals.has(name)) }, requests)
      )
    }
  }
}
