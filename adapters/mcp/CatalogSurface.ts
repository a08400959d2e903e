// The surface for directories that admit no purchases: the tools that read, without a word on those that buy and without an address at
// which a human pays or approves. It follows from the ordering surface by two rules, so that a new tool or member needs no thought here:
// a sentence that names what the surface does not have is left out, and a result holds what its listed schema declares.
import { Predicate, Result } from "effect"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import { type JsonObject, mapObjects } from "#adapters/contract/schema/JsonSchemaTidy.ts"
import { CATALOG_PURPOSE } from "#adapters/contract/shared/ServiceDescription.ts"
import type { JsonBody } from "#adapters/http/operations/JsonResponse.ts"
import { aboutTool, ORDER_OF_CALLS, ORDERING_TEXTS, REFUSAL_RULE, UNTRUSTED_TEXT_RULE } from "./AboutTool.ts"
import type { Surface } from "./Surface.ts"
import type { Tool } from "./Tool.ts"
import {
  asObjectSchema,
  memberNamesOf,
  type ObjectSchema,
  outputSchemaWithoutHumanLinks,
  pickDeclared,
  withoutMembers
} from "./ToolSchema.ts"
import { apiTools } from "./Tools.ts"
import { inTermsOfTools, type WordError } from "./ToolWording.ts"

const isListed = ({ annotations }: Tool): boolean => annotations.readOnlyHint === true
const listed = apiTools.filter(isListed)

/** Whether the tool can list what others of the account placed, which a directory's surface never does. */
const hasScope = ({ inputSchema: { properties } }: Tool): boolean => Object.hasOwn(properties, "scope")

const inputShown = (tool: Tool): ObjectSchema =>
  hasScope(tool) ? withoutMembers(tool.inputSchema, ["scope"]) : tool.inputSchema

const outputShown = (tool: Tool): ObjectSchema => {
  const declared = outputSchemaWithoutHumanLinks(tool.output)
  return hasScope(tool) ? withoutMembers(declared, ["other_credentials", "hint"]) : declared
}

/** The API, which a key may also reach in another way, would take it. */
const requestShown =
  (tool: Tool): Tool["request"] =>
  (args, state) =>
    hasScope(tool) && args["scope"] != null
      ? Result.fail(new ValidationFailed({ errors: [{ path: "scope", message: "Is not an argument of this tool." }] }))
      : tool.request(args, state)

const membersOf = (schemas: ReadonlyArray<ObjectSchema>): ReadonlySet<string> =>
  new Set(schemas.flatMap((schema) => [...memberNamesOf(schema)]))

/** Names what the surface does not have. Names of one word count in backticks alone, because many are words of any text. */
const namesHidden = (() => {
  const all = membersOf(apiTools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]))
  const shown = membersOf(listed.flatMap((tool) => [inputShown(tool), outputShown(tool)]))
  const members = [...all].filter((name) => !shown.has(name))
  const tools = apiTools.filter((tool) => !isListed(tool)).map(({ name }) => name)
  const named = [...tools, ...members].map((name) => (name.includes("_") ? `\\b${name}` : `\`${name}`))
  return new RegExp(`(?:${named.join("|")})\\b`)
})()

/** The sentences of the text that the surface has a use for. */
const sentencesShown = (text: string): string =>
  text
    .split(/(?<=[.!?]) +/)
    .filter((sentence) => !namesHidden.test(sentence))
    .join(" ")

const textsShown = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.map(sentencesShown).filter((text) => text !== "")

const describeShown = ({ description, ...node }: JsonObject): JsonObject => {
  if (description === undefined) return node
  // A member may have that name, too.
  if (!Predicate.isString(description)) return { ...node, description }
  const shown = sentencesShown(description)
  return shown === "" ? node : { ...node, description: shown }
}

const schemaShown = (schema: ObjectSchema): ObjectSchema => asObjectSchema(mapObjects(schema, describeShown))

const toolShown = (tool: Tool): Tool => {
  const { description, present = (body: JsonBody) => body } = tool
  const declared = outputShown(tool)
  return {
    ...tool,
    description: sentencesShown(description),
    inputSchema: schemaShown(inputShown(tool)),
    outputSchema: schemaShown(declared),
    request: requestShown(tool),
    // What is picked from an object is an object.
    present: (body, supportContact) => pickDeclared(present(body, supportContact), declared) as JsonBody
  }
}

const about = aboutTool(listed, {
  ...ORDERING_TEXTS,
  description: [
    "Explains what this service is, its money rules, price tiers and limits, and which tools there are.",
    "Use it when the user asks what this service is or what a link costs. Free.",
    "Tell the user that nothing can be bought here."
  ],
  purpose: CATALOG_PURPOSE,
  select: textsShown
})

const inWordsOfReaders: WordError = (body, by) => {
  const worded = inTermsOfTools(body, by)
  const { message, suggestion = "", errors, ...error } = worded.error
  const shownSuggestion = sentencesShown(suggestion)
  return {
    ...worded,
    error: {
      ...error,
      message: sentencesShown(message),
      ...(shownSuggestion === "" ? {} : { suggestion: shownSuggestion }),
      ...(errors === undefined
        ? {}
        : { errors: errors.map((one) => ({ ...one, message: sentencesShown(one.message) })) })
    }
  }
}

export const catalog: Surface = {
  path: "/mcp/catalog",
  resource: "catalog",
  instructions: [
    CATALOG_PURPOSE,
    "How to use the tools:",
    ...textsShown(ORDER_OF_CALLS).map((step) => `- ${step}`),
    `When a tool is refused: ${sentencesShown(REFUSAL_RULE)}`,
    UNTRUSTED_TEXT_RULE
  ].join("\n"),
  tools: [about, ...listed].map(toolShown),
  wordError: inWordsOfReaders
}
