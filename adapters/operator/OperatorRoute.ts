// Serves the operator plane at one route, behind its gate. Refusals of the gate are the error envelope of REST; what a call
// itself answers or fails with goes by the protocol.
import { Effect, Layer, type Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import * as AccountHandlers from "./handlers/AccountHandlers.ts"
import * as GoodsHandlers from "./handlers/CatalogueHandlers.ts"
import * as WorkHandlers from "./handlers/FulfilmentHandlers.ts"
import * as WatchHandlers from "./handlers/MonitoringHandlers.ts"
import * as Duty from "./OperatorMiddleware.ts"
import { OPERATOR_PATH, OperatorRpcs } from "./OperatorRpcs.ts"
import { type ReadBody, requestChecks } from "./RequestChecks.ts"

export interface OperatorOptions {
  readonly token: Redacted.Redacted<string>
  /** The id of the request in hand. */
  readonly requestId: Effect.Effect<string>
  readonly readBody: ReadBody
}

/** For a table of what is served. */
export const operatorRoutes = [{ method: "POST", path: OPERATOR_PATH }] as const

const handlers = Layer.mergeAll(AccountHandlers.layer, GoodsHandlers.layer, WatchHandlers.layer, WorkHandlers.layer)

/** Wants the use cases, and the router that it is served by. */
export const layer = ({ token, requestId, readBody }: OperatorOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const serve = yield* RpcServer.toHttpEffect(OperatorRpcs)
      const admit = requestChecks(token, readBody)

      const refuse = (failure: Failure) =>
        Effect.flatMap(requestId, (id) => countedErrorResponse(failure, id)).pipe(
          Effect.map(({ status, body, headers }) => HttpServerResponse.jsonUnsafe(body, { status, headers }))
        )

      const handle = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.matchEffect(admit(request), { onFailure: refuse, onSuccess: () => serve })
      )
      yield* router.add("POST", OPERATOR_PATH, handle)
    })
  ).pipe(Layer.provide(handlers), Layer.provide(Duty.layer(requestId)), Layer.provide(RpcSerialization.layerNdjson))
