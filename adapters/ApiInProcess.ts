// The API for tools of the same process: the very router that serves REST answers them, without a socket. So authentication,
// scope, rates, errors and every character of an answer are those of REST.
import { Effect, Layer } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Api, type ApiAnswer, type ApiRequest, ApiSilent, toHttpRequest } from "#adapters/mcp/Api.ts"

/** For whoever insists on an absolute address; nothing is dialled. */
const NOWHERE = "http://localhost"

const toAnswer = (response: HttpServerResponse.HttpServerResponse): Effect.Effect<ApiAnswer, ApiSilent> =>
  HttpServerResponse.toClientResponse(response).text.pipe(
    Effect.map((text) => ({ status: response.status, text })),
    Effect.mapError((cause) => new ApiSilent({ cause }))
  )

/** Wants the router that the API is served by, and asks it only when all its routes are there: at the first call. */
export const layer: Layer.Layer<Api, never, HttpRouter.HttpRouter> = Layer.effect(
  Api,
  Effect.map(HttpRouter.HttpRouter, (router) => {
    let served: ReturnType<typeof router.asHttpEffect> | undefined
    const call: Api["Service"]["call"] = Effect.fnUntraced(function* (key, request: ApiRequest) {
      served ??= router.asHttpEffect()
      let sent: HttpServerResponse.HttpServerResponse | undefined
      yield* HttpEffect.toHandled(served, (_request, response) =>
        Effect.sync(() => {
          sent = response
        })
      ).pipe(
        Effect.provideService(
          HttpServerRequest.HttpServerRequest,
          HttpServerRequest.fromClientRequest(toHttpRequest(NOWHERE, key, request))
        )
      )
      return sent === undefined ? yield* new ApiSilent({ cause: "The router sent nothing." }) : yield* toAnswer(sent)
    })
    return { call }
  })
)
