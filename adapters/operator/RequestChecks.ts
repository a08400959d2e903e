// Checks of a request before its call is handled, in this order: token, operator name, size of the body, one valid call in it, the
// role that this call requires.
import { Effect, Option, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import {
  type BodyTooLarge,
  InsufficientRole,
  InvalidJson,
  ValidationFailed
} from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { mayAct, type OperatorRole } from "#core/domain/members/Actor.ts"
import { requiredRole } from "./OperatorRoles.ts"
import { OperatorRpcs } from "./OperatorRpcs.ts"
import type { IdentifyOperator, Operator } from "./OperatorTokens.ts"
import { payloadCheck } from "./PayloadChecks.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Room for a few hundred rows of the longest kind. */
const MAX_CALL_BYTES = 4 * 1_024 * 1_024

/** Reads a body of at most `limitBytes` and caches it, so that it can be read again. */
export type ReadBody = (request: Request, limitBytes: number) => Effect.Effect<ArrayBuffer, BodyTooLarge | InvalidJson>

/** Decodes as the RPC protocol does. */
const decoder = new TextDecoder()

/** The one message of a request. Notifications are refused, because their errors could not be reported. */
const Message = Schema.Struct({
  _tag: Schema.Literal("Request"),
  id: Schema.Union([Schema.String, Schema.Int]),
  tag: Schema.String,
  payload: Schema.Unknown,
  // Would replace the headers of the request, which have been checked.
  headers: Schema.Array(Schema.Never),
  traceId: Schema.optionalKey(Schema.String),
  spanId: Schema.optionalKey(Schema.String),
  sampled: Schema.optionalKey(Schema.Boolean)
})

const decodeMessage = strictDecoder(Message, "body")

const parse = (text: string): Result.Result<unknown, InvalidJson> => {
  const [line, ...more] = text.split("\n").filter((one) => one.trim() !== "")
  if (line === undefined || more.length > 0) return Result.fail(new InvalidJson({ reason: "Send one call in a line." }))
  return Result.try({
    try: (): unknown => JSON.parse(line),
    catch: () => new InvalidJson({ reason: "Cannot be read." })
  })
}

const unknownCall = new ValidationFailed({
  errors: [{ path: "tag", message: `There is no such call. Calls: ${[...OperatorRpcs.requests.keys()].join(", ")}.` }]
})

const checkCall = (
  text: string,
  held: OperatorRole
): Result.Result<void, InvalidJson | ValidationFailed | InsufficientRole> =>
  Result.gen(function* () {
    const { tag, payload } = yield* decodeMessage(yield* parse(text))
    const check = payloadCheck(tag)
    yield* check === undefined ? Result.fail(unknownCall) : check(payload)
    const required = requiredRole(tag, payload)
    if (!mayAct(held, required)) yield* Result.fail(new InsufficientRole({ call: tag, required, held }))
  })

const UNKNOWN_ADDRESS = "unknown"

export type Authenticate = (request: Request) => Effect.Effect<Operator, Failure>

/** `wrongToken` runs before a wrong token is refused. */
export const makeAuthenticate =
  (identify: IdentifyOperator, wrongToken: (address: string) => Effect.Effect<void>): Authenticate =>
  (request) =>
    Effect.fromResult(identify(request.headers)).pipe(
      Effect.tapError((fault) =>
        fault._tag === "InvalidOperatorToken"
          ? wrongToken(Option.getOrElse(request.remoteAddress, () => UNKNOWN_ADDRESS))
          : Effect.void
      )
    )

/** Succeeds for a request that may be handled. */
export const requestChecks =
  (authenticate: Authenticate, readBody: ReadBody) =>
  (request: Request): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      const { role } = yield* authenticate(request)
      yield* Effect.fromResult(checkCall(decoder.decode(yield* readBody(request, MAX_CALL_BYTES)), role))
    })
