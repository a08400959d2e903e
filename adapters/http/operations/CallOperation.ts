// Calls an operation in process, without an HTTP request: the checks of REST in the same order, and the same response.
import { Cause, Effect, Record, type Redacted, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { InternalError, RouteNotFound } from "#adapters/contract/errors/AdapterFailure.ts"
import { checkLengths, checkParameters } from "#adapters/contract/schema/BodyLengths.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import { strictDecoder } from "#adapters/contract/schema/StrictDecoding.ts"
import { CallingAccount } from "#core/domain/CallingAccount.ts"
import { ROUTER_CONFIG } from "../RouteTable.ts"
import { Authorization } from "./Authorization.ts"
import { errorResponse, type JsonBody, JsonResponse } from "./JsonResponse.ts"
import type { AnyOperation } from "./Operation.ts"
import { endpoints, headersOf, type OperationName, type OperationRequest, successOf } from "./OperationRequest.ts"
import { Operations } from "./Operations.ts"
import { repeatableIfDryRun, unrepeatableWithoutKey } from "./Repeatability.ts"

type Call = (key: Redacted.Redacted, request: OperationRequest) => Effect.Effect<JsonResponse>

/** The contract's schemas need no services, which their general type does not say. */
const codec = <Encoded>(schema: Schema.Top) => schema as Schema.Codec<unknown, Encoded>

/** Decodes the parts of a request that the endpoint has, each by its own schema. */
const decoderOf = ({ params, headers, query, payload }: HttpApiEndpoint.Top) => {
  const [json] = payload.values()
  const fromTexts = query && Schema.toCodecArrayFromSingle(query)
  const schemas = Object.entries({ params, headers, query: fromTexts, payload: json?.schemas[0] })
  const decoders = schemas.flatMap(([part, schema]) =>
    schema === undefined
      ? []
      : [
          {
            part,
            prepare: omitNulls(schema),
            decode: strictDecoder(codec<unknown>(schema), part === "payload" ? "body" : "query")
          }
        ]
  )
  return Effect.fnUntraced(function* (request: Readonly<Record<string, unknown>>) {
    const input: Record<string, unknown> = {}
    for (const { part, prepare, decode } of decoders) {
      input[part] = yield* Effect.fromResult(decode(prepare(request[part])))
    }
    return input
  })
}

/** Makes the response from a value of the endpoint's success schema. */
const encoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const schema = successOf(endpoint)
  const encode = Schema.encodeUnknownEffect(codec<JsonBody>(schema))
  const { httpApiStatus: status = 200 } = Schema.resolveAnnotationsKey(schema) ?? {}
  return (output: unknown) =>
    Effect.orDie(encode(output)).pipe(Effect.map((body) => JsonResponse.fromBody(status, body)))
}

/** Defects are logged, never shown. */
const refuseDefect = (cause: Cause.Cause<never>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.failCause(cause)
    : Effect.andThen(Effect.logError("A request failed on our side", cause), errorResponse(new InternalError()))

type Authorize = Authorization["Service"]["authorize"]

const makeCall = (endpoint: HttpApiEndpoint.Top, operation: AnyOperation, authorize: Authorize): Call => {
  const decode = decoderOf(endpoint)
  const encode = encoderOf(endpoint)
  const call = Effect.fnUntraced(function* (key: Redacted.Redacted, request: OperationRequest) {
    const { id, query, payload } = request
    // Over REST such an id matches no route, which is checked before the key.
    if (id !== undefined && id.length > ROUTER_CONFIG.maxParamLength) return yield* new RouteNotFound()
    const { caller } = yield* authorize(key, endpoint)
    yield* Effect.fromResult(checkLengths(payload))
    yield* Effect.fromResult(checkParameters(query))
    const input = yield* decode({ params: { id }, headers: headersOf(request), query, payload })
    // The types of the operation's input come from the schemas that decoded it.
    const output = yield* Effect.provideService(operation(caller, input as never), CallingAccount, caller.accountId)
    return output instanceof JsonResponse ? output : yield* encode(output)
  })
  return (key, request) =>
    call(key, request).pipe(
      Effect.catch(errorResponse),
      repeatableIfDryRun(request),
      Effect.catchCause(refuseDefect),
      unrepeatableWithoutKey(request)
    )
}

/** Calls any operation by its name. */
export const makeCallOperation = Effect.gen(function* () {
  const { authorize } = yield* Authorization
  const operations: Readonly<Record<OperationName, AnyOperation>> = Object.assign(
    {},
    ...Object.values(yield* Operations)
  )
  const calls = Record.map(endpoints, (endpoint, name) => makeCall(endpoint, operations[name], authorize))
  const call: Call = (key, request) => calls[request.operation](key, request)
  return call
})
