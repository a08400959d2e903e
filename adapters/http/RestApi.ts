// Puts the REST side together: the API behind its gate and intake, the system routes, and the envelope around everything the
// router serves. Handlers, authentication and other planes come from outside.
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "./api/Api.ts"
import * as Envelope from "./Envelope.ts"
import * as Gate from "./Gate.ts"
import * as Intake from "./Intake.ts"
import type { Rates } from "./RateGate.ts"
import { apiRoutes, makeRouteTable, type ServedRoute } from "./RouteTable.ts"
import * as SystemRoutes from "./SystemRoutes.ts"

export interface RestOptions extends SystemRoutes.SystemOptions {
  readonly rates: Rates
  /** Routes that others add to the same router, so that a wrong method on them is 405 and not 404. */
  readonly otherRoutes?: ReadonlyArray<ServedRoute>
}

/** Wants the handlers of every group, and `Authenticate`. Serve it with `ROUTER_CONFIG`. */
export const layer = ({ rates, otherRoutes = [], ...system }: RestOptions) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api),
    SystemRoutes.layer(system),
    Envelope.layer(makeRouteTable([...apiRoutes, ...SystemRoutes.systemRoutes, ...otherRoutes]))
  )

/** What every group's handlers have to be provided with. */
export const middleware = (rates: Rates) => Layer.mergeAll(Gate.layer(rates), Intake.layer)
