// The REST side: the API's routes, system routes, and the router-wide middleware over everything that is served.
import { Effect, Layer } from "effect"
import { RequestTurns } from "./RequestTurns.ts"
import * as RestRoutes from "./RestRoutes.ts"
import * as RouterMiddleware from "./RouterMiddleware.ts"
import { apiRoutes, makeRouteTable, type ServedRoute } from "./RouteTable.ts"
import * as SystemRoutes from "./SystemRoutes.ts"

export interface RestOptions
  extends SystemRoutes.SystemOptions,
    Pick<RouterMiddleware.MiddlewareOptions, "authorizationAt" | "pageOf"> {
  /** Further routes of the same router, so that a wrong method on them is 405 and not 404. */
  readonly otherRoutes?: ReadonlyArray<ServedRoute>
}

/** Serve it with `SERVE_OPTIONS`. */
export const layer = ({ otherRoutes = [], authorizationAt, pageOf, ...system }: RestOptions) =>
  Layer.mergeAll(
    RestRoutes.layer,
    SystemRoutes.layer(system),
    Layer.unwrap(
      Effect.map(RequestTurns, ({ serve }) =>
        RouterMiddleware.layer(makeRouteTable([...apiRoutes, ...SystemRoutes.systemRoutes, ...otherRoutes]), {
          inTurn: serve,
          ...(authorizationAt === undefined ? {} : { authorizationAt }),
          ...(pageOf === undefined ? {} : { pageOf })
        })
      )
    )
  )
