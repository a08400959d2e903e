// Checks of a request before its call is handled, in this order: token, operator name, size of the body, one valid call in it.
import { createHash, timingSafeEqual } from "node:crypto"
import { Effect, Redacted, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import {
  type BodyTooLarge,
  InvalidJson,
  InvalidOperatorToken,
  MissingOperatorToken,
  ValidationFailed
} from "#adapters/contract/errors/AdapterFailure.ts"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { toValidationFailed } from "#adapters/contract/schema/SchemaIssues.ts"
import { ACTOR_HEADER, ACTOR_NAME } from "./CurrentOperator.ts"
import { OperatorRpcs } from "./OperatorRpcs.ts"
import { payloadCheck } from "./PayloadChecks.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Room for a few hundred rows of the longest kind. */
const MAX_CALL_BYTES = 4 * 1_024 * 1_024

const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest()

/** Compares SHA-256 digests in constant time. */
const tokenCheck = (token: Redacted.Redacted<string>) => {
  const expected = digest(Redacted.value(token))
  return ({ headers }: Request): Result.Result<void, MissingOperatorToken | InvalidOperatorToken> => {
    const sent = /^bearer +(\S+) *$/i.exec(headers["authorization"] ?? "")?.[1]
    if (sent === undefined) return Result.fail(new MissingOperatorToken())
    return timingSafeEqual(digest(sent), expected) ? Result.void : Result.fail(new InvalidOperatorToken())
  }
}

const checkActor = ({ headers }: Request): Result.Result<void, ValidationFailed> => {
  const name = headers[ACTOR_HEADER]
  if (name === undefined || ACTOR_NAME.test(name)) return Result.void
  const message = "Must be a name of 1 to 64 ASCII characters."
  return Result.fail(new ValidationFailed({ errors: [{ path: ACTOR_HEADER, message }] }))
}

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
  headers: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
  traceId: Schema.optionalKey(Schema.String),
  spanId: Schema.optionalKey(Schema.String),
  sampled: Schema.optionalKey(Schema.Boolean)
})

const decodeMessage = Schema.decodeUnknownResult(Message, { onExcessProperty: "error", errors: "all" })

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

const checkCall = (text: string): Result.Result<unknown, InvalidJson | ValidationFailed> =>
  Result.gen(function* () {
    const message = yield* Result.mapError(decodeMessage(yield* parse(text)), ({ issue }) =>
      toValidationFailed(issue, "body")
    )
    const check = payloadCheck(message.tag)
    return yield* check === undefined ? Result.fail(unknownCall) : check(message.payload)
  })

/** Succeeds for a request that may be handled. */
export const requestChecks = (token: Redacted.Redacted<string>, readBody: ReadBody) => {
  const checkToken = tokenCheck(token)
  return (request: Request): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      yield* Effect.fromResult(checkToken(request))
      yield* Effect.fromResult(checkActor(request))
      yield* Effect.fromResult(checkCall(decoder.decode(yield* readBody(request, MAX_CALL_BYTES))))
    })
}
