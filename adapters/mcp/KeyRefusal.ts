// Whether the API refuses a key, for what is answered without a call of the API: a bad key is told before any other fault.
import { Effect, Option, type Redacted } from "effect"
import type { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { OrderingApi } from "./OrderingApi.ts"
import type { Surface } from "./Surface.ts"

/** The API's 401; `None` for a good key. An API that does not answer refuses nothing. */
export const makeKeyRefusal = ({ resource }: Pick<Surface, "resource">) =>
  Effect.map(
    OrderingApi,
    (api) =>
      (key: Redacted.Redacted<string>): Effect.Effect<Option.Option<JsonResponse>> =>
        Effect.map(
          Effect.option(api.call(key, { operation: "getBalance", query: {} }, resource)),
          Option.filter(({ status }) => status === 401)
        )
  )
