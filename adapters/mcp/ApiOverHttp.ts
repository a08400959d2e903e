// The API for a standalone MCP server: one configured address, called over HTTP with the caller's key. Redirects are not followed,
// so the key is sent nowhere else.
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpBody, HttpClient, HttpClientRequest, UrlParams } from "effect/http"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { errorResponse, JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { endpoints, headersOf, type OperationRequest, paramsOf } from "#adapters/http/operations/OperationRequest.ts"
import { InvalidApiKey } from "#core/domain/access/AccessRefusal.ts"
import { isKeyText } from "#core/domain/access/ApiKeyFormat.ts"
import { ApiCallError, OrderingApi } from "./OrderingApi.ts"

/** Longer than any call of the API takes. */
const RESPONSE_TIMEOUT = Duration.seconds(30)

const parseBody = Schema.decodeOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const isSuccess = Schema.is(Schema.Struct({ ok: Schema.Literal(true) }))
const isError = Schema.is(ErrorBody)

/** Anything that the API would never send, such as the page of a proxy in front of it, is a failure. */
const toResponse = (status: number, text: string): Effect.Effect<JsonResponse, string> => {
  const parsed = Option.getOrUndefined(parseBody(text))
  return parsed !== undefined && (status >= 400 ? isError : isSuccess)(parsed)
    ? Effect.succeed(new JsonResponse({ status, text, parsed }))
    : Effect.fail(`The response has status ${status} and no body of the API.`)
}

const send = (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) =>
  client
    .execute(request)
    .pipe(Effect.flatMap(({ status, text }) => Effect.flatMap(text, (text) => toResponse(status, text))))

/** `apiUrl` is the API's origin. */
export const toHttpRequest = (
  apiUrl: string,
  key: Redacted.Redacted,
  request: OperationRequest
): HttpClientRequest.HttpClientRequest => {
  const { operation, query, payload } = request
  const params = paramsOf(request)
  const { method, path } = endpoints[operation]
  const search = UrlParams.toString(UrlParams.fromInput(query))
  return HttpClientRequest.make(method)(
    `${apiUrl}${path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""))}${search === "" ? "" : `?${search}`}`,
    {
      headers: headersOf(request),
      ...(payload === undefined ? {} : { body: HttpBody.jsonUnsafe(payload) })
    }
  ).pipe(HttpClientRequest.bearerToken(key))
}

/** Succeeds when the API at this origin reports that it can take orders. */
export const ready = (apiUrl: string) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => send(client, HttpClientRequest.get(`${apiUrl}/readyz`))).pipe(
    Effect.filterOrFail(({ status }) => status === 200),
    Effect.provide(NodeHttpClient.layerUndici)
  )

/** `apiUrl` is an origin. */
export const layer = (apiUrl: string): Layer.Layer<OrderingApi> =>
  Layer.effect(
    OrderingApi,
    Effect.map(HttpClient.HttpClient, (client) => ({
      call: (key, request, resource) =>
        // The API would take a token of the whole service, whatever it is asked for here.
        resource !== "service" && !isKeyText(Redacted.value(key))
          ? errorResponse(new InvalidApiKey())
          : send(client, toHttpRequest(apiUrl, key, request)).pipe(
              Effect.timeout(RESPONSE_TIMEOUT),
              Effect.mapError((cause) => new ApiCallError({ cause }))
            )
    }))
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
