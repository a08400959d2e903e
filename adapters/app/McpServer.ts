// The MCP endpoint of the service, and the standalone MCP server, which calls one remote API over HTTP.
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import type { McpSettings, ServerSettings } from "#adapters/config/Settings.ts"
import { SupportContact } from "#adapters/contract/shared/ServiceDescription.ts"
import * as HttpTransport from "#adapters/http/server/HttpTransport.ts"
import { RequestTurns } from "#adapters/http/server/RequestTurns.ts"
import * as RouterMiddleware from "#adapters/http/server/RouterMiddleware.ts"
import { makeRouteTable, SERVE_OPTIONS } from "#adapters/http/server/RouteTable.ts"
import * as SystemRoutes from "#adapters/http/server/SystemRoutes.ts"
import * as ApiOverHttp from "#adapters/mcp/ApiOverHttp.ts"
import * as McpRoute from "#adapters/mcp/McpRoute.ts"
import { originFilter } from "#adapters/mcp/Origins.ts"

/** The /mcp route. Requires the API that the tools call. */
export const endpoint = ({ host, mcpQueryKey, mcpAllowedOrigins }: ServerSettings, publicUrl: string) =>
  McpRoute.layer({
    queryKey: mcpQueryKey,
    allowsOrigin: originFilter({ publicUrl, allowed: mcpAllowedOrigins, host })
  })

const routes = (settings: McpSettings, publicUrl: string) =>
  Layer.mergeAll(
    endpoint(settings, publicUrl),
    SystemRoutes.healthLayer(ApiOverHttp.ready(settings.apiUrl)),
    Layer.unwrap(
      Effect.map(RequestTurns, ({ serve }) =>
        RouterMiddleware.layer(makeRouteTable([...SystemRoutes.healthRoutes, ...McpRoute.mcpRoutes]), { inTurn: serve })
      )
    )
  )

/** The standalone server. It holds no key; each request brings one. */
export const layer = (settings: McpSettings) =>
  Layer.unwrap(
    Effect.map(HttpTransport.publicUrl(settings), (url) => HttpRouter.serve(routes(settings, url), SERVE_OPTIONS))
  ).pipe(
    Layer.provide(ApiOverHttp.layer(settings.apiUrl)),
    Layer.provide(Layer.succeed(SupportContact, Option.getOrNull(settings.supportContact))),
    Layer.provideMerge(HttpTransport.layer(settings, settings.trustedProxies))
  )
