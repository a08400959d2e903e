// One exchange of MCP messages over HTTP, in the revision of 2026-07-28 and in those of 2025, by the official SDK. A server is
// made for each exchange and thrown away: no session, no stream, nothing held.
import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { type Backing, makeToolServer } from "./ToolServer.ts"

export interface Posted {
  /** Headers of the request, lower-case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The parsed body. */
  readonly message: unknown
}

export interface Answered {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** Nothing else of a request is the protocol's business; the key, above all, is not. */
const isProtocolHeader = (name: string): boolean => name.startsWith("mcp-") && name !== "mcp-session-id"

const requestOf = ({ headers }: Posted): Request => {
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

/** The revisions of 2025, without a session and answering JSON instead of a stream. */
const exchangeLegacy = async (server: Server, request: Request, message: unknown): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: message })
  await server.close()
  return response
}

/** `onError` hears what the SDK refuses or stumbles over; it changes no answer. */
export const makeExchange = (onError: (error: Error) => void) => {
  const backings = new WeakMap<Request, Backing>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const backing = requestInfo === undefined ? undefined : backings.get(requestInfo)
      if (backing === undefined) throw new Error("The SDK asks for a server for no request of ours.")
      return makeToolServer(backing)
    },
    // Nothing here ever changes for a client to be told of, so no stream is kept open for it.
    { legacy: "reject", maxSubscriptions: 0, onerror: onError }
  )
  return async (posted: Posted, backing: Backing): Promise<Answered> => {
    const { message } = posted
    const request = requestOf(posted)
    backings.set(request, backing)
    const response = (await isLegacyRequest(request, message))
      ? await exchangeLegacy(makeToolServer(backing), request, message)
      : await modern.fetch(request, { parsedBody: message })
    return {
      status: response.status,
      contentType: response.headers.get("content-type") ?? undefined,
      body: new Uint8Array(await response.arrayBuffer())
    }
  }
}
