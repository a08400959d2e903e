// The two MCP servers, over the same service: its own /mcp, and a standalone server that calls it over HTTP.
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as McpServer from "#adapters/app/McpServer.ts"
import { mcpSettings } from "#adapters/config/Settings.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"

export class McpServers extends Context.Service<
  McpServers,
  {
    readonly "in process": string
    readonly relayed: string
  }
>()("backlinks/test/mcp/McpServers") {}

export const serverNames = ["in process", "relayed"] as const

/** Starts a standalone MCP server for the API at `apiUrl`, and returns its address. */
export const startStandalone = Effect.fnUntraced(function* (
  apiUrl: string,
  env: Readonly<Record<string, string>> = {}
) {
  const settings = yield* mcpSettings.parse(ConfigProvider.fromUnknown({ PORT: "0", API_URL: apiUrl, ...env }))
  // Its own memo map; otherwise it would share the router of the service.
  const alone = Layer.buildWithMemoMap(McpServer.layer(settings), Layer.makeMemoMapUnsafe(), yield* Effect.scope)
  const { address } = Context.get(yield* alone, HttpServer.HttpServer)
  return `http://127.0.0.1:${address._tag === "UnixPathAddress" ? 0 : address.port}`
})

/** `env` is the environment of the service and of the standalone server. */
export const layer = (env: Readonly<Record<string, string>> = {}) =>
  Layer.effect(
    McpServers,
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const alone = yield* startStandalone(url, { ...env, PORT: "0" })
      return { "in process": `${url}/mcp`, relayed: `${alone}/mcp` }
    })
  ).pipe(Layer.provideMerge(shop(env)))
