// What the makers of models publish about the functions that a model may be given, as data, and the check of a function against it.
// A function that breaks one limit is not left out: the whole request is refused.

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }
type Node = { readonly [key: string]: Json }

export interface FunctionShape {
  readonly name: string
  readonly description: string
  readonly schema: unknown
}

export interface Limits {
  /** Where they are published: pages, and reports with the message of the refusal where the pages are silent. */
  readonly sources: ReadonlyArray<string>
  readonly name: RegExp
  /** In characters. */
  readonly descriptionLength?: number
  readonly argumentName?: RegExp
  /** All keywords that are taken, at any depth. Absent: any. */
  readonly keywords?: ReadonlyArray<string>
  readonly refusedKeywords?: ReadonlyArray<string>
  /** Beside `type: "object"`. */
  readonly refusedAtRoot?: ReadonlyArray<string>
  readonly enumsOfTextOnly?: boolean
  /** One name; `null` by `anyOf` or `nullable`. Otherwise also a list such as `["string", "null"]`. */
  readonly singleType?: boolean
  readonly formats?: ReadonlyArray<string>
  /** Every object has `additionalProperties: false` and requires all its properties, optional ones with `null`. */
  readonly closed?: boolean
  /** Objects and arrays in each other. */
  readonly depth?: number
  readonly properties?: number
  readonly enumValues?: number
  /** Characters of the values of one enumeration of more than 250 texts. */
  readonly longEnumCharacters?: number
  /** Characters of all names and values of enumerations. */
  readonly characters?: number
}

const OPENAI_NAME = /^[a-zA-Z0-9_-]{1,64}$/

const openai: Limits = {
  sources: [
    "https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools",
    // 1,024 characters: enforced by Chat Completions of some models and by Azure, not by Responses.
    "https://github.com/getsentry/sentry-mcp/issues/106",
    "https://github.com/langchain-ai/langchainjs/issues/9804"
  ],
  name: OPENAI_NAME,
  descriptionLength: 1_024,
  refusedAtRoot: ["oneOf", "anyOf", "allOf", "enum", "const", "not"]
}

export const limits = {
  OpenAI: openai,
  "OpenAI, strict": {
    ...openai,
    sources: [
      ...openai.sources,
      "https://platform.openai.com/docs/guides/structured-outputs#supported-schemas",
      // `default`, `minLength` and `maxLength` are no part of the subset.
      "https://github.com/openai/openai-node/pull/1988",
      "https://github.com/dotnet/extensions/issues/6196"
    ],
    keywords: [
      ...["type", "description", "title", "enum", "const", "anyOf", "$ref", "$defs"],
      ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems", "pattern", "format"],
      ...["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
    ],
    formats: ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
    closed: true,
    depth: 10,
    properties: 5_000,
    enumValues: 1_000,
    longEnumCharacters: 15_000,
    characters: 120_000
  },
  Gemini: {
    sources: [
      "https://ai.google.dev/api/caching#FunctionDeclaration",
      "https://ai.google.dev/api/caching#Schema",
      "https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/FunctionDeclaration",
      // "enum: only allowed for STRING type"; "format: only 'enum' and 'date-time' are supported for STRING type"
      "https://github.com/diegosouzapw/OmniRoute/pull/760",
      "https://github.com/google-gemini/gemini-cli/issues/3178",
      // "Unknown name "exclusiveMinimum" …: Cannot find field."
      "https://github.com/pizza-bot-app/pizza-bot/issues/62",
      // "Unknown name "type" …: Proto field is not repeating, cannot start list."
      "https://github.com/zed-industries/zed/issues/53919"
    ],
    name: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
    argumentName: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
    keywords: [
      ...["type", "format", "title", "description", "nullable", "default", "example", "enum", "anyOf"],
      ...["properties", "propertyOrdering", "required", "minProperties", "maxProperties"],
      ...["items", "minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum"]
    ],
    enumsOfTextOnly: true,
    singleType: true,
    formats: ["enum", "date-time", "float", "double", "int32", "int64"]
  },
  Anthropic: {
    sources: [
      "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use",
      // No references; no unions at the root; names of arguments.
      "https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes",
      "https://github.com/anthropics/claude-code/issues/40075",
      // Claude Code cuts longer descriptions off.
      "https://github.com/anthropics/claude-code/issues/41593"
    ],
    name: /^[a-zA-Z0-9_-]{1,64}$/,
    descriptionLength: 2_048,
    argumentName: /^[a-zA-Z0-9_.-]{1,64}$/,
    refusedKeywords: ["$ref", "$dynamicRef"],
    refusedAtRoot: ["oneOf", "anyOf", "allOf"]
  }
} satisfies Readonly<Record<string, Limits>>

const isNode = (value: Json | undefined): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const members = (value: Json | undefined): ReadonlyArray<Json> =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

interface Visited {
  readonly path: string
  readonly node: Node
  readonly depth: number
}

/** The schema and all schemas in it. */
const schemasIn = (path: string, node: Json | undefined, depth: number): ReadonlyArray<Visited> => {
  if (!isNode(node)) return []
  const { properties, items, anyOf, oneOf, allOf } = node
  const nested = isNode(properties) || items !== undefined ? depth + 1 : depth
  return [
    { path, node, depth: nested },
    ...Object.entries(isNode(properties) ? properties : {}).flatMap(([name, property]) =>
      schemasIn(`${path}.${name}`, property, nested)
    ),
    ...members(items).flatMap((item) => schemasIn(`${path}[]`, item, nested)),
    ...[anyOf, oneOf, allOf].flatMap(members).flatMap((member) => schemasIn(path, member, nested))
  ]
}

const namesOf = ({ properties }: Node): ReadonlyArray<string> => (isNode(properties) ? Object.keys(properties) : [])

const textLength = (values: ReadonlyArray<Json>): number => values.map(String).join("").length

function* faultsOfNode(limits: Limits, { path, node }: Visited): Generator<string> {
  const { keywords, refusedKeywords = [], argumentName, enumsOfTextOnly, singleType, formats, closed } = limits
  const values = members(node["enum"])
  for (const keyword of Object.keys(node))
    if (refusedKeywords.includes(keyword) || keywords?.includes(keyword) === false) yield `${path}: ${keyword}`
  for (const name of namesOf(node)) if (argumentName?.test(name) === false) yield `${path}: the name ${name}`
  const isOfText = node["type"] === "string" && values.every((value) => typeof value === "string")
  if (enumsOfTextOnly && values.length > 0 && !isOfText) yield `${path}: enum of ${node["type"]}`
  if (singleType && Array.isArray(node["type"])) yield `${path}: several types`
  const { format } = node
  if (typeof format === "string" && formats?.includes(format) === false) yield `${path}: format ${format}`
  if (closed && (node["type"] === "object" || "properties" in node)) {
    if (node["additionalProperties"] !== false) yield `${path}: additionalProperties is not false`
    const required = new Set(members(node["required"]))
    for (const name of namesOf(node)) if (!required.has(name)) yield `${path}: ${name} is not required`
  }
  const { longEnumCharacters = Number.POSITIVE_INFINITY } = limits
  if (values.length > 250 && textLength(values) > longEnumCharacters) yield `${path}: long enum`
}

function* allFaults(limits: Limits, { name, description, schema }: FunctionShape): Generator<string> {
  // The schema as it goes over the wire.
  const root: Json = JSON.parse(JSON.stringify(schema))
  if (!limits.name.test(name)) yield "the name"
  const { descriptionLength, depth, properties, enumValues, characters } = limits
  const above = (value: number, limit = Number.POSITIVE_INFINITY) => value > limit
  if (above(description.length, descriptionLength)) yield `description of ${description.length} characters`
  if (!isNode(root) || root["type"] !== "object") yield "the root is no object"
  if (isNode(root)) for (const key of limits.refusedAtRoot ?? []) if (key in root) yield `${key} at the root`
  const visited = schemasIn("", root, 0)
  for (const node of visited) yield* faultsOfNode(limits, node)
  const names = visited.flatMap(({ node }) => namesOf(node))
  const values = visited.flatMap(({ node }) => members(node["enum"]))
  if (visited.some((node) => above(node.depth, depth))) yield "too deep"
  if (above(names.length, properties)) yield "too many properties"
  if (above(values.length, enumValues)) yield "too many enum values"
  if (above(textLength([...names, ...values]), characters)) yield "too many characters"
}

/** Why this function would be refused; empty if it would not. */
export const faultsOf = (limits: Limits, shape: FunctionShape): ReadonlyArray<string> => [...allFaults(limits, shape)]
