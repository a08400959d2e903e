// The ways a request fails before the shop hears of it, or because of us: JSON, headers, routes, sizes, rates, defects.
import { Data } from "effect"
import type { FieldError } from "./ErrorBody.ts"

export class InvalidJson extends Data.TaggedError("InvalidJson")<{
  /** What the parser says; of the input at most the name of a field, clipped. */
  readonly reason: string
  readonly offset?: number
}> {}

export class InvalidIdempotencyKey extends Data.TaggedError("InvalidIdempotencyKey") {}

/** The API that an MCP server relays to gave no answer of its own. Whether it carried the request out is not known. */
export class ApiUnreachable extends Data.TaggedError("ApiUnreachable")<{ readonly retryAfterSeconds: number }> {}

/** Two different keys in one request. */
export class ConflictingCredentials extends Data.TaggedError("ConflictingCredentials") {}

/** A web page of an origin that may not call MCP from a browser. */
export class OriginNotAllowed extends Data.TaggedError("OriginNotAllowed") {}

export class RouteNotFound extends Data.TaggedError("RouteNotFound") {}

export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<{
  readonly allowed: ReadonlyArray<string>
}> {}

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly limitBytes: number }> {}

export class UnsupportedMediaType extends Data.TaggedError("UnsupportedMediaType") {}

/** A field, parameter or combination that the schema refuses. Never empty. */
export class ValidationFailed extends Data.TaggedError("ValidationFailed")<{
  readonly errors: readonly [FieldError, ...Array<FieldError>]
}> {}

export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly kind: "read" | "order"
  readonly limit: number
  readonly retryAfterSeconds: number
  readonly resetsAtMs: number
}> {}

export class InternalError extends Data.TaggedError("InternalError") {}

/** Not sound HTTP, or a head too long or too slow, or one that expects what nobody does: seen before there is a route. */
export class MalformedRequest extends Data.TaggedError("MalformedRequest")<{
  readonly status: 400 | 408 | 417 | 431
}> {}

/** A notice that does not prove where it comes from: forged, signed with another secret, or too old. */
export class InvalidSignature extends Data.TaggedError("InvalidSignature") {}

export class MissingOperatorToken extends Data.TaggedError("MissingOperatorToken") {}

export class InvalidOperatorToken extends Data.TaggedError("InvalidOperatorToken") {}

export type AdapterFailure =
  | ApiUnreachable
  | BodyTooLarge
  | ConflictingCredentials
  | InternalError
  | InvalidIdempotencyKey
  | InvalidJson
  | InvalidOperatorToken
  | InvalidSignature
  | MalformedRequest
  | MethodNotAllowed
  | MissingOperatorToken
  | OriginNotAllowed
  | RateLimited
  | RouteNotFound
  | UnsupportedMediaType
  | ValidationFailed
