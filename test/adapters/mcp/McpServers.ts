// The two doors to the tools, open at the same time over the same shop: /mcp of the service itself, and an MCP server of its
// own that relays to it over HTTP.
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
>()("backlinks/test/mcp/Doors") {}

export const serverNames = ["in process", "relayed"] as const

/** An MCP server that runs alone, in front of the API at `apiUrl`; its address. */
export const startStandalone = Effect.fnUntraced(function* (
  apiUrl: string,
  env: Readonly<Record<string, string>> = {}
) {
  const settings = yield* mcpSettings.parse(ConfigProvider.fromUnknown({ PORT: "0", API_URL: apiUrl, ...env }))
  // A memo map of its own: the router of the service would otherwise be taken for this server's.
  const alone = Layer.buildWithMemoMap(McpServer.layer(settings), Layer.makeMemoMapUnsafe(), yield* Effect.scope)
  const { address } = Context.get(yield* alone, HttpServer.HttpServer)
  return `http://127.0.0.1:${address._tag === "UnixPathAddress" ? 0 : address.port}`
})

/** `env` is the environment of the service, and of the server that relays to it. */
export const layer = (env: Readonly<Record<string, string>> = {}) =>
  Layer.effect(
    McpServers,
    Effect.gen(function* () {
      const { url } = yield* RunningService
      const alone = yield* startStandalone(url, { ...env, PORT: "0" })
      return { "in process": `${url}/mcp`, relayed: `${alone}/mcp` }
    })
  ).pipe(Layer.provideMerge(shop(env)))
