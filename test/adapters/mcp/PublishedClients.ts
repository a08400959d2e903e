// MCP clients as npm has them, behind one shape: what a model gets from a call. Clients for models convert the tools themselves, and
// are called as the model's library calls them.
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createMCPClient } from "@ai-sdk/mcp"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from "@modelcontextprotocol/client"
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport as LegacyTransport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { getAllMcpTools, MCPServerStreamableHttp, RunContext } from "@openai/agents-core"
import { Predicate, Record } from "effect"
import { compileCache } from "#test/CompileCache.ts"

export interface Connected {
  readonly names: ReadonlyArray<string>
  /** All that the model is shown of the result, success or refusal. */
  readonly call: (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>
  readonly close: () => Promise<unknown>
}

/** Where the tools are. */
export type Path = "/mcp" | "/mcp/full"

export interface PublishedClient {
  /** The package. */
  readonly name: string
  readonly over: "HTTP" | "stdio" | "stdio to HTTP"
  /** Not tried at /mcp/full, because starting it takes seconds and another client shows the same. */
  readonly isSlow?: true
  /** `url` is the service's, without a path. */
  readonly connect: (url: string, key: string, path: Path) => Promise<Connected>
}

const INFO = { name: "test", version: "1.0.0" }

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url))

/** `npx` installs it when the test runs: it is a program that nothing else here needs. */
const MCP_REMOTE = "0.15.1"

export const versionOf = (name: string): string =>
  name === "mcp-remote" ? MCP_REMOTE : JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8")).version

const textOf = (result: unknown): string => {
  const { content } = result as { readonly content: ReadonlyArray<{ readonly text?: string }> } // a result as MCP defines it
  return content.map(({ text }) => text ?? "").join("")
}

/** What the clients of both SDKs can do. */
interface Sdk {
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  readonly close: () => Promise<void>
}

const bySdk = async (sdk: Sdk): Promise<Connected> => {
  const { tools } = await sdk.listTools()
  return {
    names: tools.map(({ name }) => name),
    call: async (name, args) => textOf(await sdk.callTool({ name, arguments: { ...args } })),
    close: () => sdk.close()
  }
}

const legacy = async (transport: LegacyTransport): Promise<Connected> => {
  const client = new LegacyClient(INFO)
  await client.connect(transport)
  return bySdk(client)
}

const modern = async (transport: ModernHttp | ModernStdio): Promise<Connected> => {
  const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  await client.connect(transport)
  return bySdk(client)
}

const MAIN = fileURLToPath(new URL("../../../adapters/mcpMain.ts", import.meta.url))

const program = (url: string, key: string, path: Path) => ({
  command: process.execPath,
  args: [MAIN, "--stdio", ...(path === "/mcp/full" ? ["--full"] : [])],
  env: { ...compileCache, API_URL: url, API_KEY: key },
  stderr: "ignore" as const
})

/** All of the test's, because `npx` reaches the registry by it. */
const environment: Readonly<Record<string, string>> = Record.filter(process.env, Predicate.isNotUndefined)

const temporary = () => mkdtempSync(join(tmpdir(), "mcp-client-"))

const inspector = join(modules, "@modelcontextprotocol/inspector-cli/build")

/** One run of the program for each call. Its folder is its own, where alone it finds its version. */
const inspect = (args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, ["index.js", ...args], { cwd: inspector, maxBuffer: 1e7 }, (error, out) =>
      error === null ? resolve(out) : reject(error)
    )
  })

export const publishedClients: ReadonlyArray<PublishedClient> = [
  {
    name: "@modelcontextprotocol/sdk",
    over: "HTTP",
    // The transport's optional `sessionId` is spelled differently from the interface's, which exactOptionalPropertyTypes minds.
    connect: (url, key, path) =>
      legacy(new LegacyHttp(new URL(`${url}${path}`), { requestInit: { headers: bearer(key) } }) as LegacyTransport) // see above
  },
  {
    name: "@modelcontextprotocol/sdk",
    over: "stdio",
    connect: (url, key, path) => legacy(new LegacyStdio(program(url, key, path)))
  },
  {
    name: "@modelcontextprotocol/client",
    over: "HTTP",
    connect: (url, key, path) =>
      modern(new ModernHttp(new URL(`${url}${path}`), { requestInit: { headers: bearer(key) } }))
  },
  {
    name: "@modelcontextprotocol/client",
    over: "stdio",
    isSlow: true,
    connect: (url, key, path) => modern(new ModernStdio(program(url, key, path)))
  },
  {
    name: "@ai-sdk/mcp",
    over: "HTTP",
    connect: async (url, key, path) => {
      const client = await createMCPClient({ transport: { type: "http", url: `${url}${path}`, headers: bearer(key) } })
      const tools = await client.tools()
      return {
        names: Object.keys(tools),
        call: async (name, args) =>
          textOf(await tools[name]?.execute(args, { toolCallId: "1", messages: [], context: undefined })),
        close: () => client.close()
      }
    }
  },
  {
    name: "@openai/agents-core",
    over: "HTTP",
    connect: async (url, key, path) => {
      const server = new MCPServerStreamableHttp({ url: `${url}${path}`, requestInit: { headers: bearer(key) } })
      await server.connect()
      const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true })
      return {
        names: tools.map(({ name }) => name),
        call: async (name, args) => {
          const tool = tools.find((one) => one.name === name)
          if (tool?.type !== "function") throw new Error(`no function ${name}`)
          const output: unknown = await tool.invoke(new RunContext(), JSON.stringify(args))
          return typeof output === "string" ? output : textOf({ content: [output].flat() })
        },
        close: () => server.close()
      }
    }
  },
  {
    name: "@langchain/mcp-adapters",
    over: "HTTP",
    connect: async (url, key, path) => {
      const client = new MultiServerMCPClient({
        shop: { transport: "http", url: `${url}${path}`, headers: bearer(key) }
      })
      const tools = await client.getTools()
      return {
        names: tools.map(({ name }) => name),
        call: async (name, args) => {
          const tool = tools.find((one) => one.name === name)
          const message: unknown = await tool?.invoke({ type: "tool_call", id: "1", name, args })
          const { content } = message as { readonly content: unknown } // a tool message
          // The library gives the model the text and the structured result, in one JSON text.
          return typeof content === "string" ? JSON.parse(content).text : textOf({ content })
        },
        close: () => client.close()
      }
    }
  },
  {
    name: "mcp-remote",
    over: "stdio to HTTP",
    isSlow: true,
    connect: async (url, key, path) => {
      const folder = temporary()
      const args = [
        `${url}${path}`,
        "--header",
        `Authorization: Bearer ${key}`,
        "--transport",
        "http-only",
        "--allow-http"
      ]
      const transport = new LegacyStdio({
        command: "npx",
        args: ["-y", `mcp-remote@${MCP_REMOTE}`, ...args],
        env: { ...environment, MCP_REMOTE_CONFIG_DIR: folder },
        stderr: "ignore"
      })
      const connected = await legacy(transport)
      return {
        ...connected,
        close: () => connected.close().finally(() => rmSync(folder, { recursive: true }))
      }
    }
  },
  {
    name: "@modelcontextprotocol/inspector-cli",
    over: "HTTP",
    connect: async (url, key, path) => {
      const run = (...args: ReadonlyArray<string>) =>
        // Unless told otherwise, it takes HTTP only where the address ends in `/mcp`.
        inspect([`${url}${path}`, ...args, "--transport", "http", "--header", `Authorization: Bearer ${key}`])
      const { tools } = JSON.parse(await run("--method", "tools/list"))
      return {
        names: tools.map(({ name }: { readonly name: string }) => name),
        call: async (name, args) => {
          const given = Object.entries(args).flatMap(([key, value]) => [
            "--tool-arg",
            `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`
          ])
          return textOf(JSON.parse(await run("--method", "tools/call", "--tool-name", name, ...given)))
        },
        close: () => Promise.resolve()
      }
    }
  }
]
