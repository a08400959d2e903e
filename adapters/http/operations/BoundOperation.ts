// Runs an operation whose call an idempotency key binds: once, and answered alike however often it is sent.
import { Effect, Metric, Record } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import type { BindCalls, CallAnswer } from "#core/usecases/access/BindCalls.ts"
import { replays } from "../server/Metrics.ts"
import { JsonResponse } from "./JsonResponse.ts"

const REPLAYED = { "idempotent-replayed": "true" }

/** The member of an answer that is shown once: a replay omits it once it is not kept any more. */
export const SECRET = "secret"

const answerOf = (response: JsonResponse): CallAnswer => {
  const { status, text, body } = response
  const withoutSecret = SECRET in body ? JSON.stringify(Record.remove(body, SECRET)) : null
  return { status, body: text, withoutSecret }
}

/** Decoded input is what strict JSON held. */
const jsonOf = (input: unknown): Json => (input ?? {}) as Json

export const boundOperation =
  (once: BindCalls["Service"]["once"], { method, path }: HttpApiEndpoint.Top) =>
  (
    {
      caller,
      input,
      idempotencyKey
    }: {
      readonly caller: Caller
      readonly input: Readonly<Record<string, unknown>>
      readonly idempotencyKey: string
    },
    respond: (origin: CallOrigin) => Effect.Effect<JsonResponse, Failure>
  ): Effect.Effect<JsonResponse, Failure> =>
    once(
      {
        ...{ caller, idempotencyKey },
        call: `${method} ${path} ${canonicalJson(jsonOf(input["params"]))}`,
        body: jsonOf(input["payload"])
      },
      (origin) => Effect.map(respond(origin), answerOf)
    ).pipe(
      Effect.tap(({ replayed }) => (replayed ? Metric.update(replays, 1) : Effect.void)),
      Effect.map(
        ({ answer: { status, body }, replayed }) =>
          new JsonResponse({ status, text: body, headers: replayed ? REPLAYED : {} })
      )
    )
