// The MCP endpoint of the service, and the standalone MCP server: /mcp over HTTP, relaying every call to one remote API.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { McpSettings, ServerSettings } from "#adapters/config/Settings.ts"
import * as HttpTransport from "#adapters/http/HttpTransport.ts"
import * as RouterMiddleware from "#adapters/http/RouterMiddleware.ts"
import { makeRouteTable, ROUTER_CONFIG, type ServedRoute } from "#adapters/http/RouteTable.ts"
import { readiness } from "#adapters/http/SystemRoutes.ts"
import * as ApiOverHttp from "#adapters/mcp/ApiOverHttp.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import { originFilter } from "#adapters/mcp/Origins.ts"

/** The /mcp route. Requires the API that the tools call. */
export const endpoint = ({ host, mcpQueryKey, mcpAllowedOrigins }: ServerSettings, publicUrl: string) =>
  McpRoute.layer({
    queryKey: mcpQueryKey,
    allowsOrigin: originFilter({ publicUrl, allowed: mcpAllowedOrigins, host })
  })

const HEALTH = "/healthz"
const READINESS = "/readyz"

const routes: ReadonlyArray<ServedRoute> = [
  { method: "GET", path: HEALTH },
  { method: "GET", path: READINESS },
  ...McpRoute.mcpRoutes
]

const served = (settings: McpSettings, url: string) =>
  Layer.mergeAll(
    endpoint(settings, url),
    HttpRouter.add("GET", HEALTH, HttpServerResponse.jsonUnsafe({ ok: true, status: "alive" })),
    HttpRouter.add("GET", READINESS, readiness(ApiOverHttp.ready(settings.apiUrl))),
    RouterMiddleware.layer(makeRouteTable(routes))
  )

const serve = (settings: McpSettings, url: string) =>
  HttpRouter.serve(served(settings, url), {
    routerConfig: ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  })

/** The standalone server. It holds no key of its own. */
export const layer = (settings: McpSettings) =>
  Layer.unwrap(Effect.map(HttpTransport.publicUrl(settings), (url) => serve(settings, url))).pipe(
    Layer.provide(ApiOverHttp.layer(settings.apiUrl)),
    Layer.provideMerge(HttpTransport.layer(settings))
  )
