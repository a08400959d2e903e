// The MCP server of the tools: the SDK's `Server` with two handlers, made for each request because it holds no state. The SDK's
// `McpServer` would rebuild its tools each time, and validate what the API validates anyway.
import {
  type CallToolResult,
  isSpecType,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server
} from "@modelcontextprotocol/server"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Schema } from "effect"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { SERVICE_NAME, VERSION } from "#adapters/contract/shared/ServiceDescription.ts"
import type { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { Arguments } from "./Arguments.ts"
import { ask, mayAsk, stateOf } from "./Elicitation.ts"
import type { Surface } from "./Surface.ts"
import { metaOf, type Tool } from "./Tool.ts"

export interface CallOptions {
  readonly signal: AbortSignal
  /** The state of the question that an earlier call of the tool was answered by; unchecked. */
  readonly state: string | undefined
}

/** What a server needs to serve one caller. */
export interface ToolHost {
  readonly call: (tool: Tool, args: Arguments, options: CallOptions) => Promise<JsonResponse>
  /** The error body of a failure that occurs before a tool is called. */
  readonly explain: (failure: Failure) => ErrorBody
}

export const SERVER_INFO = { name: "backlink-ordering-service", title: SERVICE_NAME, version: VERSION }

/** The tools change only with a release, and are the same for every caller. */
const TOOLS_CACHE = { ttlMs: 300_000, cacheScope: "public" } as const

const SERVER_OPTIONS = {
  capabilities: { tools: {} },
  cacheHints: { "tools/list": TOOLS_CACHE, "server/discover": TOOLS_CACHE },
  // Needed for requests that this server never sends; shared, because making one is the slowest part of making a server.
  jsonSchemaValidator: new AjvJsonSchemaValidator()
}

/** The tool in the protocol's shape, checked once at the start. */
export const toListedTool = (tool: Tool): ListedTool => {
  const { name, title, description, annotations, inputSchema, outputSchema } = tool
  const listed = { name, title, description, annotations: { title, ...annotations }, inputSchema, outputSchema }
  const shown = { ...listed, ...metaOf(tool) }
  if (!isSpecType.Tool(shown)) throw new Error(`The description of the tool ${name} does not fit the protocol.`)
  return shown
}

const unknownTool = (tools: ReadonlyArray<Tool>) =>
  new ValidationFailed({
    errors: [{ path: "name", message: `There is no such tool. There are ${tools.map(({ name }) => name).join(", ")}.` }]
  })

/** Keeps every argument: the SDK's own schema drops one called `__proto__`, which must be refused like any unknown one. */
const CallParams = Schema.toStandardSchemaV1(
  Schema.Struct({ name: Schema.String, arguments: Schema.optionalKey(Arguments) })
)

const toCallToolResult =
  (tool: Tool) =>
  ({ status, text, body }: JsonResponse): CallToolResult => {
    const content: CallToolResult["content"] = [{ type: "text", text }]
    return status >= 400 ? { content, isError: true } : { content, structuredContent: body, ...metaOf(tool) }
  }

/** Makes a server of the surface for each host. */
export const toolServerOf = ({ instructions, tools }: Surface): ((host: ToolHost) => Server) => {
  const options = { ...SERVER_OPTIONS, instructions }
  const list = { tools: tools.map(toListedTool) }
  const byName: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]))
  return ({ call, explain }) => {
    const server = new Server(SERVER_INFO, options)
    server.setRequestHandler("tools/list", () => list)
    server.setRequestHandler("tools/call", { params: CallParams }, async (params, context) => {
      const tool = byName.get(params.name)
      if (tool === undefined) {
        const body = explain(unknownTool(tools))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, body.error.message, body)
      }
      const callOptions = { signal: context.mcpReq.signal, state: stateOf(context) }
      const response = await call(tool, params.arguments ?? {}, callOptions)
      const question = mayAsk(context, server.getNegotiatedProtocolVersion()) ? tool.question?.(response) : undefined
      return question === undefined ? toCallToolResult(tool)(response) : ask(question)
    })
    return server
  }
}
