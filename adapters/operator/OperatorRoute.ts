// Serves the operator plane: all calls at one route, and the backup at another. A request that fails its checks gets the error body of REST; a call's own result or
// error is a message of the RPC protocol.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { makeBackupResponse } from "./BackupResponse.ts"
import * as AccountHandlers from "./handlers/AccountHandlers.ts"
import * as CatalogueHandlers from "./handlers/CatalogueHandlers.ts"
import * as FulfilmentHandlers from "./handlers/FulfilmentHandlers.ts"
import * as InvoiceHandlers from "./handlers/InvoiceHandlers.ts"
import * as MonitoringHandlers from "./handlers/MonitoringHandlers.ts"
import * as ReviewerHandlers from "./handlers/ReviewerHandlers.ts"
import * as OperatorMiddleware from "./OperatorMiddleware.ts"
import { BACKUP_PATH, OPERATOR_PATH, OperatorRpcs } from "./OperatorRpcs.ts"
import { makeIdentifyOperator, type OperatorToken } from "./OperatorTokens.ts"
import { makeAuthenticate, type ReadBody, requestChecks } from "./RequestChecks.ts"
import { makeTokenFailures } from "./TokenFailures.ts"

export interface OperatorOptions {
  readonly tokens: ReadonlyArray<OperatorToken>
  /** Reads the id of the current request. */
  readonly requestId: Effect.Effect<string>
  readonly readBody: ReadBody
}

/** For the route table of the HTTP server. */
export const operatorRoutes = [
  { method: "POST", path: OPERATOR_PATH },
  { method: "POST", path: BACKUP_PATH }
] as const

const handlers = Layer.mergeAll(
  AccountHandlers.layer,
  CatalogueHandlers.layer,
  MonitoringHandlers.layer,
  FulfilmentHandlers.layer,
  InvoiceHandlers.layer,
  ReviewerHandlers.layer
)

/** Requires the use cases and the router. */
export const layer = ({ tokens, requestId, readBody }: OperatorOptions) => {
  const identify = makeIdentifyOperator(tokens)
  return Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const serve = yield* RpcServer.toHttpEffect(OperatorRpcs)
      const authenticate = makeAuthenticate(identify, makeTokenFailures())
      const check = requestChecks(authenticate, readBody)
      const backup = yield* makeBackupResponse(authenticate)

      const refuse = (failure: Failure) =>
        Effect.flatMap(requestId, (id) => countedErrorResponse(failure, id)).pipe(
          Effect.map(({ status, body, headers }) => HttpServerResponse.jsonUnsafe(body, { status, headers }))
        )

      const handle = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.matchEffect(check(request), { onFailure: refuse, onSuccess: () => serve })
      )
      yield* router.add("POST", OPERATOR_PATH, handle)
      yield* router.add("POST", BACKUP_PATH, Effect.catch(backup, refuse))
    })
  ).pipe(
    Layer.provide(handlers),
    Layer.provide(OperatorMiddleware.layer(identify, requestId)),
    Layer.provide(RpcSerialization.layerNdjson)
  )
}
