// Serves the operator plane at one route. A request that fails its checks gets the error body of REST; a call's own result or
// error is a message of the RPC protocol.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import * as AccountHandlers from "./handlers/AccountHandlers.ts"
import * as CatalogueHandlers from "./handlers/CatalogueHandlers.ts"
import * as FulfilmentHandlers from "./handlers/FulfilmentHandlers.ts"
import * as MonitoringHandlers from "./handlers/MonitoringHandlers.ts"
import * as OperatorMiddleware from "./OperatorMiddleware.ts"
import { OPERATOR_PATH, OperatorRpcs } from "./OperatorRpcs.ts"
import { makeIdentifyOperator, type OperatorToken } from "./OperatorTokens.ts"
import { type ReadBody, requestChecks } from "./RequestChecks.ts"
import { makeTokenFailures } from "./TokenFailures.ts"

export interface OperatorOptions {
  readonly tokens: ReadonlyArray<OperatorToken>
  /** Reads the id of the current request. */
  readonly requestId: Effect.Effect<string>
  readonly readBody: ReadBody
}

/** For the route table of the HTTP server. */
export const operatorRoutes = [{ method: "POST", path: OPERATOR_PATH }] as const

const handlers = Layer.mergeAll(
  AccountHandlers.layer,
  CatalogueHandlers.layer,
  MonitoringHandlers.layer,
  FulfilmentHandlers.layer
)

/** Requires the use cases and the router. */
export const layer = ({ tokens, requestId, readBody }: OperatorOptions) => {
  const identify = makeIdentifyOperator(tokens)
  return Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const serve = yield* RpcServer.toHttpEffect(OperatorRpcs)
      const check = requestChecks(identify, makeTokenFailures(), readBody)

      const refuse = (failure: Failure) =>
        Effect.flatMap(requestId, (id) => countedErrorResponse(failure, id)).pipe(
          Effect.map(({ status, body, headers }) => HttpServerResponse.jsonUnsafe(body, { status, headers }))
        )

      const handle = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.matchEffect(check(request), { onFailure: refuse, onSuccess: () => serve })
      )
      yield* router.add("POST", OPERATOR_PATH, handle)
    })
  ).pipe(
    Layer.provide(handlers),
    Layer.provide(OperatorMiddleware.layer(identify, requestId)),
    Layer.provide(RpcSerialization.layerNdjson)
  )
}
