// The REST side: the API's routes, system routes, and the router-wide middleware over everything that is served.
import { Layer } from "effect"
import * as RestRoutes from "./RestRoutes.ts"
import * as RouterMiddleware from "./RouterMiddleware.ts"
import { apiRoutes, makeRouteTable, type ServedRoute } from "./RouteTable.ts"
import * as SystemRoutes from "./SystemRoutes.ts"

export interface RestOptions extends SystemRoutes.SystemOptions {
  /** Further routes of the same router, so that a wrong method on them is 405 and not 404. */
  readonly otherRoutes?: ReadonlyArray<ServedRoute>
}

/** Serve it with `SERVE_OPTIONS`. */
export const layer = ({ otherRoutes = [], ...system }: RestOptions) =>
  Layer.mergeAll(
    RestRoutes.layer,
    SystemRoutes.layer(system),
    RouterMiddleware.layer(makeRouteTable([...apiRoutes, ...SystemRoutes.systemRoutes, ...otherRoutes]))
  )
