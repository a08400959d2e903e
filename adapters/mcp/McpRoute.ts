// POST /mcp: checks origin, key and body, then handles the protocol. Errors before the protocol have the API's error body.
// The span is made here, because the HTTP server's own would carry the URL, which may contain a key.
import { Effect, Layer, Option } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { OriginNotAllowed } from "#adapters/contract/errors/AdapterFailure.ts"
import type { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { readJsonBody } from "#adapters/http/RequestBody.ts"
import { CurrentRequestId } from "#adapters/http/RequestId.ts"
import { callerKey } from "./CallerKey.ts"
import { makeCallTool } from "./CallTool.ts"
import { parseErrorResponse } from "./JsonRpcErrors.ts"
import type { OrderingApi } from "./OrderingApi.ts"
import { type McpResponse, makeStreamableHttp } from "./StreamableHttp.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface McpOptions {
  /** Whether `?key=` is read. */
  readonly queryKey: boolean
  /** Whether a page of this origin may call. */
  readonly allowsOrigin: (origin: string) => boolean
}

/** For the server's route table. */
export const mcpRoutes = [
  { method: "POST", path: "/mcp" },
  { method: "OPTIONS", path: "/mcp" }
] as const

const errorOf = (failure: Failure) => Effect.flatMap(CurrentRequestId, (id) => countedErrorResponse(failure, id))

const failureResponse = (failure: Failure): Effect.Effect<Response> =>
  Effect.map(errorOf(failure), ({ status, body, headers }) => {
    const shown = failure._tag === "InvalidJson" ? parseErrorResponse(body) : body
    return HttpServerResponse.jsonUnsafe(shown, { status, headers })
  })

const toHttpResponse = ({ status, contentType, body }: McpResponse): Response =>
  body === "" ? HttpServerResponse.empty({ status }) : HttpServerResponse.text(body, { status, contentType })

/** What a page of an allowed origin may send and read. */
const CORS = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name",
  "access-control-expose-headers": "request-id, www-authenticate",
  "access-control-max-age": "3600"
}

/** Programs send no Origin header. Pages must have an allowed one, and may then read the response. */
const withOriginCheck = (allows: McpOptions["allowsOrigin"]) => {
  const refused = failureResponse(new OriginNotAllowed())
  return (handle: (request: Request) => Effect.Effect<Response>) => (request: Request) => {
    const { origin } = request.headers
    if (origin === undefined) return handle(request)
    if (!allows(origin)) return refused
    const headers = { ...CORS, "access-control-allow-origin": origin, vary: "origin" }
    return Effect.map(handle(request), HttpServerResponse.setHeaders(headers))
  }
}

const makeHandler = Effect.fnUntraced(function* ({ queryKey }: McpOptions) {
  const callTool = yield* makeCallTool
  const log = Effect.runForkWith(yield* Effect.context<never>())
  const handle = makeStreamableHttp((error) => log(Effect.logDebug("The MCP SDK refused a message", error.message)))

  const serve = Effect.fnUntraced(function* (request: Request) {
    const { headers, url } = request
    const { authorization } = headers
    const key = yield* Effect.fromResult(callerKey({ authorization, url }, queryKey))
    const message = yield* readJsonBody(request)
    const context = yield* Effect.context<never>()
    const run = Effect.runPromiseWith(context)
    const explain = (failure: Failure): ErrorBody => Effect.runSyncWith(context)(errorOf(failure)).body
    const response = yield* Effect.promise((signal) =>
      // A client that disconnects interrupts its call; a stateless server receives no other cancellation.
      handle({ headers, message }, { call: (tool, args) => run(callTool(tool, args, key), { signal }), explain })
    )
    return toHttpResponse(response)
  })

  return (request: Request): Effect.Effect<Response> =>
    serve(request).pipe(
      Effect.catch(failureResponse),
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
      const guarded = withOriginCheck(options.allowsOrigin)
      yield* router.add("POST", "/mcp", guarded(yield* makeHandler(options)))
      yield* router.add(
        "OPTIONS",
        "/mcp",
        guarded(() => Effect.succeed(HttpServerResponse.empty({ status: 204 })))
      )
    })
  )
