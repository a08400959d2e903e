// What the OpenAPI document says of requests and answers, in the words of a JSON Schema validator as clients have it, so that
// tests can hold what is really taken and sent against it.
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { openApiDocument } from "#adapters/http/OpenApiDocument.ts"

interface Content {
  readonly content: { readonly "application/json": { readonly schema: object } }
}

interface Operation {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: object }>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content | { readonly $ref: string }>>
}

interface Document {
  readonly components: { readonly responses: Readonly<Record<string, Content>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>
}

/** As it comes over the wire. */
const document: Document = JSON.parse(JSON.stringify(openApiDocument("https://links.shop.example")))

const ajv = new AjvJsonSchemaValidator()

type Judge = (value: unknown) => string | undefined

const judges = new Map<object, Judge>()

/** Says what a schema of the document finds wrong with a value; nothing where it takes it. */
const judgeOf = (schema: object): Judge => {
  const known = judges.get(schema)
  if (known !== undefined) return known
  const validate = ajv.getValidator(JSON.parse(JSON.stringify({ allOf: [schema], components: document.components })))
  const judge: Judge = (value) => validate(value).errorMessage
  judges.set(schema, judge)
  return judge
}

/** What a schema without references says against a value, such as a tool's. */
export const schemaFault = (schema: object, value: unknown): string | undefined => judgeOf(schema)(value)

const schemaIn = ({ content }: Content): object => content["application/json"].schema

const templates = Object.entries(document.paths).map(
  ([path, item]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), item] as const
)

/** The operation that a request line belongs to, if the document has any. */
const operationAt = (method: string, target: string): Operation | undefined => {
  const [path = ""] = target.split("?")
  return templates.find(([template]) => template.test(path))?.[1][method.toLowerCase()]
}

/** What the document says against a body that was sent; nothing where it takes it, or does not know of such a request. */
export const bodyFault = (method: string, target: string, body: unknown): string | undefined => {
  const { requestBody } = operationAt(method, target) ?? {}
  return requestBody === undefined ? undefined : judgeOf(schemaIn(requestBody))(body)
}

/** What it says against a parameter's value. */
export const parameterFault = (method: string, target: string, name: string, value: unknown): string | undefined => {
  const parameter = operationAt(method, target)?.parameters.find((one) => one.name === name)
  return parameter === undefined ? `there is no ${name}` : judgeOf(parameter.schema)(value)
}

/** What it says against an answer; nothing where it announces just that, or does not know of such a request. */
export const answerFault = (
  method: string,
  target: string,
  { status, text }: { readonly status: number; readonly text: string }
): string | undefined => {
  const operation = operationAt(method, target)
  if (operation === undefined) return undefined
  const response = operation.responses[status] ?? operation.responses["default"]
  const announced =
    response !== undefined && "$ref" in response
      ? document.components.responses[response.$ref.replace("#/components/responses/", "")]
      : response
  return announced === undefined ? `no ${status} is announced` : judgeOf(schemaIn(announced))(JSON.parse(text))
}

/** What it says against the body of an event. */
export const eventFault = (event: string, body: unknown): string | undefined => {
  const webhook = document.webhooks[event]
  return webhook === undefined ? `there is no ${event}` : judgeOf(schemaIn(webhook.post.requestBody))(body)
}
