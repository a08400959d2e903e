// Validates real requests, responses and events against the OpenAPI document with a JSON Schema validator, as clients do.
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import type { JsonObject } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { openApiDocument } from "#adapters/http/docs/OpenApiDocument.ts"

interface Content {
  readonly content: { readonly "application/json": { readonly schema: JsonObject } }
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description: string
  readonly schema: JsonObject
}

export interface Operation {
  readonly operationId: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: Content & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>
}

interface Document {
  readonly components: {
    readonly responses: Readonly<Record<string, Content>>
    readonly schemas: Readonly<Record<string, JsonObject>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>
}

/** The document as it is sent over the wire. */
const document: Document = JSON.parse(
  JSON.stringify(openApiDocument({ publicUrl: "https://links.shop.example", oauth: null, supportContact: null }))
)

const ajv = new AjvJsonSchemaValidator()

type Validate = (value: unknown) => string | undefined

/** The schemas that a value refers to, at any depth; added to those that are found. */
const referredIn = (value: object, found: Record<string, object> = {}): Readonly<Record<string, object>> => {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    const schema = document.components.schemas[name]
    if (schema === undefined || name in found) continue
    found[name] = schema
    referredIn(schema, found)
  }
  return found
}

/** Making one takes longer than all else, and many responses have the same schema. */
const validatorsByText = new Map<string, Validate>()

const validators = new Map<object, Validate>()

const makeValidator = (text: string): Validate => {
  const schema: object = JSON.parse(text)
  const whole = JSON.stringify({ allOf: [schema], components: { schemas: referredIn(schema) } })
  const validate = ajv.getValidator(JSON.parse(whole))
  return (value) => validate(value).errorMessage
}

/** The validation error of a value by a schema of the document, if any. */
const validatorOf = (schema: object): Validate => {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const text = JSON.stringify(schema)
  const validator = validatorsByText.get(text) ?? makeValidator(text)
  validatorsByText.set(text, validator)
  validators.set(schema, validator)
  return validator
}

/** The validation error of a value by a schema without references, such as a tool's. */
export const schemaError = (schema: object, value: unknown): string | undefined => validatorOf(schema)(value)

const schemaIn = ({ content }: Content): JsonObject => content["application/json"].schema

export const documentedOperations: ReadonlyArray<{
  readonly method: string
  readonly path: string
  readonly operation: Operation
}> = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
)

/** The schema itself, or the one that it refers to. */
export const resolved = (schema: JsonObject): JsonObject => {
  const { $ref } = schema
  return typeof $ref === "string" ? (document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}) : schema
}

export const bodySchema = ({ requestBody }: Operation): JsonObject | undefined =>
  requestBody === undefined ? undefined : resolved(schemaIn(requestBody))

const templates = Object.entries(document.paths).map(
  ([path, item]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), item] as const
)

/** The documented operation of a request line, if any. */
const operationAt = (method: string, target: string): Operation | undefined => {
  const [path = ""] = target.split("?")
  return templates.find(([template]) => template.test(path))?.[1][method.toLowerCase()]
}

/** The validation error of a request body; none if it is valid or the request is not documented. */
export const requestBodyError = (method: string, target: string, body: unknown): string | undefined => {
  const { requestBody } = operationAt(method, target) ?? {}
  return requestBody === undefined ? undefined : validatorOf(schemaIn(requestBody))(body)
}

/** The validation error of a parameter's value. */
export const parameterError = (method: string, target: string, name: string, value: unknown): string | undefined => {
  const parameter = operationAt(method, target)?.parameters.find((one) => one.name === name)
  return parameter === undefined ? `there is no ${name}` : validatorOf(parameter.schema)(value)
}

/** The validation error of a response; none if it is as documented or the request is not documented. */
export const responseError = (
  method: string,
  target: string,
  { status, text }: { readonly status: number; readonly text: string }
): string | undefined => {
  const operation = operationAt(method, target)
  if (operation === undefined) return undefined
  const response = operation.responses[status] ?? operation.responses["default"]
  const documented =
    response !== undefined && "$ref" in response
      ? document.components.responses[response.$ref.replace("#/components/responses/", "")]
      : response
  if (documented === undefined) return `no ${status} is documented`
  if ("content" in documented && !("application/json" in documented.content)) return undefined
  if (!("content" in documented)) return text === "" ? undefined : `${status} has no body`
  return validatorOf(schemaIn(documented))(JSON.parse(text))
}

/** The validation error of the body of an event. */
export const eventError = (event: string, body: unknown): string | undefined => {
  const webhook = document.webhooks[event]
  return webhook === undefined ? `there is no ${event}` : validatorOf(schemaIn(webhook.post.requestBody))(body)
}
