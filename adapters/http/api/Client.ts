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

/** Sends the key as a bearer token on every call. A refusal fails with the error body. */
export const makeClient = ({ baseUrl, apiKey }: ClientOptions) =>
  HttpApiClient.make(Api, { baseUrl }).pipe(
    Effect.provide(
      HttpApiMiddleware.layerClient(Access, ({ request, next }) => next(HttpClientRequest.bearerToken(request, apiKey)))
    )
  )

export type ApiClient = Effect.Success<ReturnType<typeof makeClient>>
