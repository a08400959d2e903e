// The routes of the API: one for each endpoint of its definition, which runs the operation of the endpoint's name.
import { Context, Effect, Redacted, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { misplacedKey } from "#adapters/contract/access/MisplacedKey.ts"
import { errorResponse, JsonResponse } from "../operations/JsonResponse.ts"
import { endpoints, type OperationName } from "../operations/OperationRequest.ts"
import { type Answer, RunOperation } from "../operations/RunOperation.ts"
import { toHttpResponse } from "./ErrorResponses.ts"
import { partsReader } from "./RequestParts.ts"
import { rateHeaders } from "./RequestRateLimit.ts"
import { RequestTurns } from "./RequestTurns.ts"
import { routerPath } from "./RouteTable.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Whether the client has the response with this tag: `If-None-Match` is a list of tags, or `*`. */
const hasCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim())) === true

const send = (request: Request, { response, rate }: Answer): HttpServerResponse.HttpServerResponse => {
  const rates = rate === undefined ? {} : rateHeaders(rate)
  if (!(response instanceof JsonResponse)) {
    const { status, content, contentType, fileName } = response
    const headers = { ...rates, "content-disposition": `attachment; filename="${fileName}"` }
    const options = { status, contentType, headers }
    return content instanceof Uint8Array
      ? HttpServerResponse.uint8Array(content, options)
      : HttpServerResponse.stream(Stream.encodeText(content), options)
  }
  const headers = rate === undefined ? response.headers : { ...response.headers, ...rates }
  const etag = headers?.["etag"]
  return etag !== undefined && hasCurrent(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : toHttpResponse(response, headers)
}

const routeOf = (name: OperationName, run: RunOperation["Service"], { credentialOf }: RequestTurns["Service"]) => {
  const endpoint = endpoints[name]
  const read = partsReader(endpoint)
  const call = run[name]
  const handler = Effect.contextWith(
    (
      context: Context.Context<
        HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext
      >
    ) => {
      const request = Context.get(context, HttpServerRequest.HttpServerRequest)
      const credential = credentialOf(request.headers["authorization"])
      const misplaced = Redacted.value(credential) === "" ? misplacedKey(request) : undefined
      if (misplaced !== undefined)
        return Effect.map(errorResponse(misplaced), (response) => send(request, { response, rate: undefined }))
      const { params } = Context.get(context, HttpRouter.RouteContext)
      const parts = read(request, { params, query: Context.get(context, HttpServerRequest.ParsedSearchParams) })
      const idempotencyKey = request.headers["idempotency-key"]
      return Effect.map(
        call({
          credential,
          idempotencyKey,
          parts
        }),
        (answer) => send(request, answer)
      )
    }
  )
  return HttpRouter.route(endpoint.method, routerPath(endpoint), handler)
}

export const layer = HttpRouter.use((router) =>
  Effect.flatMap(Effect.all([RunOperation, RequestTurns]), ([run, turns]) =>
    // The keys of a record are its names, which the type of `Object.keys` does not say.
    router.addAll(Object.keys(endpoints).map((name) => routeOf(name as OperationName, run, turns)))
  )
)
