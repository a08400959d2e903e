// The API for an MCP server that runs alone: one configured address, asked over HTTP with the caller's key. Redirects are not
// followed, so the key goes nowhere else.
import { NodeHttpClient } from "@effect/platform-node"
import { Duration, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { Api, ApiSilent, toHttpRequest } from "#adapters/mcp/Api.ts"

/** Longer than the API takes for anything. */
const ANSWER_WITHIN = Duration.seconds(30)

/** `apiUrl` is an origin. */
export const layer = (apiUrl: string): Layer.Layer<Api> =>
  Layer.effect(
    Api,
    Effect.map(HttpClient.HttpClient, (client) => ({
      call: (key, request) =>
        client.execute(toHttpRequest(apiUrl, key, request)).pipe(
          Effect.flatMap(({ status, text }) => Effect.map(text, (text) => ({ status, text }))),
          Effect.timeout(ANSWER_WITHIN),
          Effect.mapError((cause) => new ApiSilent({ cause }))
        )
    }))
  ).pipe(Layer.provide(NodeHttpClient.layerUndici))
