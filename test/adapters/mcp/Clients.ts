// Real MCP clients of both generations behind one shape: the SDK of the 2025 revisions and that of 2026-07-28. Both check
// every result against the tool's output schema by themselves.
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  type Transport as ModernTransport
} from "@modelcontextprotocol/client"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { Effect, Schema, type Scope } from "effect"

const Result = Schema.Struct({
  content: Schema.Tuple([Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })]),
  structuredContent: Schema.optionalKey(Schema.Unknown),
  isError: Schema.optionalKey(Schema.Boolean)
})
export type Result = typeof Result.Type

const Listed = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  description: Schema.String,
  inputSchema: Schema.Unknown,
  outputSchema: Schema.Unknown,
  annotations: Schema.Record(Schema.String, Schema.Unknown)
})
export type Listed = typeof Listed.Type

const readResult = Schema.decodeUnknownSync(Result)
const readList = Schema.decodeUnknownSync(Schema.Array(Listed))

export interface McpClient {
  readonly tools: ReadonlyArray<Listed>
  /** Rejects where the protocol refuses, as for an unknown tool. */
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Effect.Effect<Result, Error>
}

/** What both SDKs' clients can do. */
interface Sdk {
  readonly listTools: () => Promise<{ readonly tools: unknown }>
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

const INFO = { name: "test", version: "1.0.0" }

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, Error> =>
  Effect.tryPromise({ try: run, catch: (cause) => (cause instanceof Error ? cause : new Error(String(cause))) })

/** A connected client that has listed the tools, since clients take the output schemas from the list. */
const use = (connect: () => Promise<Sdk>): Effect.Effect<McpClient, Error, Scope.Scope> =>
  Effect.gen(function* () {
    const sdk = yield* Effect.acquireRelease(attempt(connect), (client) => Effect.promise(() => client.close()))
    const { tools } = yield* attempt(() => sdk.listTools())
    return {
      tools: readList(tools),
      call: (name, args = {}) =>
        Effect.map(
          attempt(() => sdk.callTool({ name, arguments: args })),
          readResult
        )
    }
  })

export interface ServerAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export const legacyOver = (transport: () => LegacyTransport) =>
  use(async () => {
    const client = new LegacyClient(INFO)
    await client.connect(transport())
    return client
  })

export const modernOver = (transport: () => ModernTransport) =>
  use(async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
    await client.connect(transport())
    return client
  })

const legacy = ({ url, headers = {} }: ServerAddress) =>
  // The transport's optional `sessionId` is spelled differently from the interface's, which exactOptionalPropertyTypes minds.
  legacyOver(() => new LegacyHttp(new URL(url), { requestInit: { headers } }) as LegacyTransport)

const modern = ({ url, headers = {} }: ServerAddress) =>
  modernOver(() => new ModernHttp(new URL(url), { requestInit: { headers } }))

export const connectors = { "2025-11-25": legacy, "2026-07-28": modern } as const

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
