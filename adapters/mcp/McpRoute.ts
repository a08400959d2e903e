// POST /mcp: origin, key, body, then the protocol. Refusals before the protocol is reached are the error envelope of the API.
// The span of a request is made here, because the server's own would carry the URL, which may hold a key.
import { Effect, Layer, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { OriginNotAllowed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { callerKey } from "./CallerKey.ts"
import { makeCallTool } from "./CallTool.ts"
import { parseErrorResponse } from "./JsonRpcErrors.ts"
import type { OrderingApi } from "./OrderingApi.ts"
import { type McpResponse, makeStreamableHttp } from "./StreamableHttp.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface McpOptions {
  /** Whether `?key=` is looked at. */
  readonly queryKey: boolean
  /** Whether a page of this origin may call. */
  readonly allowsOrigin: (origin: string) => boolean
  /** Reads a JSON body as strictly as the API does. */
  readonly readJson: (request: Request) => Effect.Effect<unknown, Failure>
  /** The id of the request in hand. */
  readonly requestId: Effect.Effect<string>
}

/** For a table of what is served. */
export const mcpRoutes = [
  { method: "POST", path: "/mcp" },
  { method: "OPTIONS", path: "/mcp" }
] as const

const failureResponse = (failure: Failure, requestId: McpOptions["requestId"]): Effect.Effect<Response> =>
  Effect.flatMap(requestId, (id) => countedErrorResponse(failure, id)).pipe(
    Effect.map(({ status, body, headers }) => {
      const shown = failure._tag === "InvalidJson" ? parseErrorResponse(body) : body
      return HttpServerResponse.jsonUnsafe(shown, { status, headers })
    })
  )

const toHttpResponse = ({ status, contentType, body }: McpResponse): Response =>
  body === "" ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })

/** What a page may read and send, once its origin is allowed. */
const CORS = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name",
  "access-control-expose-headers": "request-id, www-authenticate",
  "access-control-max-age": "3600"
}

/** Programs send no Origin; pages must come from an allowed one and are then told that they may read the answer. */
const withOriginCheck = (allows: McpOptions["allowsOrigin"], requestId: McpOptions["requestId"]) => {
  const refused = failureResponse(new OriginNotAllowed(), requestId)
  return (handle: (request: Request) => Effect.Effect<Response>) => (request: Request) => {
    const { origin } = request.headers
    if (origin === undefined) return handle(request)
    if (!allows(origin)) return refused
    const headers = { ...CORS, "access-control-allow-origin": origin, vary: "origin" }
    return Effect.map(handle(request), HttpServerResponse.setHeaders(headers))
  }
}

const makeHandler = Effect.fnUntraced(function* ({ queryKey, readJson, requestId }: McpOptions) {
  const callTool = yield* makeCallTool(requestId)
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const exchange = makeStreamableHttp((error) => log(Effect.logDebug("The MCP SDK refused a message", error.message)))

  const serve = Effect.fnUntraced(function* (request: Request) {
    const { headers, url } = request
    const { authorization } = headers
    const key = yield* Effect.fromResult(callerKey({ authorization, url }, queryKey))
    const message = yield* readJson(request)
    const id = yield* requestId
    const context = yield* Effect.context<never>()
    const run = Effect.runPromiseWith(context)
    const explain = (failure: Failure): ErrorBody => Effect.runSyncWith(context)(countedErrorResponse(failure, id)).body
    const answered = yield* Effect.promise((signal) =>
      exchange(
        { headers, message },
        {
          // A caller who goes away takes the call along; within one exchange, nobody else can take it back.
          call: (tool, args) => run(callTool(tool, args, key), { signal }),
          explain
        }
      )
    )
    return toHttpResponse(answered)
  })

  return (request: Request): Effect.Effect<Response> =>
    serve(request).pipe(
      Effect.catch((failure) => failureResponse(failure, requestId)),
      Effect.withSpan(
        "POST /mcp",
        { kind: "server", parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(request.headers)) },
        { captureStackTrace: false }
      )
    )
})

export const layer = (options: McpOptions): Layer.Layer<never, never, HttpRouter.HttpRouter | OrderingApi> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const guarded = withOriginCheck(options.allowsOrigin, options.requestId)
      yield* router.add("POST", "/mcp", guarded(yield* makeHandler(options)))
      yield* router.add(
        "OPTIONS",
        "/mcp",
        guarded(() => Effect.succeed(HttpServerResponse.empty({ status: 204 })))
      )
    })
  )
