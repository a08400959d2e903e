// The API for tools of the same process: the very router that serves REST answers them, without a socket. So authentication,
// scope, rates, errors and every character of an answer are those of REST.
import { Effect, Layer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { OrderingApi, type ApiResponse, type ApiRequest, toHttpRequest } from "./OrderingApi.ts"

/** For whoever insists on an absolute address; nothing is dialled. */
const NOWHERE = "http://localhost"

const toAnswer = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<ApiResponse> =>
  HttpServerResponse.toClientResponse(response).text.pipe(
    Effect.map((text) => ({ status: response.status, text })),
    // Here nothing lies between us and the API: no answer of its own is our bug.
    Effect.orDie
  )

/** Wants the router that the API is served by, and asks it only when all its routes are there: at the first call. */
export const layer: Layer.Layer<OrderingApi, never, HttpRouter.HttpRouter> = Layer.effect(
  OrderingApi,
  Effect.map(HttpRouter.HttpRouter, (router) => {
    const answers = new WeakMap<HttpServerRequest.HttpServerRequest, HttpServerResponse.HttpServerResponse>()
    const note = (request: HttpServerRequest.HttpServerRequest, response: HttpServerResponse.HttpServerResponse) =>
      Effect.sync(() => void answers.set(request, response))
    // Made once: what it is made of is not cheap, and the runtime knows it again only if it is the same.
    const handling = () => HttpEffect.toHandled(router.asHttpEffect(), note)
    let handled: ReturnType<typeof handling> | undefined
    const call: OrderingApi["Service"]["call"] = Effect.fnUntraced(function* (key, request: ApiRequest) {
      handled ??= handling()
      const asked = HttpServerRequest.fromClientRequest(toHttpRequest(NOWHERE, key, request))
      yield* Effect.provideService(handled, HttpServerRequest.HttpServerRequest, asked)
      const sent = answers.get(asked)
      return sent === undefined ? yield* Effect.die("The router sent nothing.") : yield* toAnswer(sent)
    })
    return { call }
  })
)
