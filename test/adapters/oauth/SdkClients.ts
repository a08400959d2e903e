// The official MCP clients, of both SDKs, as a host uses them: it keeps what they ask it to keep, and is told where its person has to go.
import * as modern from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { CALLBACK } from "./Flow.ts"

const INFO = { name: "An official client", version: "1" }

/** What the client asks its host to keep; both SDKs want the same of it. */
export const makeProvider = (documentUrl?: string) => {
  const kept: Record<string, unknown> = {}
  const asked: Array<URL> = []
  const metadata = {
    client_name: "An official client",
    redirect_uris: [CALLBACK],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none"
  }
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: metadata,
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    state: () => "a state",
    clientInformation: () => kept["client"],
    saveClientInformation: (client: unknown): void => {
      kept["client"] = client
    },
    tokens: () => kept["tokens"],
    saveTokens: (tokens: unknown): void => {
      kept["tokens"] = tokens
    },
    redirectToAuthorization: (url: URL) => void asked.push(url),
    saveCodeVerifier: (verifier: string): void => {
      kept["verifier"] = verifier
    },
    codeVerifier: () => String(kept["verifier"]),
    discoveryState: () => kept["discovery"],
    saveDiscoveryState: (state: unknown): void => {
      kept["discovery"] = state
    }
  }
  return { provider, asked, kept }
}

type Result = { readonly isError?: boolean; readonly structuredContent?: Readonly<Record<string, unknown>> }

export interface Client {
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Result>
  readonly finish: (answer: URLSearchParams) => Promise<void>
  readonly close: () => Promise<void>
}

type Connect = (url: URL, provider: ReturnType<typeof makeProvider>["provider"]) => Promise<Client>

export const withLegacy: Connect = async (url, provider) => {
  // What is kept is what the SDK itself gave.
  const transport = new LegacyHttp(url, { authProvider: provider as never })
  const client = new LegacyClient(INFO)
  // Its own types differ where a member may be missing.
  await client.connect(transport as LegacyTransport)
  return {
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Result>, // as MCP defines a result
    finish: (answer) => transport.finishAuth(answer.get("code") ?? ""),
    close: () => client.close()
  }
}

export const withModern: Connect = async (url, provider) => {
  // What is kept is what the SDK itself gave.
  const transport = new modern.StreamableHTTPClientTransport(url, { authProvider: provider as never })
  const client = new modern.Client(INFO)
  await client.connect(transport)
  return {
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<Result>, // as MCP defines a result
    finish: (answer) => transport.finishAuth(answer),
    close: () => client.close()
  }
}
