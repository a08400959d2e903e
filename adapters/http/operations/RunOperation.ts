// Runs an operation for a credential: admits the call, checks and decodes its input, and makes the response of every outcome. REST and MCP
// share it, so that both check the same things in the same order.
import { Cause, Context, Effect, Layer, Record, Redacted, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { checkLengths, checkParameters } from "#adapters/contract/decoding/BodyLengths.ts"
import { checkNoFields } from "#adapters/contract/decoding/SchemaIssues.ts"
import { strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import { InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import { credentialKindOf } from "#adapters/contract/errors/CredentialNouns.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import { BindCalls } from "#core/usecases/access/BindCalls.ts"
import { type RateStatus, type Rates, usedUp } from "../server/RequestRateLimit.ts"
import { type Authorize, makeAuthorize } from "./Authorization.ts"
import { boundOperation } from "./BoundOperation.ts"
import { BytesResponse, errorResponse, type JsonBody, JsonResponse } from "./JsonResponse.ts"
import type { AnyOperation } from "./Operation.ts"
import { endpoints, isBound, type OperationName, payloadOf, successOf } from "./OperationRequest.ts"
import { Operations } from "./Operations.ts"
import { isDryRun, isRepeatable } from "./Repeatability.ts"

/** The parts of a request before they are decoded: those that its endpoint has, and every parameter of the query. */
export interface RequestParts {
  readonly params: unknown
  readonly headers: unknown
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly payload: unknown
}

export interface OperationCall {
  readonly credential: Redacted.Redacted
  /** The whole service unless given; REST is a part of it. */
  readonly resource?: Resource
  readonly idempotencyKey: string | undefined
  /** Parts that are read from a client are read once the call is admitted. */
  readonly parts: RequestParts | Effect.Effect<RequestParts, Failure>
}

/** The response, and what the call left of the key's request rate, if it has one and was counted. */
export interface Answer {
  readonly response: JsonResponse | BytesResponse
  readonly rate: RateStatus | undefined
}

type Once = BindCalls["Service"]["once"]

type Run = (call: OperationCall) => Effect.Effect<Answer>

/** The contract's schemas need no services, which their general type does not say. */
const codec = <Encoded>(schema: Schema.Top) => schema as Schema.Codec<unknown, Encoded>

/** Checks the parts of a request and decodes those that the endpoint has, each by its own schema. */
const decoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const { params, headers, query } = endpoint
  const fromTexts = query && Schema.toCodecArrayFromSingle(query)
  const schemas = { params, headers, query: fromTexts, payload: payloadOf(endpoint) }
  const decoders = Record.toEntries(schemas).flatMap(([part, schema]) =>
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
  return (parts: RequestParts): Result.Result<Record<string, unknown>, Failure> => {
    const lengths = checkLengths(parts.payload)
    if (Result.isFailure(lengths)) return Result.fail(lengths.failure)
    const parameters = query === undefined ? checkNoFields(Object.keys(parts.query)) : checkParameters(parts.query)
    if (Result.isFailure(parameters)) return Result.fail(parameters.failure)
    const input: Record<string, unknown> = {}
    for (const { part, prepare, decode } of decoders) {
      const decoded = decode(prepare(parts[part]))
      if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
      input[part] = decoded.success
    }
    return Result.succeed(input)
  }
}

/** Makes the response from a value of the endpoint's success schema. */
const encoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const schema = successOf(endpoint)
  const encode = Schema.encodeUnknownSync(codec<JsonBody>(schema))
  const { httpApiStatus: status = 200 } = Schema.resolveAnnotationsKey(schema) ?? {}
  return (output: unknown) => JsonResponse.fromBody(status, encode(output))
}

const isComplete = (output: unknown): output is JsonResponse | BytesResponse =>
  output instanceof JsonResponse || output instanceof BytesResponse

/** Defects are logged, never shown. */
const refuseDefect = (cause: Cause.Cause<never>, repeatable: boolean) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.failCause(cause)
    : Effect.andThen(
        Effect.logError("A request failed on our side", cause),
        errorResponse(new InternalError(), repeatable)
      )

/** What was asked may still be done. */
const LATE = { _tag: "StoreUnavailable", retryAfterSeconds: 2 } as const

/** What is known of a call by the time that it fails. */
interface KnownOfCall {
  rate: RateStatus | undefined
  payload: unknown
}

const makeRun = (
  operation: OperationName,
  run: AnyOperation,
  { authorize, once, patienceMs }: { readonly authorize: Authorize; readonly once: Once; readonly patienceMs: number }
): Run => {
  const endpoint = endpoints[operation]
  const decode = decoderOf(endpoint)
  const encode = encoderOf(endpoint)
  const bound = isBound(endpoint) ? boundOperation(once, endpoint) : null
  const asJson = (output: unknown) => (output instanceof JsonResponse ? output : encode(output))
  // A generator function inside a function is made again for each call, and V8 keeps it, with the request that it closes over, until the
  // next major garbage collection; this one is made once and takes arguments.
  const respond = Effect.fnUntraced(function* (
    { credential, resource = "service", parts, idempotencyKey }: OperationCall,
    known: KnownOfCall
  ) {
    const { caller, rate } = yield* authorize(credential, resource)
    known.rate = rate
    const read = Effect.isEffect(parts) ? yield* parts : parts
    known.payload = read.payload
    const input = yield* Effect.fromResult(decode(read))
    // The types of the operation's input come from the schemas that decoded it.
    const answer = (origin: CallOrigin | null) => run(caller, input as never, origin)
    const output =
      bound === null || idempotencyKey === undefined || isDryRun(input["payload"])
        ? answer(null)
        : bound({ caller, input, idempotencyKey }, (origin) => Effect.map(answer(origin), asJson))
    const given = yield* Effect.provideService(output, CallingAccount, caller.accountId)
    return isComplete(given) ? given : encode(given)
  })
  return (call) =>
    Effect.suspend(() => {
      const { credential, idempotencyKey, parts } = call
      const known: KnownOfCall = { rate: undefined, payload: Effect.isEffect(parts) ? undefined : parts.payload }
      const refuse = (failure: Failure) => {
        if (failure._tag === "RateLimited") known.rate = usedUp(failure)
        const by = credentialKindOf(Redacted.value(credential))
        return errorResponse(failure, isRepeatable({ operation, idempotencyKey, payload: known.payload }), by)
      }
      const responded = respond(call, known).pipe(
        Effect.catch(refuse),
        // After a defect, nothing is certain of what a dry run did, either.
        Effect.catchCause((cause) => refuseDefect(cause, isRepeatable({ operation, idempotencyKey })))
      )
      return Effect.map(
        answerInTime(
          responded,
          patienceMs,
          Effect.suspend(() => refuse(LATE))
        ),
        (response): Answer => ({ response, rate: known.rate })
      )
    })
}

export class RunOperation extends Context.Service<RunOperation>()("backlinks/http/operations/RunOperation", {
  make: Effect.fnUntraced(function* (rates: Rates) {
    const operations = yield* Operations
    const authorizeAt = yield* makeAuthorize(rates)
    const patienceMs = yield* Patience
    const { once } = yield* BindCalls
    return Record.map(
      endpoints,
      (endpoint, name): Run => makeRun(name, operations[name], { authorize: authorizeAt(endpoint), once, patienceMs })
    )
  })
}) {
  static readonly layer = (rates: Rates) =>
    Layer.effect(RunOperation, RunOperation.make(rates)).pipe(
      Layer.provide(RateLimiter.layer),
      Layer.provide(RateLimiter.layerStoreMemory)
    )
}
