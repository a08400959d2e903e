// The REST side: API definition, system routes, and the router-wide middleware over everything that is served.
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Authentication from "./Authentication.ts"
import { Api } from "./api/Api.ts"
import { Authorization } from "./operations/Authorization.ts"
import type { Rates } from "./RequestRateLimit.ts"
import * as RequestValidation from "./RequestValidation.ts"
import * as RouterMiddleware from "./RouterMiddleware.ts"
import { apiRoutes, makeRouteTable, type ServedRoute } from "./RouteTable.ts"
import * as SystemRoutes from "./SystemRoutes.ts"

export interface RestOptions extends SystemRoutes.SystemOptions {
  readonly rates: Rates
  /** Further routes of the same router, so that a wrong method on them is 405 and not 404. */
  readonly otherRoutes?: ReadonlyArray<ServedRoute>
}

/** Requires the handlers of every group. Serve it with `SERVE_OPTIONS`. */
export const layer = ({ rates, otherRoutes = [], ...system }: RestOptions) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api),
    SystemRoutes.layer(system),
    RouterMiddleware.layer(makeRouteTable([...apiRoutes, ...SystemRoutes.systemRoutes, ...otherRoutes]))
  )

/** The middleware of every group, and its `Authorization`, which operations called in process use as well. */
export const middleware = (rates: Rates) =>
  Layer.mergeAll(Authentication.layer, RequestValidation.layer).pipe(Layer.provideMerge(Authorization.layer(rates)))
