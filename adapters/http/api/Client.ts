// The typed client, made from the API definition, for the tests and the bench.
import { Effect, type Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Access } from "./Access.ts"
import { Api } from "./Api.ts"

export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted<string>
}

/** A client for several callers, because making one costs milliseconds: `apiKey` is read for each call. */
export const makeSharedClient = (baseUrl: string, apiKey: Effect.Effect<Redacted.Redacted<string>>) =>
  HttpApiClient.make(Api, { baseUrl }).pipe(
    Effect.provide(
      HttpApiMiddleware.layerClient(Access, ({ request, next }) =>
        Effect.flatMap(apiKey, (key) => next(HttpClientRequest.bearerToken(request, key)))
      )
    )
  )

/** Sends the key as a bearer token on every call. A refusal fails with the error body. */
export const makeClient = ({ baseUrl, apiKey }: ClientOptions) => makeSharedClient(baseUrl, Effect.succeed(apiKey))

export type ApiClient = Effect.Success<ReturnType<typeof makeClient>>
