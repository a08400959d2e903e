// One exchange of MCP messages over HTTP, in the revision of 2026-07-28 and in those of 2025, by the official SDK. A server is
// made for each exchange and thrown away: no session, no stream, nothing held.
import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { makeToolServer, type ToolHost } from "./ToolServer.ts"

export interface McpRequest {
  /** Headers of the request, lower-case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed body. */
  readonly message: unknown
}

export interface McpResponse {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
}

/** Nothing else of a request is the protocol's business; the key, above all, is not. */
const isProtocolHeader = (name: string): boolean => name.startsWith("mcp-") && name !== "mcp-session-id"

const toWebRequest = ({ headers }: McpRequest): Request => {
  const kept = Object.entries(headers).flatMap(
    ([name, value]): ReadonlyArray<[string, string]> =>
      value !== undefined && isProtocolHeader(name) ? [[name, value]] : []
  )
  // Answers are JSON whatever the client says it takes: every revision makes clients take it.
  const accepted: ReadonlyArray<[string, string]> = [
    ["accept", "application/json, text/event-stream"],
    ["content-type", "application/json"]
  ]
  return new Request("http://mcp.invalid/mcp", { method: "POST", headers: [...kept, ...accepted] })
}

const isLegacy = ({ headers, message }: McpRequest): boolean => {
  const protocolVersionHeader = headers["mcp-protocol-version"]
  const mcpMethodHeader = headers["mcp-method"]
  const mcpNameHeader = headers["mcp-name"]
  return (
    classifyInboundRequest({
      httpMethod: "POST",
      body: message,
      ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
      ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
      ...(mcpNameHeader === undefined ? {} : { mcpNameHeader })
    }).kind === "legacy"
  )
}

interface ToolCallRequest extends McpRequest {
  readonly message: JSONRPCRequest
}

/** One call of a tool in a revision that the SDK speaks: nearly all that is ever posted. */
const isToolCall = (posted: McpRequest): posted is ToolCallRequest => {
  const { headers, message } = posted
  const version = headers["mcp-protocol-version"]
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false
  return isJSONRPCRequest(message) && message.method === "tools/call"
}

/** Whatever a call could belong to 2026-07-28 by: without any of it, nobody has to look closer. */
const namesNoRevision = ({ headers, message }: ToolCallRequest): boolean =>
  headers["mcp-method"] === undefined && headers["mcp-name"] === undefined && message.params?._meta === undefined

/** The SDK's server without its HTTP around it, which costs many times what the call itself does. */
const callDirectly = async (server: Server, request: JSONRPCRequest): Promise<JSONRPCMessage> => {
  const { promise: answered, resolve } = Promise.withResolvers<JSONRPCMessage>()
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      // Whatever else the server has to say, such as progress, is for streams.
      if (!("method" in message)) resolve(message)
      return Promise.resolve()
    }
  }
  await server.connect(transport)
  transport.onmessage?.(request)
  return answered
}

/** The text of a response; a result with structured content comes last in it, as clients have always seen it. */
const toText = (message: JSONRPCMessage): string => {
  if (!isJSONRPCResultResponse(message) || message.result["structuredContent"] === undefined)
    return JSON.stringify(message)
  const { result, ...rest } = message
  return JSON.stringify({ ...rest, result })
}

/** The revisions of 2025, without a session and answering JSON instead of a stream. */
const handleLegacy = async (server: Server, request: Request, message: unknown): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: message })
  await server.close()
  return response
}

/** To a batch with one request in it the SDK answers as if that had been sent alone; a batch refused as a whole is no such. */
const isUnwrappedBatch = ({ ok }: Response, message: unknown, body: string): boolean =>
  ok && Array.isArray(message) && body.startsWith("{")

/** `onError` hears what the SDK refuses or stumbles over; it changes no answer. */
export const makeStreamableHttp = (onError: (error: Error) => void) => {
  const backings = new WeakMap<Request, ToolHost>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const backing = requestInfo === undefined ? undefined : backings.get(requestInfo)
      if (backing === undefined) throw new Error("The SDK asks for a server for no request of ours.")
      return makeToolServer(backing)
    },
    // Nothing here ever changes for a client to be told of, so no stream is kept open for it.
    { legacy: "reject", maxSubscriptions: 0, onerror: onError }
  )
  return async (posted: McpRequest, backing: ToolHost): Promise<McpResponse> => {
    const { message } = posted
    if (isToolCall(posted) && (namesNoRevision(posted) || isLegacy(posted))) {
      return {
        status: 200,
        contentType: "application/json",
        body: toText(await callDirectly(makeToolServer(backing), posted.message))
      }
    }
    const request = toWebRequest(posted)
    backings.set(request, backing)
    const response = isLegacy(posted)
      ? await handleLegacy(makeToolServer(backing), request, message)
      : await modern.fetch(request, { parsedBody: message })
    const body = await response.text()
    return {
      status: response.status,
      contentType: response.headers.get("content-type") ?? undefined,
      body: isUnwrappedBatch(response, message, body) ? `[${body}]` : body
    }
  }
}
