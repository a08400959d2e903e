// Calls an operation in process, without an HTTP request: the checks of REST in the same order, and the same response.
import { Effect, type Redacted } from "effect"
import { TurnWait } from "#adapters/concurrency/AnswerInTime.ts"
import { RouteNotFound } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import { RequestTurns } from "../server/RequestTurns.ts"
import { ROUTER_CONFIG } from "../server/RouteTable.ts"
import { errorResponse, JsonResponse } from "./JsonResponse.ts"
import { headersOf, type OperationRequest, paramsOf } from "./OperationRequest.ts"
import { RunOperation } from "./RunOperation.ts"

/** Calls any operation by its name. */
export const makeCallOperation = Effect.map(
  Effect.all([RunOperation, RequestTurns]),
  ([run, turns]) =>
    (credential: Redacted.Redacted, request: OperationRequest, resource: Resource): Effect.Effect<JsonResponse> => {
      const { operation, query, payload, idempotencyKey } = request
      const params = paramsOf(request)
      // Over REST such an id matches no route, which is checked before the key.
      if (Object.values(params).some((id = "") => id.length > ROUTER_CONFIG.maxParamLength))
        return errorResponse(new RouteNotFound())
      const parts = { params, headers: headersOf(request), query, payload }
      return Effect.suspend(() => {
        const askedAtMs = performance.now()
        // Its own turn comes after that of the request that it is part of.
        const answer = Effect.flatMap(TurnWait, (beforeMs) =>
          Effect.provideService(
            run[operation]({ credential, resource, idempotencyKey, parts }),
            TurnWait,
            beforeMs + performance.now() - askedAtMs
          )
        )
        const asJson = Effect.flatMap(answer, ({ response }) =>
          response instanceof JsonResponse ? Effect.succeed(response) : Effect.die(`${operation} responds with bytes.`)
        )
        return turns.call(credential, operation, asJson)
      })
    }
)
