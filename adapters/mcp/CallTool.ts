// One call of a tool: read the arguments, relay the REST call, hand its answer on. Every outcome is an answer that a model can
// read; what went wrong inside is logged and never shown.
import { Effect, Option, type Redacted, Result } from "effect"
import { ApiUnreachable, InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import type { Arguments } from "./Arguments.ts"
import { type ApiCallError, OrderingApi } from "./OrderingApi.ts"
import { fitsTokens } from "./TokenEstimate.ts"
import type { Tool } from "./Tool.ts"

/** Never fails: a refusal is an answer too. */
export type CallTool = (tool: Tool, args: Arguments, key: Redacted.Redacted<string>) => Effect.Effect<JsonResponse>

/** All that a client may take of a result. */
const MAX_TOKENS = 25_000

/** An API that is started anew is back by then, more often than not. */
const UNREACHABLE = new ApiUnreachable({ retryAfterSeconds: 5 })

/** The same arguments for a page half as long; `None` where there are no pages, or none that are shorter. */
const withHalfLimit = ({ pageSize = 1 }: Tool, { limit = pageSize, ...args }: Arguments): Option.Option<Arguments> =>
  pageSize > 1 && Number(limit) > 1 ? Option.some({ ...args, limit: Math.floor(Number(limit) / 2) }) : Option.none()

/** `requestId` is the id of the request in hand, for refusals that are not the API's. */
export const makeCallTool = Effect.fnUntraced(function* (requestId: Effect.Effect<string>) {
  const api = yield* OrderingApi

  /** Refusals of the API are counted by the API. */
  const refuse = (failure: Failure): Effect.Effect<JsonResponse> =>
    Effect.flatMap(requestId, (id) => countedErrorResponse(failure, id)).pipe(
      Effect.map(({ status, body }) => JsonResponse.fromBody(status, body))
    )

  const callApi: (...of: Parameters<CallTool>) => Effect.Effect<JsonResponse, ApiCallError> = Effect.fnUntraced(
    function* (tool, args, key) {
      const request = tool.request(args)
      if (Result.isFailure(request)) return yield* refuse(request.failure)
      const response = yield* api.call(key, request.success)
      const shorter = fitsTokens(response.text, MAX_TOKENS) ? Option.none() : withHalfLimit(tool, args)
      if (Option.isSome(shorter)) return yield* callApi(tool, shorter.value, key)
      return response.status >= 400 || tool.present === undefined
        ? response
        : JsonResponse.fromBody(response.status, tool.present(response.body))
    }
  )

  const call: CallTool = (tool, args, key) =>
    callApi(tool, args, key).pipe(
      Effect.catchTag("ApiCallError", ({ cause }) =>
        Effect.andThen(Effect.logError(`${tool.route} was not answered`, cause), refuse(UNREACHABLE))
      ),
      Effect.catchDefect((defect) =>
        Effect.andThen(Effect.logError(`The tool ${tool.name} failed on our side`, defect), refuse(new InternalError()))
      ),
      Effect.withSpan("Mcp.callTool", { attributes: { "mcp.tool": tool.name } }, { captureStackTrace: false })
    )
  return call
})
