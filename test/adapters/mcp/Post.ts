// Single POSTs to /mcp in either revision, for messages that no SDK client sends.
import { Effect } from "effect"

export interface HttpResult {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Revision = "2025" | "2026-07-28"

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

export interface Message {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** A request as a client of that revision words it. */
export const request = (
  revision: Revision,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: number | string = 1
): Message => {
  const { name } = params
  const modern = revision === "2026-07-28"
  return {
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: modern ? { ...params, _meta: ENVELOPE } : params }),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(modern ? { "mcp-protocol-version": "2026-07-28", "mcp-method": method } : {}),
      ...(modern && typeof name === "string" ? { "mcp-name": name } : {})
    }
  }
}

export const toolCall = (revision: Revision, name: string, args: Readonly<Record<string, unknown>> = {}): Message =>
  request(revision, "tools/call", { name, arguments: args })

export const post = (
  url: string,
  { body, headers }: Message,
  more: Readonly<Record<string, string>> = {}
): Effect.Effect<HttpResult> =>
  Effect.promise(async (signal) => {
    const response = await fetch(url, { method: "POST", body, headers: { ...headers, ...more }, signal })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** The result of a tool, success or refusal. */
export const resultIn = ({
  text
}: HttpResult): { readonly isError: boolean; readonly body: Record<string, unknown> } => {
  const { result } = JSON.parse(text)
  return { isError: result.isError === true, body: JSON.parse(result.content[0].text) }
}

/** The error code of a request that was refused before a tool was called. */
export const codeIn = ({ text }: HttpResult): string => JSON.parse(text).error.code
