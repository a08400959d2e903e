// MCP over HTTP by the official SDK, in revision 2026-07-28 and those of 2025. Stateless: a server is made for each request, without
// sessions and streams.
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
import { Predicate, Record } from "effect"
import type { ToolHost } from "./ToolServer.ts"

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

/** The only headers that the SDK receives, so that it never sees the key. */
const isProtocolHeader = (name: string): boolean => name.startsWith("mcp-") && name !== "mcp-session-id"

const toWebRequest = ({ headers }: McpRequest): Request => {
  // Responses are always JSON, which every revision requires clients to accept.
  const sent = new Headers({ accept: "application/json, text/event-stream", "content-type": "application/json" })
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && isProtocolHeader(name)) sent.set(name, value)
  }
  return new Request("http://mcp.invalid/mcp", { method: "POST", headers: sent })
}

const isLegacy = ({ headers, message }: McpRequest): boolean => {
  const claims = {
    protocolVersionHeader: headers["mcp-protocol-version"],
    mcpMethodHeader: headers["mcp-method"],
    mcpNameHeader: headers["mcp-name"]
  }
  const sent = Record.filter(claims, Predicate.isNotUndefined)
  return classifyInboundRequest({ httpMethod: "POST", body: message, ...sent }).kind === "legacy"
}

/** The message of a single tool call in a revision of 2025: nearly all requests. */
const legacyToolCall = (request: McpRequest): JSONRPCRequest | undefined => {
  const { headers, message } = request
  const version = headers["mcp-protocol-version"]
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined
  if (!isJSONRPCRequest(message) || message.method !== "tools/call") return undefined
  // A call without any of these is not of revision 2026-07-28, so most calls skip the SDK's classification.
  const claim = headers["mcp-method"] ?? headers["mcp-name"] ?? message.params?._meta
  return claim === undefined || isLegacy(request) ? message : undefined
}

/** Calls the SDK's server without its HTTP transport, which costs many times what the call itself does. */
const callDirectly = async (server: Server, request: JSONRPCRequest): Promise<JSONRPCMessage> => {
  const { promise: response, resolve } = Promise.withResolvers<JSONRPCMessage>()
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      // Notifications, such as progress, are for streams.
      if (!("method" in message)) resolve(message)
      return Promise.resolve()
    }
  }
  await server.connect(transport)
  transport.onmessage?.(request)
  return response
}

/** The JSON text of a response. The SDK puts `result` first; with structured content this endpoint has always sent it last. */
const toText = (message: JSONRPCMessage): string => {
  const isStructured = isJSONRPCResultResponse(message) && message.result["structuredContent"] !== undefined
  if (!isStructured) return JSON.stringify(message)
  const { result, ...rest } = message
  return JSON.stringify({ ...rest, result })
}

/** Handles the revisions of 2025 without a session, and with JSON instead of a stream. */
const handleLegacy = async (server: Server, request: Request, message: unknown): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: message })
  await server.close()
  return response
}

/** The SDK answers a batch of one request as if it had been sent alone. A batch that is refused as such is not wrapped again. */
const isUnwrappedBatch = ({ ok }: Response, message: unknown, body: string): boolean =>
  ok && Array.isArray(message) && body.startsWith("{")

/** `onError` is called with what the SDK refuses or fails on; it changes no response. */
export const makeStreamableHttp = (makeServer: (host: ToolHost) => Server, onError: (error: Error) => void) => {
  const hosts = new WeakMap<Request, ToolHost>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const host = requestInfo === undefined ? undefined : hosts.get(requestInfo)
      if (host === undefined) throw new Error("The SDK requested a server for an unknown request.")
      return makeServer(host)
    },
    // The tools never change while the server runs, so no stream is kept open for notifications.
    { legacy: "reject", maxSubscriptions: 0, onerror: onError }
  )
  return async (request: McpRequest, host: ToolHost): Promise<McpResponse> => {
    const { message } = request
    const toolCall = legacyToolCall(request)
    if (toolCall !== undefined) {
      const answer = await callDirectly(makeServer(host), toolCall)
      return { status: 200, contentType: "application/json", body: toText(answer) }
    }
    const webRequest = toWebRequest(request)
    hosts.set(webRequest, host)
    const response = isLegacy(request)
      ? await handleLegacy(makeServer(host), webRequest, message)
      : await modern.fetch(webRequest, { parsedBody: message })
    const body = await response.text()
    return {
      status: response.status,
      contentType: response.headers.get("content-type") ?? undefined,
      body: isUnwrappedBatch(response, message, body) ? `[${body}]` : body
    }
  }
}
