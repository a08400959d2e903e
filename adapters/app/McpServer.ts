// The MCP server without the service: /mcp over HTTP, relaying every call to one API elsewhere. It holds no key of its own.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { McpSettings } from "#adapters/config/Settings.ts"
import * as Envelope from "#adapters/http/Envelope.ts"
import * as HttpTransport from "#adapters/http/HttpTransport.ts"
import { makeRouteTable, ROUTER_CONFIG, type ServedRoute } from "#adapters/http/RouteTable.ts"
import { readiness } from "#adapters/http/SystemRoutes.ts"
import * as ApiOverHttp from "#adapters/mcp/ApiOverHttp.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import * as Mcp from "./McpEndpoint.ts"
import { publicUrl } from "./PublicUrl.ts"

const HEALTH = "/healthz"
const READINESS = "/readyz"

const routes: ReadonlyArray<ServedRoute> = [
  { method: "GET", path: HEALTH },
  { method: "GET", path: READINESS },
  ...McpRoute.mcpRoutes
]

const served = (settings: McpSettings, url: string) =>
  Layer.mergeAll(
    Mcp.layer(settings, url),
    HttpRouter.add("GET", HEALTH, HttpServerResponse.jsonUnsafe({ ok: true, status: "alive" })),
    HttpRouter.add("GET", READINESS, readiness(ApiOverHttp.ready(settings.apiUrl))),
    Envelope.layer(makeRouteTable(routes))
  )

const serve = (settings: McpSettings, url: string) =>
  HttpRouter.serve(served(settings, url), {
    routerConfig: ROUTER_CONFIG,
    disableLogger: true,
    disableListenLog: true
  })

export const layer = (settings: McpSettings) =>
  Layer.unwrap(Effect.map(publicUrl(settings), (url) => serve(settings, url))).pipe(
    Layer.provide(ApiOverHttp.layer(settings.apiUrl)),
    Layer.provideMerge(HttpTransport.layer(settings))
  )
