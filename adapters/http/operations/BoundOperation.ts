// Runs an operation whose call an idempotency key binds: once, and answered alike however often it is sent.
import { Effect, Metric, Record } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { omitDefaults } from "#adapters/contract/schema/OptionalMembers.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import type { BindCalls, CallAnswer } from "#core/usecases/access/BindCalls.ts"
import { replays } from "../server/Metrics.ts"
import { JsonResponse, REPLAYED } from "./JsonResponse.ts"
import { payloadOf } from "./OperationRequest.ts"

/** The member of an answer that is shown once: a replay omits it once it is not kept any more. */
export const SECRET = "secret"

const answerOf = (response: JsonResponse): CallAnswer => {
  const { status, text, body } = response
  const withoutSecret = SECRET in body ? JSON.stringify(Record.remove(body, SECRET)) : null
  return { status, body: text, withoutSecret }
}

/** Decoded input is what strict JSON held. */
const jsonOf = (input: unknown): Json => (input ?? {}) as Json

const NONE: ReadonlySet<string> = new Set()

/** A body without what has its default, so that a later version of the schema, with more defaults, has the same of it. */
const canonicalBody = (endpoint: HttpApiEndpoint.Top): ((payload: unknown) => Json) => {
  const schema = payloadOf(endpoint)
  const spell = schema === undefined ? jsonOf : omitDefaults(schema, NONE)
  return (payload) => jsonOf(spell(payload))
}

export const boundOperation = (once: BindCalls["Service"]["once"], endpoint: HttpApiEndpoint.Top) => {
  const { method, path } = endpoint
  const bodyOf = canonicalBody(endpoint)
  return (
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
        body: bodyOf(input["payload"])
      },
      (origin) => Effect.map(respond(origin), answerOf)
    ).pipe(
      Effect.tap(({ replayed }) => (replayed ? Metric.update(replays, 1) : Effect.void)),
      Effect.map(
        ({ answer: { status, body }, replayed }) =>
          new JsonResponse({ status, text: body, headers: replayed ? REPLAYED : {} })
      )
    )
}
