// The API for an MCP server that runs alone: one configured address, asked over HTTP with the caller's key. Redirects are not
// followed, so the key goes nowhere else.
import { NodeHttpClient } from "@effect/platform-node"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { OrderingApi, type ApiResponse, ApiCallError, toHttpRequest } from "./OrderingApi.ts"

/** Longer than the API takes for anything. */
const RESPONSE_TIMEOUT = Duration.seconds(30)

const Success = Schema.fromJsonString(Schema.Struct({ ok: Schema.Literal(true) }))
const isSuccess = (text: string): boolean => Option.isSome(Schema.decodeOption(Success)(text))
const isRefusal = (text: string): boolean => Option.isSome(Schema.decodeOption(Schema.fromJsonString(ErrorBody))(text))

/** What the API would never say, such as the page of a proxy in front of it, is no answer. */
const checked = (answer: ApiResponse): Effect.Effect<ApiResponse, string> =>
  (answer.status >= 400 ? isRefusal : isSuccess)(answer.text)
    ? Effect.succeed(answer)
    : Effect.fail(`It was answered with status ${answer.status} and no body of the API.`)

const send = (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) =>
  client.execute(request).pipe(
    Effect.flatMap(({ status, text }) => Effect.map(text, (text) => ({ status, text }))),
    Effect.flatMap(checked)
  )

/** Succeeds when the API at this origin says that it can take orders. */
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
      call: (key, request) =>
        send(client, toHttpRequest(apiUrl, key, request)).pipe(
          Effect.timeout(RESPONSE_TIMEOUT),
          Effect.mapError((cause) => new ApiCallError({ cause }))
        )
    }))
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
