// The parts of the OpenAPI document that the page for people shows.
import { Schema } from "effect"
import type { JsonObject, JsonValue } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { endpoints, type OperationName } from "../../operations/OperationRequest.ts"

/** A JSON Schema, by the keywords that the page puts into words. */
export interface SchemaNode {
  readonly $ref?: string
  /** Several for a value that may be `null`. */
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<JsonValue>
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: ReadonlyArray<string>
  readonly items?: SchemaNode
  readonly anyOf?: ReadonlyArray<SchemaNode>
  readonly oneOf?: ReadonlyArray<SchemaNode>
  readonly allOf?: ReadonlyArray<SchemaNode>
  readonly default?: JsonValue
}

const { optionalKey, Record, String: Text, Struct } = Schema

const Node = Schema.suspend((): Schema.Codec<SchemaNode> => SchemaNode)
const Nodes = Schema.Array(Node)

const SchemaNode = Struct({
  $ref: optionalKey(Text),
  type: optionalKey(Schema.Union([Text, Schema.Array(Text)])),
  description: optionalKey(Text),
  format: optionalKey(Text),
  enum: optionalKey(Schema.Array(Schema.Json)),
  properties: optionalKey(Record(Text, Node)),
  required: optionalKey(Schema.Array(Text)),
  items: optionalKey(Node),
  anyOf: optionalKey(Nodes),
  oneOf: optionalKey(Nodes),
  allOf: optionalKey(Nodes),
  default: optionalKey(Schema.Json)
})

const Example = Struct({ summary: optionalKey(Text), value: Schema.Json })
export type Example = typeof Example.Type

/** Refusals are shared, so that their examples are references. */
const ExampleOrReference = Schema.Union([Example, Struct({ $ref: Text })])

const Content = Record(
  Text,
  Struct({ schema: optionalKey(Node), examples: optionalKey(Record(Text, ExampleOrReference)) })
)

const Parameter = Struct({
  name: Text,
  in: Text,
  required: optionalKey(Schema.Boolean),
  description: optionalKey(Text),
  schema: Node
})
export type Parameter = typeof Parameter.Type

const Operation = Struct({
  operationId: Schema.String.check(
    Schema.makeFilter((name) => (Object.hasOwn(endpoints, name) ? undefined : "names no endpoint"))
  ),
  summary: Text,
  description: Text,
  tags: Schema.Array(Text),
  parameters: Schema.Array(Parameter),
  requestBody: optionalKey(Struct({ content: Content })),
  responses: Record(Text, Struct({ description: optionalKey(Text), content: optionalKey(Content) }))
})

const ApiDescription = Struct({
  tags: Schema.Array(Struct({ name: Text, description: Text })),
  paths: Record(Text, Record(Text, Operation)),
  webhooks: Record(Text, Struct({ post: Struct({ summary: Text }) })),
  components: Struct({ schemas: Record(Text, Node) })
})
export type ApiDescription = typeof ApiDescription.Type

export const readDescription = (document: JsonObject): ApiDescription =>
  Schema.decodeUnknownSync(ApiDescription)(document)

export interface DescribedOperation extends Omit<typeof Operation.Type, "operationId"> {
  readonly operationId: OperationName
  readonly method: string
  readonly path: string
}

/** Every operation, in the order of the document. */
export const operationsOf = ({ paths }: ApiDescription): ReadonlyArray<DescribedOperation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, ...operation }]) => ({
      ...operation,
      // The schema takes names of endpoints alone.
      operationId: operationId as OperationName,
      method: method.toUpperCase(),
      path
    }))
  )

/** The schema of the JSON of a body or an answer. */
export const jsonOf = (content: (typeof Content)["Type"] | undefined) => content?.["application/json"]

/** The examples of a body or an answer, by their names. */
export const examplesOf = (content: (typeof Content)["Type"] | undefined): ReadonlyArray<readonly [string, Example]> =>
  Object.entries(jsonOf(content)?.examples ?? {}).flatMap(([name, example]) =>
    "value" in example ? [[name, example] as const] : []
  )

/** The parts of a schema that is put together of several, or itself. */
const partsOf = (node: SchemaNode): ReadonlyArray<SchemaNode> => node.allOf ?? [node]

/** The error code that a schema is of, if it is that of a refusal. */
export const codeOf = (node: SchemaNode): string | undefined => {
  const codes = partsOf(node).flatMap(({ properties }) => properties?.["code"]?.enum ?? [])
  return node.allOf !== undefined && codes.length === 1 ? String(codes[0]) : undefined
}

/** The schema of `details` for each error code that has them. */
export const detailsByCode = ({ components }: ApiDescription): ReadonlyMap<string, SchemaNode> =>
  new Map(
    Object.values(components.schemas).flatMap((node) => {
      const code = codeOf(node)
      const details = partsOf(node).flatMap(({ properties }) => properties?.["details"] ?? [])
      return code === undefined ? [] : details.map((one) => [code, one] as const)
    })
  )

export const isSuccess = (status: string): boolean => status.startsWith("2")
